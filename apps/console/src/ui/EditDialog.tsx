import { useDisclosure } from '@mantine/hooks'
import { useBlocker } from '@tanstack/react-router'
import { createContext, use, useCallback, useLayoutEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { Dialog, type DialogProps } from './Dialog.tsx'

interface Editing {
  setHasChanges: (hasChanges: boolean) => void
  requestClose: () => void
}

const EditingContext = createContext<Editing | null>(null)

/** A dialog whose content can have unsaved changes: it asks before they are lost. See `useUnsavedChanges`. */
export function EditDialog({ children, ...dialog }: DialogProps) {
  const { t } = useTranslation('app')
  const { isOpen, onClose } = dialog
  // Not a state: whoever types and closes at once is asked, although nothing was drawn anew in between.
  const hasChanges = useRef(false)
  useLayoutEffect(() => {
    if (!isOpen) hasChanges.current = false
  }, [isOpen])
  const [isAsking, question] = useDisclosure()
  const requestClose = () => (hasChanges.current ? question.open() : onClose())
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: () => hasChanges.current })
  const setHasChanges = useCallback((now: boolean) => {
    hasChanges.current = now
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: as often as it means something else.
  const editing = useMemo(() => ({ setHasChanges, requestClose }), [onClose])
  return (
    <>
      <Dialog {...dialog} onClose={requestClose}>
        <EditingContext value={editing}>{children}</EditingContext>
      </Dialog>
      <ConfirmDialog
        isOpen={isAsking && isOpen}
        onClose={question.close}
        title={t('unsaved.title')}
        question={t('unsaved.question')}
        confirm={t('unsaved.discard')}
        cancel={t('unsaved.keep')}
        isDangerous
        isPending={false}
        failure={null}
        onConfirm={() => {
          question.close()
          onClose()
        }}
      />
    </>
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
