import { createRootRoute, Outlet } from '@tanstack/react-router'
import { Suspense, useSyncExternalStore } from 'react'
import { Boundary } from '#ui/Boundary.tsx'
import { FullScreenSpinner } from '#ui/FullScreenSpinner.tsx'
import { onDemand } from '#ui/on-demand.tsx'
import { firstToast } from '#ui/toast.ts'

const ToastHost = onDemand(async () => ({ default: (await import('#ui/ToastHost.tsx')).ToastHost }))

export const Route = createRootRoute({ component: Root })

function Root() {
  const toastHasCome = useSyncExternalStore(firstToast.subscribe, firstToast.hasCome)
  return (
    <>
      <Suspense fallback={<FullScreenSpinner />}>
        <Outlet />
      </Suspense>
      {toastHasCome && (
        <Boundary>
          <Suspense>
            <ToastHost />
          </Suspense>
        </Boundary>
      )}
    </>
  )
}
