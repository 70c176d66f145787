/**
 * The open dialogs, in the order in which they were opened. `openDialog` adds one from anywhere, and the host in the
 * layout renders them. A dialog is `loading` until its first render, then `open`, then `closing` until it has faded
 * out and is removed. Its content and options never change in that time.
 */
import { useLocation } from '@tanstack/react-router'
import { createContext, isValidElement, type ReactNode, use, useCallback, useEffect, useLayoutEffect } from 'react'
import { createStore, useStore } from '#store.ts'

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

const dialogs = createStore<readonly OpenDialog[]>([])
const isHidden = createStore(false)
/** What Escape does with the dialogs that it does not just close, by their ids. */
const insteadOfClosing = new Map<number, () => void>()
let lastId = 0

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
  const top = dialogs.get().at(-1)
  if (top?.phase === 'loading' && top.opener === opener && isSameKind(top.content, content)) {
    // This is the second click of a double click, or a key held down.
    onClose()
    return () => closeDialog(top.id)
  }
  lastId += 1
  const id = lastId
  dialogs.set([...dialogs.get(), { id, content, phase: 'loading', outlastsPage, parameter, opener, onClose }])
  return () => closeDialog(id)
}

function isSameKind(one: ReactNode, other: ReactNode): boolean {
  return isValidElement(one) && isValidElement(other) && one.type === other.type
}

/** Also closes the dialogs above it. The focus returns to the opener unless another dialog has it. */
function closeDialog(id: number): void {
  const all = dialogs.get()
  const dialog = all.find((each) => each.id === id)
  if (dialog === undefined || dialog.phase === 'closing') return
  const above = all.slice(all.indexOf(dialog) + 1).filter(({ outlastsPage }) => !outlastsPage)
  for (const each of above.toReversed()) closeDialog(each.id)
  const isTop = topDialog()?.id === id
  // A dialog that was never rendered has nothing to fade out.
  if (dialog.phase === 'loading') forget(id)
  else setPhase(id, 'closing')
  if (isTop && dialog.opener instanceof HTMLElement) dialog.opener.focus({ preventScroll: true })
  dialog.onClose()
}

/** The dialog has been rendered and can fade in. */
function showDialog(id: number): void {
  if (dialogs.get().some((each) => each.id === id && each.phase === 'loading')) setPhase(id, 'open')
}

/** Called when the dialog has faded out, or cannot be shown. */
export function removeDialog(id: number): void {
  closeDialog(id)
  forget(id)
}

/** The dialog that gets the keys. */
function topDialog(): OpenDialog | undefined {
  return dialogs.get().findLast(({ phase }) => phase !== 'closing')
}

/** Whether a dialog is open, or still loading: the keys are then not for the page below it. */
export function isPageCovered(): boolean {
  return topDialog() !== undefined || isHidden.get() || hasPopup()
}

/** Whether a popup of the browser's own is open. */
function hasPopup(): boolean {
  return document.querySelector('dialog[open]') !== null
}

/**
 * Whether a sign-in covers the page and its dialogs. Their questions cannot be answered then, so they stay as they are.
 */
export function isPageHidden(): boolean {
  return isHidden.get()
}

/** For a sign-in that covers the page. @returns ends that */
export function hidePage(): () => void {
  isHidden.set(true)
  return () => isHidden.set(false)
}

export function useOpenDialogs(): readonly OpenDialog[] {
  return useStore(dialogs)
}

/** For the layout: closes a page's dialogs when the page changes, and all dialogs when the operator area is left. */
export function useDialogsOfPage(): void {
  const page = useLocation({ select: ({ pathname }) => pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever the page changes.
  useEffect(() => () => closeDialogsOfPage(), [page])
  useEffect(() => closeAll, [])
}

function closeDialogsOfPage(): void {
  const all = dialogs.get()
  const firstToStay = all.findIndex(({ outlastsPage }) => outlastsPage)
  const ofPage = firstToStay === -1 ? all : all.slice(0, firstToStay)
  for (const { id } of ofPage.toReversed()) closeDialog(id)
}

/** Closes all at once, without fading out, when the operator area is left. */
function closeAll(): void {
  const all = dialogs.get()
  dialogs.set([])
  for (const { onClose } of all) onClose()
}

function forget(id: number): void {
  dialogs.set(dialogs.get().filter((each) => each.id !== id))
}

function setPhase(id: number, phase: OpenDialog['phase']): void {
  dialogs.set(dialogs.get().map((each) => (each.id === id ? { ...each, phase } : each)))
}

interface ShownDialog extends Pick<OpenDialog, 'id' | 'phase'> {
  /** The number of dialogs below this one. */
  level: number
}

export const DialogContext = createContext<ShownDialog | null>(null)

const lowestLayer = 200

/** For the content of a dialog. @returns a function that closes it */
export function useCloseDialog(): () => void {
  const { id } = useShownDialog()
  return useCallback(() => closeDialog(id), [id])
}

/** For the content of a dialog. @returns a function that tells which parameters of the address keep it open */
export function useParametersOfDialog(): () => readonly string[] {
  const { id } = useShownDialog()
  return () => dialogs.get().flatMap((each) => (each.id <= id && each.parameter !== undefined ? [each.parameter] : []))
}

/** For the content of a dialog. @returns whether it is open: neither loading nor closing */
export function useIsDialogOpen(): boolean {
  return useShownDialog().phase === 'open'
}

/**
 * For the frame of a dialog.
 * @param onClose runs on Escape and Close instead of closing the dialog
 * @returns the props of Mantine's `Modal` or `Drawer` that place it among other dialogs
 */
export function useDialogFrame(onClose?: () => void) {
  const { id, phase, level } = useShownDialog()
  const close = useCloseDialog()
  useLayoutEffect(() => showDialog(id), [id])
  useEffect(() => {
    if (onClose !== undefined) insteadOfClosing.set(id, onClose)
    return () => void insteadOfClosing.delete(id)
  }, [id, onClose])
  return {
    opened: phase === 'open',
    onClose: onClose ?? close,
    onExitTransitionEnd: () => removeDialog(id),
    zIndex: lowestLayer + level,
    // `useEscape` closes it.
    closeOnEscape: false,
    // `closeDialog` returns the focus.
    returnFocus: false,
  }
}

/** For the host: Escape closes the topmost dialog, also one that is still loading, but none below a sign-in. */
export function useEscape(): void {
  useEffect(() => {
    const closeTop = (event: KeyboardEvent) => {
      const top = topDialog()
      if (event.key !== 'Escape' || event.isComposing || top === undefined || isHidden.get()) return
      if (hasOwnEscape(event.target)) return
      // Nothing of the page below has asked for this key.
      if (top.phase === 'loading') event.stopPropagation()
      const close = insteadOfClosing.get(top.id) ?? (() => closeDialog(top.id))
      close()
    }
    addEventListener('keydown', closeTop, { capture: true })
    return () => removeEventListener('keydown', closeTop, { capture: true })
  }, [])
}

/** Whether Escape closes something else: a popup, or an open list, which Mantine marks, also before it has the focus. */
function hasOwnEscape(target: EventTarget | null): boolean {
  const isOfList =
    target instanceof Element &&
    target.closest('[data-mantine-stop-propagation="true"], [aria-haspopup][aria-expanded="true"]') !== null
  return isOfList || hasPopup()
}

function useShownDialog(): ShownDialog {
  const shown = use(DialogContext)
  if (shown === null) throw new Error('This is for what `openDialog` opens only.')
  return shown
}
