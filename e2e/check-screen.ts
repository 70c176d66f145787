/** What holds for every screen, panel, menu and dialog. */
import { expect, type Locator, type Page } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { compareScreenshots } from './screenshots.ts'

const widths = [390, 800, 1280, 1600]
const height = 800

export interface Screen {
  /** Names it in a failure. */
  readonly name: string
  /** A selector, if the rest of the page has been checked already; default: the whole page. */
  readonly part?: string
  /** Buttons that are in view at every width. */
  readonly inView?: readonly (string | RegExp)[]
  /** From which width on they are; default: 800. */
  readonly inViewFrom?: number
  /** The German name of the button that opens it, for dialogs that keep the language in which they were opened. */
  readonly german?: string | RegExp
  /** Matches texts that are the same in every language, such as the names of events. */
  readonly untranslated?: RegExp
  /** Not checked in German: it closes when the language changes, as a toast does, or shows entered text. */
  readonly isOnlyEnglish?: boolean
}

/** Expects that axe finds nothing in the shown screen, and that nothing scrolls sideways or is cut off at any width. */
export async function checkScreen(page: Page, screen: Screen): Promise<void> {
  const part = screen.part ?? 'html'
  await expectAccessible(page, screen.name, part)
  await compareScreenshots(page, screen.name, isFleeting(screen))
  if (isFleeting(screen)) return
  for (const width of widths) {
    await page.setViewportSize({ width, height })
    await expectNoSidewaysScrolling(page, `${screen.name}, ${width} px`)
    await expectNothingCut(page, `${screen.name}, ${width} px`)
    if (width < (screen.inViewFrom ?? 800)) continue
    for (const name of screen.inView ?? []) {
      const button = page.getByRole('button', { name }).first()
      await expect(button, `${name}, ${width} px`).toBeInViewport({ ratio: 1 })
    }
  }
  await page.setViewportSize({ width: 1280, height })
}

/** Menus, lists of options and tooltips close when the page changes its size or its language. */
function isFleeting({ part = 'html' }: Screen): boolean {
  return /menu|listbox|tooltip/.test(part)
}

/** Expects no English text in German, then shows the screen in English again. */
export async function checkGerman(page: Page, screen: Screen): Promise<void> {
  if (screen.isOnlyEnglish === true || isFleeting(screen)) return
  await chooseLanguage(page, 'Deutsch')
  const dialogs = page.getByRole('dialog')
  const before = await dialogs.count()
  if (screen.german !== undefined) {
    await page.getByRole('button', { name: screen.german, exact: true }).last().click()
    await expect(dialogs).toHaveCount(before + 1)
  }
  const text = (await germanPart(page, screen.part ?? 'html').allInnerTexts()).join(' ')
  expect.soft(text, `${screen.name} is still there in German`).not.toBe('')
  expect.soft(englishWords(text.replaceAll(screen.untranslated ?? /$^/g, '')), `${screen.name}, in German`).toEqual([])
  if (screen.german !== undefined) {
    await page.keyboard.press('Escape')
    await expect(dialogs).toHaveCount(before)
  }
  await chooseLanguage(page, 'English')
}

/** Expects that neither the page nor a dialog scrolls sideways. */
export async function expectNoSidewaysScrolling(page: Page, what: string): Promise<void> {
  const wide = () =>
    page
      .locator('html, [role=dialog]')
      .evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.tagName))
  await expect.poll(wide, what).toEqual([])
}

/** Expects that no row header and no text of a button is cut off. */
async function expectNothingCut(page: Page, what: string): Promise<void> {
  const cut = await page
    .getByRole('rowheader')
    .or(page.locator(':is(main, [role=dialog]) .mantine-Button-label'))
    // On a phone some buttons show only their icon: their text has a width of 1 px.
    .evaluateAll((all) =>
      all.filter((each) => each.clientWidth > 1 && each.scrollWidth > each.clientWidth).map((each) => each.textContent),
    )
  expect.soft(cut, `${what}, cut`).toEqual([])
}

/** Excludes the page's header, because it shows the operator's name. */
function germanPart(page: Page, part: string): Locator {
  return page.locator(part === 'html' ? 'main, [role=dialog]' : part)
}

/** Dispatches events instead of clicking, because an open dialog may cover the menu. */
async function chooseLanguage(page: Page, language: 'Deutsch' | 'English'): Promise<void> {
  const [tag, wanted] = language === 'Deutsch' ? ['en', 'de'] : ['de', 'en']
  const select = page.getByRole('combobox', { name: /^(Language|Sprache)$/ })
  if ((await select.count()) > 0) {
    await select.selectOption(language)
  } else {
    const menu = { name: new RegExp(`: ${tag}$`, 'i'), includeHidden: true }
    await page.getByRole('button', menu).dispatchEvent('click')
    await page.getByRole('menuitemradio', { name: language, includeHidden: true }).dispatchEvent('click')
    await expect(page.getByRole('menuitemradio', { includeHidden: true })).toHaveCount(0)
  }
  await expect(page.locator('html')).toHaveAttribute('lang', new RegExp(`^${wanted}`))
}

/** Finds frequent English words that do not exist in German. */
function englishWords(text: string): string[] {
  return text.match(/\b(the|and|please|room|create|name of|contract|sales|customer|licences)\b/gi) ?? []
}
