import { Suspense } from 'react'
import { onDemand } from '#ui/on-demand.tsx'

const Loaded = onDemand(async () => ({ default: (await import('./LatestBulk.tsx')).LatestBulk }))

/** Leads back to the bulk that was started last. Loaded when there is one, and only it waits for that. */
export function LatestBulk({ className }: { className: string | undefined }) {
  return (
    <Suspense>
      <Loaded className={className} />
    </Suspense>
  )
}
