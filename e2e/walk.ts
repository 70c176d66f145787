/** Walks through screens, each of which is checked once: see check-screen.ts. */
import { expect, type Locator, type Page } from '@playwright/test'
import type { Role } from '@roomkeeper/contract'
import type { Network } from '@roomkeeper/dev-env'
import type { BrowserErrors } from './browser-errors.ts'
import { checkGerman, checkScreen, type Screen } from './check-screen.ts'
import { test } from './fixtures.ts'
import { screenshotFolder } from './screenshots.ts'

export const dialog = '[role=dialog]'
export const listbox = '[role=listbox]'
export const longEmail = 'a.very.long.address.of.somebody.who.needs.it@a-long-domain-name.example.com'

export interface WalkContext {
  readonly page: Page
  readonly network: Network
  readonly browserErrors: BrowserErrors
  /** The names of the rooms, or the ids, that the walk has prepared. */
  readonly made: readonly string[]
}
interface VisitedScreen extends Screen {
  /** Leads there from the screen before. */
  open?(context: WalkContext): Promise<void>
  /** Keys and clicks that lead back; default: none. */
  leave?(context: WalkContext): Promise<void>
}
interface Walk {
  readonly name: string
  /** Absent: without a session. */
  readonly role?: Role
  readonly path: string | ((made: readonly string[]) => string)
  /** @returns the names of the rooms, or the ids, that it has made */
  prepare?(network: Network): Promise<readonly string[]>
  readonly screens: readonly VisitedScreen[]
}

/** A dialog that a button of the page opens, and Escape closes. */
export function dialogBehind(name: string | RegExp, more: Partial<VisitedScreen> = {}): VisitedScreen {
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

export function menuBehind(name: string | RegExp): VisitedScreen {
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
export function pageAt(path: string, shows: (page: Page) => Locator, more: Partial<VisitedScreen> = {}): VisitedScreen {
  return {
    name: path,
    open: async ({ page }) => {
      await page.goto(path)
      await expect(shows(page)).toBeVisible()
    },
    ...more,
  }
}

export async function closeTop({ page }: WalkContext): Promise<void> {
  const open = await page.getByRole('dialog').count()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(Math.max(0, open - 1))
}

/** The dialog above all others. */
export function top(page: Page): Locator {
  return page.getByRole('dialog').last()
}

/** One test for each walk. */
export function testWalks(walks: readonly Walk[]): void {
  for (const { name, role, path, prepare, screens } of walks) {
    test(name, async ({ page, openAs, network, browserErrors }) => {
      // As long as some dozens of screens take, or their pictures.
      test.setTimeout(screenshotFolder === undefined ? 300_000 : 1_800_000)
      const made = (await prepare?.(network)) ?? []
      const start = typeof path === 'string' ? path : path(made)
      await (role === undefined ? page.goto(start) : openAs(role, start))
      const context = { page, network, browserErrors, made }
      for (const screen of screens) {
        await test.step(screen.name, async () => {
          await screen.open?.(context)
          await checkScreen(page, screen)
          if (screen.german === undefined) await checkGerman(page, screen)
          await screen.leave?.(context)
          if (screen.german !== undefined) await checkGerman(page, screen)
        })
      }
    })
  }
}
