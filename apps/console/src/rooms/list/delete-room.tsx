import { Checkbox, Stack, Text } from '@mantine/core'
import type { ProjectRoom } from '@roomkeeper/contract'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { keepDaysQuery } from '#api/queries.ts'
import { textOf } from '#locales/error-texts.ts'
import { PinnedNotes } from '#notes/index.ts'
import { toastAccepted } from '#operations/index.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { formatDayIn } from '#ui/format.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { DeletedLink } from '../deleted/DeletedLink.tsx'

/** @returns a function that deletes a room after asking; stable, so that rows are not rendered again */
export function useDeleteRoom() {
  const { t } = useTranslation('rooms')
  const queryClient = useQueryClient()
  return useCallback((room: ProjectRoom) => deleteRoom(room, t, queryClient), [t, queryClient])
}

async function deleteRoom(room: ProjectRoom, t: TFunction<'rooms'>, queryClient: QueryClient): Promise<void> {
  const { tenantName: name, pinnedNotes } = room
  const body = { roomName: name, withoutBackup: false }
  const afterDone = () => {
    const days = queryClient.getQueryData(keepDaysQuery.queryKey) ?? 0
    return days > 0 && !body.withoutBackup ? <DeletedLink name={name}>{t('delete.bringBack')}</DeletedLink> : null
  }
  await confirm({
    title: t('delete.title'),
    question: t('delete.question', { name }),
    consequence: t('delete.consequence'),
    details: (
      <>
        <PinnedNotes mt="md" notes={pinnedNotes} />
        <DeletionBackupOption
          onChoose={(withoutBackup) => {
            body.withoutBackup = withoutBackup
          }}
        />
      </>
    ),
    confirm: t('delete.confirm'),
    danger: true,
    failed: t('delete.failed'),
    run: async () => {
      const { operationId } = (await client.call('deleteRoom', { body })).body
      toastAccepted(operationId, {
        title: t('delete.accepted.title'),
        text: t('delete.accepted.text', { name }),
        ends: { done: t('delete.done', { name }), afterDone: afterDone() ?? undefined },
      })
      void queryClient.invalidateQueries({ queryKey: ['rooms'] })
    },
  })
}

/** For the question before a deletion: until when the room can come back, and whether it is to do without. */
function DeletionBackupOption({ onChoose }: { onChoose: (withoutBackup: boolean) => void }) {
  const { t } = useTranslation('rooms')
  const { data: days, error } = useQuery(keepDaysQuery)
  const [isWithout, setIsWithout] = useState(false)
  if (error !== null) {
    return (
      <ProblemAlert kind="warning" mt="md" title={t('delete.keptUnknown')}>
        {textOf(error)}
      </ProblemAlert>
    )
  }
  return (
    // As high as what is said when it is known: the buttons below must not move.
    <Stack gap="xs" mt="xs" mih={72} aria-live="polite">
      <Text size="sm" c="dimmed">
        {days !== undefined && <Kept days={days} isWithout={isWithout} />}
      </Text>
      {days !== undefined && days > 0 && (
        <Checkbox
          label={t('delete.withoutBackup')}
          checked={isWithout}
          onChange={({ currentTarget: { checked } }) => {
            setIsWithout(checked)
            onChoose(checked)
          }}
        />
      )}
    </Stack>
  )
}

function Kept({ days: count, isWithout }: { days: number; isWithout: boolean }) {
  const { t } = useTranslation('rooms')
  if (count === 0) return t('delete.keepsNone')
  return isWithout ? t('delete.notKept') : t('delete.kept', { count, day: formatDayIn(count) })
}
