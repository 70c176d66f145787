import { type ReactNode, Suspense, useEffect, useState } from 'react'

interface OnceOpenedProps {
  isOpen: boolean
  /** Loaded on demand; gets whether it is to be shown. */
  children: (isShown: boolean) => ReactNode
}

/** Mounts a dialog or panel when it is opened for the first time, and keeps it then, so that it can close softly. */
export function OnceOpened({ isOpen, children }: OnceOpenedProps) {
  const [hasBeenOpen, setHasBeenOpen] = useState(isOpen)
  if (isOpen && !hasBeenOpen) setHasBeenOpen(true)
  if (!hasBeenOpen) return null
  return (
    <Suspense>
      <ClosedAtFirst isOpen={isOpen}>{children}</ClosedAtFirst>
    </Suspense>
  )
}

/** Only a dialog that was there before it opened knows where the focus was, and gives it back. */
function ClosedAtFirst({ isOpen, children }: OnceOpenedProps) {
  const [isMounted, setIsMounted] = useState(false)
  useEffect(() => setIsMounted(true), [])
  return children(isOpen && isMounted)
}
