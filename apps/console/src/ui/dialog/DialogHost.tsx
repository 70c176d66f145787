import { Suspense, useEffect } from 'react'
import { ErrorBoundary } from '../ErrorBoundary.tsx'
import { toastLoadFailed } from '../on-demand.tsx'
import { loadQuestion } from './confirm.tsx'
import { DialogContext, removeDialog, useEscape, useOpenDialogs } from './open-dialogs.ts'

/** Renders the dialogs that `openDialog` has opened, one above another. Used once, in the layout. */
export function DialogHost() {
  const dialogs = useOpenDialogs()
  useEscape()
  // Forms in dialogs ask before entries are lost.
  useEffect(loadQuestion, [])
  return dialogs.map(({ id, content, phase }, level) => (
    <DialogContext key={id} value={{ id, phase, level }}>
      <ErrorBoundary
        onError={() => {
          removeDialog(id)
          toastLoadFailed()
        }}
      >
        <Suspense>{content}</Suspense>
      </ErrorBoundary>
    </DialogContext>
  ))
}
