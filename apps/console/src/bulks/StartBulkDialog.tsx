import { Button, Checkbox, Loader, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { BulkAction, BulkRequest, BulkStart } from '@roomkeeper/contract'
import { dayInUtc } from '@roomkeeper/rules'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client, useIdempotencyKey } from '#api/client.ts'
import { regionsQuery } from '#api/queries.ts'
import { isSessionEnd, textOf } from '#api/text-of-error.ts'
import { formatDuration } from '#operations/index.ts'
import { textOfReasons } from '#ui/coded-text.ts'
import { DayInput } from '#ui/DayInput.tsx'
import { parseDay } from '#ui/day.ts'
import { Dialog, DialogFoot } from '#ui/dialog/Dialog.tsx'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { useNumberFormat } from '#ui/format.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { BulkRun } from './BulkRunDialog.tsx'
import type { BulkWanted } from './bulk-wanted.ts'
import { WhatIsKept, WithoutBackup } from './LastBackups.tsx'
import { setLatestBulk } from './latest-bulk.ts'
import { bulkPreflightQuery } from './queries.ts'
import { RoomGroups } from './RoomGroups.tsx'

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

/** What the operator has entered so far; which of it counts depends on the action. */
interface Entries {
  userNotification: boolean
  withoutBackup: boolean
  targetRegion: number | null
  skipActiveSessions: boolean
  day: string
  subject: string
  text: string
}

const atFirst: Entries = {
  userNotification: true,
  withoutBackup: false,
  targetRegion: null,
  skipActiveSessions: false,
  day: '',
  subject: '',
  text: '',
}

/** Null while something is missing. */
function requestOf(
  { action, selection }: Pick<BulkWanted, 'action' | 'selection'>,
  entries: Entries,
): BulkRequest | null {
  const { userNotification, withoutBackup, targetRegion, skipActiveSessions, subject, text } = entries
  switch (action) {
    case 'suspend':
    case 'resume':
      return { action, selection, parameters: { userNotification } }
    case 'delete':
      return { action, selection, parameters: { withoutBackup } }
    case 'move':
      return targetRegion === null ? null : { action, selection, parameters: { targetRegion, skipActiveSessions } }
    case 'extend': {
      const expirationDate = parseDay(entries.day)
      return expirationDate === null ? null : { action, selection, parameters: { expirationDate } }
    }
    case 'notify':
      return text.trim() === '' ? null : { action, selection, parameters: { subject, text } }
    default:
      return { action, selection, parameters: {} }
  }
}

