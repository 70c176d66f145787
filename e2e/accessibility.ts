/** Checks the accessibility of a page with axe. */
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

type Scheme = 'light' | 'dark'

/**
 * axe finds nothing in the page as it stands now, in both colour schemes.
 * @param what names it in a failure
 * @param part a selector, when the rest of the page has been checked before
 */
export async function expectAccessible(page: Page, what: string, part = 'html'): Promise<void> {
  await expectAccessibleIn(page, 'light', what, part)
  await expectAccessibleIn(page, 'dark', what, part)
  await page.emulateMedia({ colorScheme: 'light' })
}

/** In one scheme. The schemes differ in their colours only, so only colours are checked in the dark one. */
export async function expectAccessibleIn(page: Page, scheme: Scheme, what: string, part = 'html'): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme)
  // The scheme is there before the page is drawn.
  await expect(page.locator('main').first()).toBeAttached()
  await expect(page.locator(part).first()).toBeAttached()
  // Colours pass from scheme to scheme by transitions, one level of elements after the other, short as they are.
  await expect.poll(() => page.evaluate('document.getAnimations().length')).toBe(0)
  const axe = new AxeBuilder({ page }).include(part).options({ resultTypes: ['violations'] })
  const { violations } = await (scheme === 'dark' ? axe.withRules(['color-contrast']) : axe).analyze()
  const found = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)}`))
  expect.soft(found, `${what}, ${scheme}`).toEqual([])
}
