/** The real console in a simulated browser, whose server is testing/server.ts. Import this before all else of the console. */
import './browser.ts'
import '@testing-library/jest-dom/vitest'
import type { Role } from '@roomkeeper/contract'
import { type RouterHistory, RouterProvider } from '@tanstack/react-router'
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent, { PointerEventsCheckLevel } from '@testing-library/user-event'
import i18next from 'i18next'
import { afterEach, expect } from 'vitest'
import { queryClient } from '#api/queries.ts'
import { createConsoleRouter } from '#app/router.ts'
import { startLanguage } from '#locales/language.ts'
import { closeToasts } from '#ui/toast.ts'
import { repliesAtFirst, sessionOf } from './answers.ts'
import { ok, reply, restart } from './server.ts'

// Parts of the console are loaded when they are first needed. Whether an element that is asked for by its role is hidden
// takes longer to find out than all else; `toBeVisible` still does.
configure({ asyncUtilTimeout: 20_000, defaultHidden: true })
restart(repliesAtFirst)
await startLanguage()
// Else the first messages of a form would depend on the tests before.
await i18next.loadNamespaces('errors')

// Without styles, nothing keeps the pointer away.
export const user = userEvent.setup({ delay: null, pointerEventsCheck: PointerEventsCheckLevel.Never })

let sessions = 0
let history: RouterHistory | null = null

/** Opens a page of the console, signed in as an operator of the role. */
export function openAs(role: Role, path: string): void {
  reply({ checkSession: () => ok(sessionOf(role)) })
  open(path)
}

export function open(path: string): void {
  leave()
  sessions += 1
  // biome-ignore lint/suspicious/noDocumentCookie: the console reads it from there
  document.cookie = `OperatorData=token${sessions}; path=/`
  window.history.replaceState(null, '', path)
  show()
}

/** As if the tab were reloaded: only what the browser keeps is left. */
export function reload(): void {
  leave()
  show()
}

function show(): void {
  const router = createConsoleRouter()
  history = router.history
  render(<RouterProvider router={router} />)
}

function leave(): void {
  cleanup()
  history?.destroy()
  queryClient.clear()
}

afterEach(() => {
  leave()
  closeToasts()
  localStorage.clear()
  sessionStorage.clear()
  const missing = restart(repliesAtFirst)
  expect(missing, 'calls without an answer').toEqual([])
})

/** The address as the operator sees it, without the origin. */
export function address(): string {
  return location.pathname + location.search
}

export function field(label: string): HTMLElement {
  return screen.getByRole('textbox', { name: label })
}

/** Puts a text into a field, in the place of what is there. */
export function fill(input: HTMLElement, text: string): void {
  act(() => input.focus())
  fireEvent.change(input, { target: { value: text } })
}

/** Fills a field and leaves it, because messages appear then. */
export function fillAndBlur(input: HTMLElement, text: string): void {
  fill(input, text)
  blur(input)
}

export function blur(input: HTMLElement): void {
  act(() => input.blur())
}

/** Chooses an option of a select, such as the edition or the region. */
export async function select(label: string, option: string): Promise<void> {
  const options = await openOptions(label)
  const found = options.find((each) => each.textContent === option || each.textContent?.startsWith(option))
  if (found === undefined) throw new Error(`${label} has no option ${option}.`)
  await user.click(found)
}

/** The names of a select's options. */
export async function optionsOf(label: string): Promise<(string | null)[]> {
  const options = await openOptions(label)
  await user.keyboard('{Escape}')
  return options.map(({ textContent }) => textContent)
}

async function openOptions(label: string): Promise<HTMLElement[]> {
  await user.click(screen.getByRole('combobox', { name: label }))
  return screen.findAllByRole('option')
}

/** Waits for a toast with exactly this title and text. */
export async function expectToast(title: string, text: string): Promise<void> {
  await waitFor(() => {
    const found = screen
      .getAllByRole('alert')
      .map((each) => within(each))
      .filter((each) => each.queryByText(title) !== null && each.queryByText(text) !== null)
    expect(found.length, `toasts with ${title}: ${text}`).toBeGreaterThan(0)
  })
}
