/** Checks the accessibility of pages with axe. */
import { expect, type Page } from '@playwright/test'
import axe, { type AxeResults, type RunOptions } from 'axe-core'

type Scheme = 'light' | 'dark'

interface AxeInPage {
  readonly axe: { run(selector: string, options: RunOptions): Promise<AxeResults> }
}

/**
 * Expects that axe finds nothing in the page as it is now, in either colour scheme.
 * @param what names the page in a failure
 * @param part a selector, if the rest of the page has been checked already
 */
export async function expectAccessible(page: Page, what: string, part = 'html'): Promise<void> {
  await expectAccessibleIn(page, 'light', what, part)
  await expectAccessibleIn(page, 'dark', what, part)
  await page.emulateMedia({ colorScheme: 'light' })
}

/** Checks one scheme. The schemes differ only in their colours, so in the dark one only colours are checked. */
async function expectAccessibleIn(page: Page, scheme: Scheme, what: string, part = 'html'): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme)
  // The scheme is set before the page is drawn.
  await expect(page.locator('main').first()).toBeAttached()
  await expect(page.locator(part).first()).toBeAttached()
  await expectNothingFound(page, `${what}, ${scheme}`, part, scheme === 'dark' ? onlyContrast : {})
}

/** Checks the contrast of texts in a page that is not the console's. */
export async function expectReadable(page: Page, what: string, part = 'html'): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveCSS('color-scheme', colorScheme === 'dark' ? 'dark' : /light|normal/)
    await expectNothingFound(page, `${what}, ${colorScheme}`, part, onlyContrast)
  }
}

const onlyContrast: RunOptions = { runOnly: ['color-contrast'] }

async function expectNothingFound(page: Page, what: string, part: string, rules: RunOptions): Promise<void> {
  // Colours change by short transitions, one level of elements after another.
  await expect.poll(() => page.evaluate('document.getAnimations().length')).toBe(0)
  const found = await violationsIn(page, part, { resultTypes: ['violations'], ...rules })
  expect.soft(found, what).toEqual([])
}

/**
 * Runs axe in the page. It is put into a document once: reading its half megabyte takes ten times as long as a check.
 * @returns a text for each element that violates a rule
 */
async function violationsIn(page: Page, part: string, options: RunOptions): Promise<string[]> {
  expect(page.frames(), 'axe does not look into frames').toHaveLength(1)
  if (await page.evaluate(`typeof axe === 'undefined'`)) await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    (given): Promise<AxeResults> => (globalThis as unknown as AxeInPage).axe.run(given.part, given.options),
    { part, options },
  )
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)}`))
}
