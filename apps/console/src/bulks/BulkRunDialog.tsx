import { Button, Text } from '@mantine/core'
import type { Bulk } from '@roomkeeper/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isSessionEnd, textOf, textOfReasons } from '#locales/error-texts.ts'
import { Dialog, DialogFoot } from '#ui/dialog/Dialog.tsx'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { useNumberFormat } from '#ui/format.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { BulkProgress, useBulkTitle } from './BulkProgress.tsx'
import { type LatestBulk, setLatestBulk } from './latest-bulk.ts'
import { CancelBulk } from './ManageBulk.tsx'
import { bulkItemsQuery, useBulk } from './queries.ts'
import { RoomGroups } from './RoomGroups.tsx'

/** How far the bulk is that was just started. It goes on when the dialog, and the tab, are closed. */
export function BulkRunDialog({ id, action }: LatestBulk) {
  const titleOf = useBulkTitle()
  const { data } = useBulk(id)
  return (
    <Dialog title={titleOf(action, data?.total ?? 0)}>
      <BulkRun id={id} />
    </Dialog>
  )
}

export function BulkRun({ id }: { id: string }) {
  const { t } = useTranslation(['bulks', 'app'])
  const { data: bulk, error } = useBulk(id)
  const close = useCloseDialog()
  const dismiss = () => {
    close()
    if (bulk !== undefined && bulk.endedAt !== null) setLatestBulk(null)
  }
  return (
    <>
      {error !== null && !isSessionEnd(error) && <ProblemAlert title={t('failed')}>{textOf(error)}</ProblemAlert>}
      {bulk !== undefined && (
        <>
          <BulkProgress bulk={bulk} />
          <NotDone bulk={bulk} />
        </>
      )}
      <DialogFoot>
        <Button
          component={Link}
          to="/project/bulk/$id"
          params={{ id } as never}
          variant="subtle"
          mr="auto"
          onClick={close}
        >
          {t('open')}
        </Button>
        {bulk !== undefined && bulk.endedAt === null && (
          <Text size="sm" c="dimmed">
            {t('goesOn')}
          </Text>
        )}
        {bulk !== undefined && <CancelBulk bulk={bulk} />}
        <Button data-autofocus onClick={dismiss}>
          {t('app:close')}
        </Button>
      </DialogFoot>
    </>
  )
}

/** The screen of the bulk has all. */
const maxRoomsPerState = 20
const maxReasons = 5

/** The first rooms that failed or were skipped, by the reason. */
function NotDone({ bulk }: { bulk: Bulk }) {
  const { t } = useTranslation('bulks')
  const number = useNumberFormat()
  const count = bulk.counts.FAILED + bulk.counts.SKIPPED
  const failed = useQuery({
    ...bulkItemsQuery(bulk.id, { page: 0, size: maxRoomsPerState, state: 'FAILED' }),
    enabled: bulk.counts.FAILED > 0,
  })
  const skipped = useQuery({
    ...bulkItemsQuery(bulk.id, { page: 0, size: maxRoomsPerState, state: 'SKIPPED' }),
    enabled: bulk.counts.SKIPPED > 0,
  })
  if (count === 0) return null
  const groups = new Map<string, string[]>()
  for (const { projectRoomName, reason, reasons } of [...(failed.data?.data ?? []), ...(skipped.data?.data ?? [])]) {
    const text = textOfReasons(reasons, reason) ?? t('noReason')
    groups.set(text, [...(groups.get(text) ?? []), projectRoomName])
  }
  const title = t(`actions.${bulk.action}.refused`, { count, n: number.format(count) })
  return (
    <RoomGroups
      title={title}
      groups={[...groups].slice(0, maxReasons).map(([reason, names]) => ({ reason, names, count: names.length }))}
    />
  )
}
