/** Checks the accessibility of pages with axe. */
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

type Scheme = 'light' | 'dark'

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
export async function expectAccessibleIn(page: Page, scheme: Scheme, what: string, part = 'html'): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme)
  // The scheme is set before the page is drawn.
  await expect(page.locator('main').first()).toBeAttached()
  await expect(page.locator(part).first()).toBeAttached()
  // Colours change by short transitions, one level of elements after another.
  await expect.poll(() => page.evaluate('document.getAnimations().length')).toBe(0)
  const axe = new AxeBuilder({ page }).include(part).options({ resultTypes: ['violations'] })
  const { violations } = await (scheme === 'dark' ? axe.withRules(['color-contrast']) : axe).analyze()
  const found = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)}`))
  expect.soft(found, `${what}, ${scheme}`).toEqual([])
}
