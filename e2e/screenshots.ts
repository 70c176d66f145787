/**
 * Compares every screen with the pictures of another state of the console, if `SCREENSHOTS` names the folder of the
 * pictures. `-- -u` takes them first: see docs/console.md.
 */
import { expect, type Page } from '@playwright/test'

export const screenshotFolder = process.env.SCREENSHOTS

const widths = [390, 1440]

/** @param isFleeting it closes when the page changes its size, so it is shown at the present one only */
export async function compareScreenshots(page: Page, name: string, isFleeting: boolean): Promise<void> {
  if (screenshotFolder === undefined) return
  const size = page.viewportSize()
  for (const width of isFleeting ? [size?.width ?? 0] : widths) {
    if (!isFleeting) await page.setViewportSize({ width, height: 900 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.evaluate(hideDigits)
      const file = `${name}-${width}-${colorScheme}`.replaceAll(/[^\w-]+/g, '-')
      await expect.soft(page).toHaveScreenshot(`${file}.png`, { animations: 'disabled' })
      await page.evaluate(showDigits)
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
  if (size !== null) await page.setViewportSize(size)
}

/** Times, ports and ids differ from run to run. */
const hideDigits = `{
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  window.hiddenTexts = []
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    // Mantine has a style sheet in the page.
    if (node.parentElement.matches('style, script')) continue
    const text = node.data
    const hidden = text.replaceAll(/[\\da-f]{8}-[\\da-f-]{27}/g, '0').replaceAll(/\\d/g, '0')
    if (hidden === text) continue
    window.hiddenTexts.push({ node, text })
    node.data = hidden
  }
}`

const showDigits = 'for (const { node, text } of window.hiddenTexts) node.data = text'
