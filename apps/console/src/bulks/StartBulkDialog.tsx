import { Button, Loader, Stack, Text, TextInput } from '@mantine/core'
import type { BulkRequest, BulkStart } from '@roomkeeper/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client, useIdempotencyKey } from '#api/client.ts'
import { isSessionEnd, textOf } from '#api/text-of-error.ts'
import { textOfReasons } from '#ui/coded-text.ts'
import { Dialog, DialogFoot } from '#ui/dialog/Dialog.tsx'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { useNumberFormat } from '#ui/format.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { BulkParameters } from './BulkParameters.tsx'
import { BulkRun } from './BulkRunDialog.tsx'
import { atFirst, requestOf } from './bulk-request.ts'
import type { BulkWanted } from './bulk-wanted.ts'
import { WhatIsKept } from './LastBackups.tsx'
import { setLatestBulk } from './latest-bulk.ts'
import { bulkPreflightQuery } from './queries.ts'
import { RoomGroups } from './RoomGroups.tsx'
import { useRoughTime } from './rough-time.ts'

/** Says for which of the selected rooms the action is possible, asks, starts it, and then shows how far it is. */
export function StartBulkDialog(wanted: BulkWanted) {
  const { t } = useTranslation('bulks')
  const number = useNumberFormat()
  const [id, setId] = useState<string | null>(null)
  const title =
    wanted.action === 'move'
      ? t('actions.move.titleOf', { count: wanted.count, n: number.format(wanted.count) })
      : t(`actions.${wanted.action}.title`)
  return <Dialog title={title}>{id === null ? <Ask {...wanted} onStart={setId} /> : <BulkRun id={id} />}</Dialog>
}

function Ask({ action, selection, count: selected, onStart }: BulkWanted & { onStart: (id: string) => void }) {
  const { t } = useTranslation(['bulks', 'app'])
  const roughly = useRoughTime()
  const number = useNumberFormat()
  const close = useCloseDialog()
  const queryClient = useQueryClient()
  const keyOf = useIdempotencyKey()
  const opening = useId()
  const [entries, setEntries] = useState(atFirst)
  const [typed, setTyped] = useState('')
  const request = requestOf({ action, selection }, entries)
  const preflight = useQuery({
    ...bulkPreflightQuery(checkedOf(request) ?? { action: 'backup', selection, parameters: {} }, opening),
    enabled: request !== null,
  })
  const start = useMutation({
    mutationFn: async (body: BulkStart) =>
      (await client.call('startBulk', { body, headers: keyOf(body) })).body.operationId,
    onSuccess: (id) => {
      setLatestBulk({ id, action })
      void queryClient.invalidateQueries({ queryKey: ['bulks'] })
      onStart(id)
    },
    onError: (error) => {
      if (!isSessionEnd(error)) void preflight.refetch()
    },
  })
  const found = request === null ? undefined : preflight.data
  const isPossible = found !== undefined && found.possible > 0
  // Until it is known, and when it is none, the button names as many as are selected.
  const count = isPossible ? found.possible : selected
  const isConfirmed = action !== 'delete' || typed.replace(/\D/g, '') === String(count)
  const impossible = (found?.impossible ?? []).map(({ reason, reasons, count: of, examples }) => ({
    reason: textOfReasons(reasons, reason),
    count: of,
    names: examples,
  }))
  return (
    <Stack gap="sm">
      <BulkParameters action={action} entries={entries} onChange={(change) => setEntries({ ...entries, ...change })} />
      {request !== null && preflight.error !== null && (
        <ProblemAlert title={t('checkFailed')}>{textOf(preflight.error)}</ProblemAlert>
      )}
      {request !== null && preflight.isPending && (
        <Text role="status" c="dimmed">
          <Loader size={14} mr="xs" aria-hidden />
          {t('checking')}
        </Text>
      )}
      {found !== undefined && !isPossible && <Text>{t('nonePossible')}</Text>}
      {isPossible && (
        <>
          <Text>{t(`actions.${action}.question`, { count, n: number.format(count) })}</Text>
          <Text size="sm" c="dimmed">
            {t(`actions.${action}.consequence`)}
          </Text>
          {found.estimatedSeconds !== null && count > 1 && (
            <Text size="sm" c="dimmed">
              {t('takes', { time: roughly(found.estimatedSeconds) })}
            </Text>
          )}
        </>
      )}
      {action === 'delete' && (
        <WhatIsKept
          isWithout={entries.withoutBackup}
          onChoose={(withoutBackup) => {
            setEntries({ ...entries, withoutBackup })
            setTyped('')
          }}
        />
      )}
      {found !== undefined && <RoomGroups title={t('impossible')} groups={impossible} />}
      {action === 'delete' && isPossible && (
        <TextInput
          label={t('typeCount', { count })}
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      {start.error !== null && <ProblemAlert title={t('startRefused')}>{textOf(start.error)}</ProblemAlert>}
      <DialogFoot>
        <Button variant="default" data-autofocus onClick={close}>
          {t('app:cancel')}
        </Button>
        <Button
          {...(action === 'delete' ? { color: 'red' } : {})}
          disabled={!isPossible || request === null || !isConfirmed}
          loading={start.isPending}
          onClick={() =>
            request !== null && found !== undefined && start.mutate({ ...request, expectedTotal: found.total })
          }
        >
          {t(`actions.${action}.confirm`, { count, n: number.format(count) })}
        </Button>
      </DialogFoot>
    </Stack>
  )
}

/** What the check depends on, so that the choice of a backup does not ask for it again. */
function checkedOf(request: BulkRequest | null): BulkRequest | null {
  return request?.action === 'delete' ? { ...request, parameters: { withoutBackup: false } } : request
}
