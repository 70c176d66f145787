import { useQuery } from '@tanstack/react-query'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { useBulkText } from './BulkProgress.tsx'
import { BulkRunDialog } from './BulkRunDialog.tsx'
import { useLatestBulk } from './latest-bulk.ts'
import { bulkQuery } from './queries.ts'

/** Leads back to the bulk that was started last. */
export function LatestBulkButton({ className }: { className: string | undefined }) {
  const latest = useLatestBulk()
  const text = useBulkText()
  const { data } = useQuery({ ...bulkQuery(latest?.id ?? ''), enabled: latest !== null })
  if (latest === null || data === undefined) return null
  return (
    <button
      type="button"
      className={className}
      onClick={() => openDialog(<BulkRunDialog {...latest} />, { outlastsPage: true })}
    >
      {text(data)}
    </button>
  )
}
