import { createContext, use, useCallback, useLayoutEffect } from 'react'
import { closeDialog, type OpenDialog, removeDialog, showDialog } from './open-dialogs.ts'

export interface ShownDialog extends Pick<OpenDialog, 'id' | 'phase'> {
  /** How many dialogs lie below. */
  level: number
  /** The topmost dialog gets the keys. */
  isTop: boolean
}

export const DialogContext = createContext<ShownDialog | null>(null)

/** Keys that closed a dialog; no other one closes by them. */
const handledEscapes = new WeakSet<KeyboardEvent>()

const lowestLayer = 200

/** For the content of a dialog. @returns closes it */
export function useCloseDialog(): () => void {
  const { id } = useShownDialog()
  return useCallback(() => closeDialog(id), [id])
}

/** For the content of a dialog. @returns whether it is neither still loading nor closing */
export function useIsDialogOpen(): boolean {
  return useShownDialog().phase === 'open'
}

/** For what draws the frame of a dialog: the properties of Mantine's `Modal` and `Drawer` that place it among others. */
export function useDialogFrame() {
  const { id, phase, level, isTop } = useShownDialog()
  useLayoutEffect(() => showDialog(id), [id])
  return {
    opened: phase === 'open',
    onClose: useCloseDialog(),
    onExitTransitionEnd: () => removeDialog(id),
    zIndex: lowestLayer + level,
    closeOnEscape: isTop,
    // `closeDialog` does it.
    returnFocus: false,
    __handledEscapeEvents: handledEscapes,
  }
}

function useShownDialog(): ShownDialog {
  const shown = use(DialogContext)
  if (shown === null) throw new Error('This is for what `openDialog` opens only.')
  return shown
}
