import { Suspense, useEffect } from 'react'
import { Boundary } from '../Boundary.tsx'
import { tellPartFailed } from '../on-demand.tsx'
import { DialogContext, removeDialog, topOf, useOpenDialogs } from './open-dialogs.ts'

/** Renders the dialogs that `openDialog` has opened, one above another. Used once, in the layout. */
export function DialogHost() {
  const dialogs = useOpenDialogs()
  const top = topOf(dialogs)
  useEffect(() => {
    // Loaded early: forms in dialogs ask before entries are lost, even if the connection is lost by then.
    void import('./Question.tsx').catch(() => undefined)
  }, [])
  return dialogs.map(({ id, content, phase }, level) => (
    <DialogContext key={id} value={{ id, phase, level, isTop: id === top?.id }}>
      <Boundary
        onError={() => {
          removeDialog(id)
          tellPartFailed()
        }}
      >
        <Suspense>{content}</Suspense>
      </Boundary>
    </DialogContext>
  ))
}
