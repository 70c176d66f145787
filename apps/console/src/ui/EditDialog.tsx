import { useBlocker } from '@tanstack/react-router'
import { createContext, use, useCallback, useLayoutEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { confirm } from './dialog/confirm.tsx'
import { Dialog, type DialogProps } from './dialog/Dialog.tsx'
import { useCloseDialog, useIsDialogOpen } from './dialog/dialog-context.ts'

interface Editing {
  setHasChanges: (hasChanges: boolean) => void
  requestClose: () => void
}

const EditingContext = createContext<Editing | null>(null)

/** A dialog whose content can have unsaved changes: it asks before they are lost. See `useUnsavedChanges`. */
export function EditDialog({ children, ...dialog }: Omit<DialogProps, 'onClose'>) {
  const { t } = useTranslation('app')
  const close = useCloseDialog()
  const isOpen = useIsDialogOpen()
  // Not a state: whoever types and closes at once is asked, although nothing was drawn anew in between.
  const hasChanges = useRef(false)
  const mayDiscard = () =>
    confirm({
      title: t('unsaved.title'),
      question: t('unsaved.question'),
      confirm: t('unsaved.discard'),
      cancel: t('unsaved.keep'),
      danger: true,
    })
  const requestClose = async () => {
    if (!hasChanges.current || (await mayDiscard())) close()
  }
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: () => hasChanges.current && isOpen })
  const setHasChanges = useCallback((now: boolean) => {
    hasChanges.current = now
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: as often as it means something else.
  const editing = useMemo(() => ({ setHasChanges, requestClose: () => void requestClose() }), [close])
  return (
    <Dialog {...dialog} onClose={editing.requestClose}>
      <EditingContext value={editing}>{children}</EditingContext>
    </Dialog>
  )
}

/** For the content of an EditDialog: whether closing it would lose something. */
export function useUnsavedChanges(hasChanges: boolean): void {
  const { setHasChanges } = useEditing()
  useLayoutEffect(() => setHasChanges(hasChanges), [setHasChanges, hasChanges])
}

/** For the content of an EditDialog. @returns closes the dialog, after asking when there are unsaved changes. */
export function useRequestClose(): () => void {
  return useEditing().requestClose
}

function useEditing(): Editing {
  const editing = use(EditingContext)
  if (editing === null) throw new Error('This is for the content of an EditDialog only.')
  return editing
}
