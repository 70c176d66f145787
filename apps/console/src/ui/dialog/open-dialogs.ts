/**
 * The open dialogs, in the order in which they were opened. `openDialog` adds one from anywhere, and the host in the
 * layout renders them. A dialog is `loading` until its first render, then `open`, then `closing` until it has faded
 * out and is removed. Its content and options never change in that time.
 */
import { useLocation } from '@tanstack/react-router'
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useLayoutEffect,
  useSyncExternalStore,
} from 'react'

interface OpenDialog {
  readonly id: number
  readonly content: ReactNode
  readonly phase: 'loading' | 'open' | 'closing'
  readonly outlastsPage: boolean
  readonly parameter?: string | undefined
  /** The element that had the focus and gets it back. */
  readonly opener: Element | null
  readonly onClose: () => void
}

let dialogs: readonly OpenDialog[] = []
let lastId = 0
const listeners = new Set<() => void>()

interface DialogOptions {
  /** The dialog and all dialogs above it stay open when the page changes. */
  outlastsPage?: boolean
  /** A parameter of the address: the code that opened the dialog closes it when the parameter is gone. */
  parameter?: string
  /** The element that gets the focus back; by default the one that has it now. */
  opener?: Element | null
  /** Called once when the dialog closes, for any reason. */
  onClose?: () => void
}

const nothing = () => undefined

/**
 * @param content renders a `Dialog` or a `SidePanel`; may be loaded on demand
 * @returns a function that closes it
 */
export function openDialog(content: ReactNode, options: DialogOptions = {}): () => void {
  const { outlastsPage = false, opener = document.activeElement, onClose = nothing, parameter } = options
  const top = dialogs.at(-1)
  if (top?.phase === 'loading' && top.opener === opener) {
    // This is the second click of a double click, or a key held down.
    onClose()
    return () => closeDialog(top.id)
  }
  lastId += 1
  const id = lastId
  replace([...dialogs, { id, content, phase: 'loading', outlastsPage, parameter, opener, onClose }])
  return () => closeDialog(id)
}

/** Also closes the dialogs above it. The focus returns to the opener unless another dialog has it. */
function closeDialog(id: number): void {
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

/** The dialog has been rendered and can fade in. */
function showDialog(id: number): void {
  if (dialogs.some((each) => each.id === id && each.phase === 'loading')) setPhase(id, 'open')
}

/** Called when the dialog has faded out, or cannot be shown. */
export function removeDialog(id: number): void {
  closeDialog(id)
  forget(id)
}

/** The dialog that gets the keys. */
export function topOf(all: readonly OpenDialog[]): OpenDialog | undefined {
  return all.findLast(({ phase }) => phase !== 'closing')
}

/** Whether a dialog is open, or still loading: the keys are then not for the page below it. */
export function isPageCovered(): boolean {
  return topOf(dialogs) !== undefined || document.querySelector('[aria-modal="true"], dialog[open]') !== null
}

/**
 * Whether a sign-in covers the page and its dialogs. Their questions cannot be answered then, so they stay as they are.
 */
export function isPageHidden(): boolean {
  return document.querySelector('[data-covered]') !== null
}

export function useOpenDialogs(): readonly OpenDialog[] {
  return useSyncExternalStore(subscribe, () => dialogs)
}

/** For the layout: closes a page's dialogs when the page changes, and all dialogs when the operator area is left. */
export function useDialogsOfPage(): void {
  const page = useLocation({ select: ({ pathname }) => pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever the page changes.
  useEffect(() => () => closeDialogsOfPage(), [page])
  useEffect(() => closeAll, [])
}

function closeDialogsOfPage(): void {
  const firstToStay = dialogs.findIndex(({ outlastsPage }) => outlastsPage)
  const ofPage = firstToStay === -1 ? dialogs : dialogs.slice(0, firstToStay)
  for (const { id } of ofPage.toReversed()) closeDialog(id)
}

/** Closes all at once, without fading out: the operator area is left, or dialogs cannot be shown. */
export function closeAll(): void {
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

interface ShownDialog extends Pick<OpenDialog, 'id' | 'phase'> {
  /** The number of dialogs below this one. */
  level: number
  /** The topmost dialog gets the keys. */
  isTop: boolean
}

export const DialogContext = createContext<ShownDialog | null>(null)

/** Key events that have closed a dialog and must not close another. No key closes one while a sign-in covers the page. */
class HandledKeys extends WeakSet<KeyboardEvent> {
  override has(event: KeyboardEvent): boolean {
    return super.has(event) || isPageHidden()
  }
}
const handledEscapes = new HandledKeys()

const lowestLayer = 200

/** For the content of a dialog. @returns a function that closes it */
export function useCloseDialog(): () => void {
  const { id } = useShownDialog()
  return useCallback(() => closeDialog(id), [id])
}

/** For the content of a dialog. @returns a function that tells which parameters of the address keep it open */
export function useParametersOfDialog(): () => readonly string[] {
  const { id } = useShownDialog()
  return () => dialogs.flatMap((each) => (each.id <= id && each.parameter !== undefined ? [each.parameter] : []))
}

/** For the content of a dialog. @returns whether it is open: neither loading nor closing */
export function useIsDialogOpen(): boolean {
  return useShownDialog().phase === 'open'
}

/** For the frame of a dialog. @returns the props of Mantine's `Modal` or `Drawer` that place it among other dialogs */
export function useDialogFrame() {
  const { id, phase, level, isTop } = useShownDialog()
  useLayoutEffect(() => showDialog(id), [id])
  return {
    opened: phase === 'open',
    onClose: useCloseDialog(),
    onExitTransitionEnd: () => removeDialog(id),
    zIndex: lowestLayer + level,
    closeOnEscape: isTop,
    // `closeDialog` returns the focus.
    returnFocus: false,
    __handledEscapeEvents: handledEscapes,
  }
}

function useShownDialog(): ShownDialog {
  const shown = use(DialogContext)
  if (shown === null) throw new Error('This is for what `openDialog` opens only.')
  return shown
}
