import { Suspense } from 'react'
import { DialogContext } from './dialog-context.ts'
import { topOf, useOpenDialogs } from './open-dialogs.ts'

/** Draws what `openDialog` has opened, one above the other. Once, in the layout. */
export function DialogHost() {
  const dialogs = useOpenDialogs()
  const top = topOf(dialogs)
  return dialogs.map(({ id, content, phase }, level) => (
    <DialogContext key={id} value={{ id, phase, level, isTop: id === top?.id }}>
      <Suspense>{content}</Suspense>
    </DialogContext>
  ))
}
