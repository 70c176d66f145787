/**
 * The dialogs of the page, in the order in which they were opened. `openDialog` adds one from anywhere, the host in
 * the layout draws them. A dialog is loading until it is drawn for the first time, then open, and closing until it
 * has faded out; then it is gone. What it was opened with stays the same for all that time.
 */
import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useSyncExternalStore } from 'react'

export interface OpenDialog {
  readonly id: number
  readonly content: ReactNode
  readonly phase: 'loading' | 'open' | 'closing'
  readonly outlastsPage: boolean
  /** What had the focus, and gets it back. */
  readonly opener: Element | null
  readonly onClose: () => void
}

let dialogs: readonly OpenDialog[] = []
let lastId = 0
const listeners = new Set<() => void>()

interface DialogOptions {
  /** It stays open, with all that lies above it, when another page is gone to. */
  outlastsPage?: boolean
  /** Called once, when it closes for whichever reason. */
  onClose?: () => void
}

const nothing = () => undefined

/**
 * @param content what draws itself as a `Dialog` or a `SidePanel`; it may be loaded on demand
 * @returns closes it
 */
export function openDialog(content: ReactNode, options: DialogOptions = {}): () => void {
  const { outlastsPage = false, onClose = nothing } = options
  const opener = document.activeElement
  const top = dialogs.at(-1)
  if (top?.phase === 'loading' && top.opener === opener) {
    // The second click of a double click, or a key that is held down.
    onClose()
    return () => closeDialog(top.id)
  }
  lastId += 1
  const id = lastId
  replace([...dialogs, { id, content, phase: 'loading', outlastsPage, opener, onClose }])
  return () => closeDialog(id)
}

/** With the dialogs above it. The focus goes back to where it was, unless another dialog has it. */
export function closeDialog(id: number): void {
  const dialog = dialogs.find((each) => each.id === id)
  if (dialog === undefined || dialog.phase === 'closing') return
  const above = dialogs.slice(dialogs.indexOf(dialog) + 1).filter(({ outlastsPage }) => !outlastsPage)
  for (const each of above.toReversed()) closeDialog(each.id)
  const isTop = topOf(dialogs)?.id === id
  // A dialog that was never rendered has nothing to fade out.
  if (dialog.phase === 'loading') forget(id)
  else setPhase(id, 'closing')
  if (isTop && dialog.opener instanceof HTMLElement) dialog.opener.focus({ preventScroll: true })
  dialog.onClose()
}

/** It is drawn now, and can appear softly. */
export function showDialog(id: number): void {
  if (dialogs.some((each) => each.id === id && each.phase === 'loading')) setPhase(id, 'open')
}

/** It has faded out, whoever closed it. */
export function removeDialog(id: number): void {
  closeDialog(id)
  forget(id)
}

/** The one that the keyboard belongs to. */
export function topOf(all: readonly OpenDialog[]): OpenDialog | undefined {
  return all.findLast(({ phase }) => phase !== 'closing')
}

export function useOpenDialogs(): readonly OpenDialog[] {
  return useSyncExternalStore(subscribe, () => dialogs)
}

/** For the layout: closes what belongs to a page when another one comes, and everything when the operator leaves. */
export function useDialogsOfPage(): void {
  const page = useLocation({ select: ({ pathname }) => pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: as often as the page is another one.
  useEffect(() => () => closeDialogsOfPage(), [page])
  useEffect(() => closeAll, [])
}

function closeDialogsOfPage(): void {
  const firstToStay = dialogs.findIndex(({ outlastsPage }) => outlastsPage)
  const ofPage = firstToStay === -1 ? dialogs : dialogs.slice(0, firstToStay)
  for (const { id } of ofPage.toReversed()) closeDialog(id)
}

function closeAll(): void {
  const all = dialogs
  replace([])
  for (const { onClose } of all) onClose()
}

function forget(id: number): void {
  replace(dialogs.filter((each) => each.id !== id))
}

function setPhase(id: number, phase: OpenDialog['phase']): void {
  replace(dialogs.map((each) => (each.id === id ? { ...each, phase } : each)))
}

function replace(next: readonly OpenDialog[]): void {
  dialogs = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
