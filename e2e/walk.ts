/** Walks through screens, each of which is checked once: see check-screen.ts. */
import { expect, type Locator, type Page } from '@playwright/test'
import type { Role } from '@roomkeeper/contract'
import type { Network } from '@roomkeeper/dev-env'
import { checkGerman, checkScreen, type Screen } from './check-screen.ts'
import { test } from './fixtures.ts'
import type { Troubles } from './troubles.ts'

export const dialog = '[role=dialog]'
export const listbox = '[role=listbox]'
export const longEmail = 'a.very.long.address.of.somebody.who.needs.it@a-long-domain-name.example.com'

export interface Stage {
  readonly page: Page
  readonly network: Network
  readonly troubles: Troubles
  /** The names of the rooms, or the ids, that the walk has prepared. */
  readonly made: readonly string[]
}
interface Stop extends Screen {
  /** Leads there from the stop before. */
  open?(stage: Stage): Promise<void>
  /** Keys and clicks that lead back; default: none. */
  leave?(stage: Stage): Promise<void>
}
interface Walk {
  readonly name: string
  /** Absent: nobody is signed in. */
  readonly role?: Role
  readonly path: string | ((made: readonly string[]) => string)
  /** @returns the names of the rooms, or the ids, that it has made */
  prepare?(network: Network): Promise<readonly string[]>
  readonly stops: readonly Stop[]
}

/** A dialog that a button of the page opens, and Escape closes. */
export function dialogBehind(name: string | RegExp, more: Partial<Stop> = {}): Stop {
  return {
    name: `the dialog behind ${name}`,
    part: dialog,
    open: async ({ page }) => {
      const open = await page.getByRole('dialog').count()
      const opener = page.getByRole('button', { name, exact: typeof name === 'string' })
      await opener.first().click()
      await expect(page.getByRole('dialog')).toHaveCount(open + 1)
    },
    leave: closeTop,
    ...more,
  }
}

export function menuBehind(name: string | RegExp): Stop {
  return {
    name: `the menu behind ${name}`,
    part: '[role=menu]',
    open: async ({ page }) => {
      await page.getByRole('button', { name }).click()
      await expect(page.getByRole('menu')).toBeVisible()
    },
    leave: async ({ page }) => {
      await page.keyboard.press('Escape')
      await expect(page.getByRole('menu')).toHaveCount(0)
    },
  }
}

/** A page at an address of its own. @param shows what it shows when it has loaded */
export function pageAt(path: string, shows: (page: Page) => Locator, more: Partial<Stop> = {}): Stop {
  return {
    name: path,
    open: async ({ page }) => {
      await page.goto(path)
      await expect(shows(page)).toBeVisible()
    },
    ...more,
  }
}

export async function closeTop({ page }: Stage): Promise<void> {
  const open = await page.getByRole('dialog').count()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(Math.max(0, open - 1))
}

/** The dialog above all others. */
export function top(page: Page): Locator {
  return page.getByRole('dialog').last()
}

/** One test for each walk. */
export function takeWalks(walks: readonly Walk[]): void {
  for (const { name, role, path, prepare, stops } of walks) {
    test(name, async ({ page, openAs, network, troubles }) => {
      // As long as some dozens of screens take.
      test.setTimeout(180_000)
      const made = (await prepare?.(network)) ?? []
      const start = typeof path === 'string' ? path : path(made)
      await (role === undefined ? page.goto(start) : openAs(role, start))
      const stage = { page, network, troubles, made }
      for (const stop of stops) {
        await test.step(stop.name, async () => {
          await stop.open?.(stage)
          await checkScreen(page, stop)
          if (stop.german === undefined) await checkGerman(page, stop)
          await stop.leave?.(stage)
          if (stop.german !== undefined) await checkGerman(page, stop)
        })
      }
    })
  }
}