function Ask({ action, selection, onStart }: BulkWanted & { onStart: (id: string) => void }) {
  const { t, i18n } = useTranslation(['bulks', 'app'])
  const number = useNumberFormat()
  const close = useCloseDialog()
  const queryClient = useQueryClient()
  const keyOf = useIdempotencyKey()
  const opening = useId()
  const [entries, setEntries] = useState(atFirst)
  const request = requestOf({ action, selection }, entries)
  const preflight = useQuery({
    ...bulkPreflightQuery(request ?? { action: 'backup', selection, parameters: {} }, opening),
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
  const count = found?.possible ?? 0
  const impossible = (found?.impossible ?? []).map(({ reason, reasons, count: of, examples }) => ({
    reason: textOfReasons(reasons, reason),
    count: of,
    names: examples,
  }))
  return (
    <Stack gap="sm">
      <Parameters action={action} entries={entries} onChange={(change) => setEntries({ ...entries, ...change })} />
      {request !== null && preflight.error !== null && (
        <ProblemAlert title={t('checkFailed')}>{textOf(preflight.error)}</ProblemAlert>
      )}
      {request !== null && preflight.isPending && (
        <Text role="status" c="dimmed">
          <Loader size={14} mr="xs" aria-hidden />
          {t('checking')}
        </Text>
      )}
      {found !== undefined && (
        <>
          <Text>{t(`actions.${action}.question`, { count, n: number.format(count) })}</Text>
          <Text size="sm" c="dimmed">
            {t(`actions.${action}.consequence`)}
          </Text>
          {action === 'delete' && !entries.withoutBackup && <WhatIsKept />}
          {found.estimatedSeconds !== null && count > 1 && (
            <Text size="sm" c="dimmed">
              {t('takes', { time: formatDuration(found.estimatedSeconds * 1000, i18n.language) })}
            </Text>
          )}
          <RoomGroups title={t('impossible')} groups={impossible} />
        </>
      )}
      {start.error !== null && <ProblemAlert title={t('startRefused')}>{textOf(start.error)}</ProblemAlert>}
      <DialogFoot>
        <Button variant="default" data-autofocus onClick={close}>
          {t('app:cancel')}
        </Button>
        <Button
          {...(action === 'delete' ? { color: 'red' } : {})}
          disabled={count === 0 || request === null}
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

interface ParametersProps {
  action: BulkAction
  entries: Entries
  onChange: (change: Partial<Entries>) => void
}

/** What the action needs besides the rooms. */
function Parameters({ action, entries, onChange }: ParametersProps) {
  const { t } = useTranslation('bulks')
  switch (action) {
    case 'suspend':
    case 'resume':
      return (
        <Checkbox
          label={t('fields.userNotification')}
          checked={entries.userNotification}
          onChange={(event) => onChange({ userNotification: event.currentTarget.checked })}
        />
      )
    case 'delete':
      return (
        <WithoutBackup
          checked={entries.withoutBackup}
          onChange={(event) => onChange({ withoutBackup: event.currentTarget.checked })}
        />
      )
    case 'move':
      return (
        <>
          <TargetSelect value={entries.targetRegion} onChange={(targetRegion) => onChange({ targetRegion })} />
          <Checkbox
            label={t('fields.skipActiveSessions')}
            description={t('fields.skipActiveSessionsHint')}
            checked={entries.skipActiveSessions}
            onChange={(event) => onChange({ skipActiveSessions: event.currentTarget.checked })}
          />
        </>
      )
    case 'extend':
      return (
        <DayInput
          label={t('fields.expirationDate')}
          placeholder={t('fields.dayPlaceholder')}
          withAsterisk
          value={entries.day}
          onChange={(day) => onChange({ day })}
          earliest={dayInUtc(new Date())}
          calendarLabel={t('fields.calendar')}
          openLabel={t('fields.openCalendar')}
        />
      )
    case 'notify':
      return (
        <>
          <TextInput
            label={t('fields.subject')}
            description={t('fields.subjectHint')}
            maxLength={200}
            value={entries.subject}
            onChange={(event) => onChange({ subject: event.currentTarget.value })}
          />
          <Textarea
            label={t('fields.text')}
            withAsterisk
            autosize
            minRows={4}
            maxRows={12}
            maxLength={10_000}
            value={entries.text}
            onChange={(event) => onChange({ text: event.currentTarget.value })}
          />
        </>
      )
    default:
      return null
  }
}

function TargetSelect({ value, onChange }: { value: number | null; onChange: (id: number) => void }) {
  const { t } = useTranslation('bulks')
  const { data: regions = [], error } = useQuery(regionsQuery)
  return (
    <Select
      label={t('fields.targetRegion')}
      withAsterisk
      searchable
      allowDeselect={false}
      comboboxProps={{ keepMounted: false }}
      placeholder={t('fields.pleaseSelect')}
      nothingFoundMessage={t('fields.noRegion')}
      data={regions
        .filter(({ state }) => state === 'enabled')
        .map(({ regionId, regionName }) => ({ value: String(regionId), label: regionName }))}
      value={value === null ? null : String(value)}
      onChange={(id) => id !== null && onChange(Number(id))}
      {...(error === null ? {} : { error: textOf(error) })}
    />
  )
}
