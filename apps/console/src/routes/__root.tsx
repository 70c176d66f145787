import { createRootRoute, Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useStore } from '#store.ts'
import { ErrorBoundary } from '#ui/ErrorBoundary.tsx'
import { FullScreenSpinner } from '#ui/FullScreenSpinner.tsx'
import { onDemand } from '#ui/on-demand.tsx'
import { toastHasCome } from '#ui/toast.ts'

const ToastHost = onDemand(() => import('#ui/ToastHost.tsx'), 'ToastHost')

export const Route = createRootRoute({ component: Root })

function Root() {
  const hasToasts = useStore(toastHasCome)
  return (
    <>
      <Suspense fallback={<FullScreenSpinner />}>
        <Outlet />
      </Suspense>
      {hasToasts && (
        <ErrorBoundary>
          <Suspense>
            <ToastHost />
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  )
}
