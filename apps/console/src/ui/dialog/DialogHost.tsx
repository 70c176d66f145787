import { Suspense, useEffect } from 'react'
import { DialogContext, topOf, useOpenDialogs } from './open-dialogs.ts'

/** Draws what `openDialog` has opened, one above the other. Once, in the layout. */
export function DialogHost() {
  const dialogs = useOpenDialogs()
  const top = topOf(dialogs)
  useEffect(() => {
    // Forms in dialogs ask before entries are lost, also when the connection is gone by then.
    void import('./Question.tsx').catch(() => undefined)
  }, [])
  return dialogs.map(({ id, content, phase }, level) => (
    <DialogContext key={id} value={{ id, phase, level, isTop: id === top?.id }}>
      <Suspense>{content}</Suspense>
    </DialogContext>
  ))
}
