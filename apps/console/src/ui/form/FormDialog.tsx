import { useBlocker } from '@tanstack/react-router'
import { createContext, use, useEffectEvent, useLayoutEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { confirm, mayLeaveFor } from '../dialog/confirm.tsx'
import { Dialog, type DialogProps } from '../dialog/Dialog.tsx'
import { isPageHidden, useCloseDialog, useIsDialogOpen, useParametersOfDialog } from '../dialog/open-dialogs.ts'

interface Guard {
  /** Registers a function that says whether entries are unsaved. @returns a function that removes it */
  watch: (isUnsaved: () => boolean) => () => void
  requestClose: () => void
}

interface Address {
  pathname: string
  search: object
}

const GuardContext = createContext<Guard | null>(null)

/** A dialog with a form: it asks before unsaved entries are lost. */
export function FormDialog({ children, ...dialog }: Omit<DialogProps, 'onClose'>) {
  const { t } = useTranslation('app')
  const close = useCloseDialog()
  const isOpen = useIsDialogOpen()
  const watched = useRef(new Set<() => boolean>())
  const isUnsaved = () => [...watched.current].some((each) => each())
  const mayDiscard = () =>
    confirm({
      title: t('unsaved.title'),
      question: t('unsaved.question'),
      confirm: t('unsaved.discard'),
      cancel: t('unsaved.keep'),
      danger: true,
    })
  const requestClose = useEffectEvent(async () => {
    if (!isUnsaved() || (await mayDiscard())) close()
  })
  const parameters = useParametersOfDialog()
  // Another page closes it, and so does an address without its parameter or that of a dialog below it.
  const isClosedBy = (current: Address, next: Address) =>
    current.pathname !== next.pathname || parameters().some((each) => each in current.search && !(each in next.search))
  useBlocker({
    shouldBlockFn: async ({ current, next }) =>
      isOpen &&
      isUnsaved() &&
      isClosedBy(current, next) &&
      (isPageHidden() || !(await mayLeaveFor(next.pathname, mayDiscard))),
    enableBeforeUnload: () => isOpen && isUnsaved(),
  })
  const guard = useMemo<Guard>(
    () => ({
      watch: (each) => {
        watched.current.add(each)
        return () => watched.current.delete(each)
      },
      requestClose: () => void requestClose(),
    }),
    [],
  )
  return (
    <Dialog {...dialog} onClose={guard.requestClose}>
      <GuardContext value={guard}>{children}</GuardContext>
    </Dialog>
  )
}

/**
 * For the content of a FormDialog: says whether closing it now would lose entries. Without effect outside a FormDialog.
 * @returns whether there is a FormDialog that asks
 */
export function useUnsavedEntries(isUnsaved: () => boolean): boolean {
  const guard = use(GuardContext)
  const ask = useEffectEvent(isUnsaved)
  useLayoutEffect(() => guard?.watch(() => ask()), [guard])
  return guard !== null
}

/** For the content of a FormDialog. @returns a function that closes the dialog, after asking if entries are unsaved */
export function useRequestClose(): () => void {
  const guard = use(GuardContext)
  if (guard === null) throw new Error('This is for the content of a FormDialog only.')
  return guard.requestClose
}
