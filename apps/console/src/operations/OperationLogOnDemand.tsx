import { type ComponentProps, Suspense } from 'react'
import { onDemand } from '#ui/on-demand.tsx'
import type { OperationLog as Log } from './OperationLog.tsx'

const Loaded = onDemand(async () => ({ default: (await import('./OperationLog.tsx')).OperationLog }))

/** The log of an operation. Loaded when one is opened, and only it waits for that. */
export function OperationLog(props: ComponentProps<typeof Log>) {
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  )
}
