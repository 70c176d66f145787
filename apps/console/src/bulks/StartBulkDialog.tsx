import { Loader, Text } from '@mantine/core'
import { type BulkPreflight, type BulkRequest, type BulkStart, bulkParameters } from '@roomkeeper/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client, useIdempotencyKey } from '#api/client.ts'
import { isSessionEnd, textOf, textOfReasons } from '#locales/error-texts.ts'
import { PinnedNotes } from '#notes/index.ts'
import { processName } from '#operations/index.ts'
import { TextField } from '#ui/form/Fields.tsx'
import { DialogButtons, Form, FormFailure } from '#ui/form/Form.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import type { FormErrors } from '#ui/form/resource-form.ts'
import { useResourceForm } from '#ui/form/use-resource-form.ts'
import { useNumberFormat } from '#ui/format.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { BulkParameters, DeletionBackupOption } from './BulkParameters.tsx'
import { useBulkTitle } from './BulkProgress.tsx'
import { BulkRun } from './BulkRunDialog.tsx'
import { type BulkWanted, type Entries, initialEntries, parametersOf, requestOf } from './bulk-form.ts'
import { setLatestBulk } from './latest-bulk.ts'
import { bulkPreflightQuery } from './queries.ts'
import { RoomGroups } from './RoomGroups.tsx'
import { RoomNames } from './RoomNames.tsx'
import { useRoughTime } from './rough-time.ts'

/** Says for which of the selected rooms the action is possible, asks, starts it, and then shows how far it is. */
export function StartBulkDialog(wanted: BulkWanted) {
  const [id, setId] = useState<string | null>(null)
  return (
    <FormDialog title={useTitle(wanted)}>
      {id === null ? <BulkQuestion wanted={wanted} onStart={setId} /> : <BulkRun id={id} />}
    </FormDialog>
  )
}

/** Names the one room, or how many there are. */
function useTitle(wanted: BulkWanted): string {
  const { t } = useTranslation('bulks')
  const number = useNumberFormat()
  const titleOf = useBulkTitle()
  const { action, count } = wanted
  const [name, ...others] = namesIn(wanted)
  if (name !== undefined && others.length === 0) return t(`actions.${action}.titleOfOne`, { name })
  return action === 'move' ? t('actions.move.titleOf', { count, n: number.format(count) }) : titleOf(action, count)
}

/** The selected rooms, unless they are those that match a query. */
function namesIn({ selection }: BulkWanted): readonly string[] {
  return 'rooms' in selection ? selection.rooms : []
}

interface BulkQuestionProps {
  wanted: BulkWanted
  onStart: (id: string) => void
}

function BulkQuestion({ wanted, onStart }: BulkQuestionProps) {
  const { t } = useTranslation('bulks')
  const roughly = useRoughTime()
  const number = useNumberFormat()
  const { action, selection } = wanted
  const opening = useId()
  const form = useBulkForm(wanted, opening, onStart)
  const request = requestOf(wanted, parametersOf(action, form.values))
  const preflight = useQuery({
    ...bulkPreflightQuery(request ?? { action: 'backup', selection, parameters: {} }, opening),
    enabled: request !== null,
  })
  const found = request === null ? undefined : preflight.data
  const isPossible = found !== undefined && found.possible > 0
  // Until it is known, and when it is none, the button names as many as are selected.
  const count = isPossible ? found.possible : wanted.count
  const impossible = (found?.impossible ?? []).map(({ reason, reasons, count: of, examples }) => ({
    reason: textOfReasons(reasons, reason),
    count: of,
    names: examples,
  }))
  const retries = (found?.retries ?? []).map(
    (each) => `${number.format(each.count)} × ${processName(each.processType)}`,
  )
  const deletions = found?.retries.find(({ processType }) => processType === 'Delete PR')?.count ?? 0
  const names = namesIn(wanted)
  // Without them it is not known for which rooms the action is possible; those of other actions are options.
  const needsParameters = requestOf(wanted, parametersOf(action, initialEntries)) === null
  return (
    <Form form={form}>
      {names.length > 1 && <RoomNames names={names} />}
      {needsParameters && <BulkParameters {...wanted} />}
      {request !== null && preflight.error !== null && (
        <ProblemAlert title={t('checkFailed')}>{textOf(preflight.error)}</ProblemAlert>
      )}
      {request !== null && preflight.isFetching && (
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
            {t(`actions.${action}.consequence`, { count })}
          </Text>
          {retries.length > 0 && <Text size="sm">{retries.join(' · ')}</Text>}
          {deletions > 0 && (
            <ProblemAlert kind="warning">
              {t('deletionsGoOn', { count: deletions, n: number.format(deletions) })}
            </ProblemAlert>
          )}
          {found.estimatedSeconds !== null && count > 1 && (
            <Text size="sm" c="dimmed">
              {t('takes', { time: roughly(found.estimatedSeconds) })}
            </Text>
          )}
          {found.mails > 0 && (
            <Text size="sm" c="dimmed">
              {t('mails', { count: found.mails, n: number.format(found.mails) })}
            </Text>
          )}
        </>
      )}
      {found !== undefined && <PinnedNotes notes={found.pinnedNotes} rooms={found.withPinnedNotes} />}
      {!needsParameters && <BulkParameters {...wanted} />}
      {action === 'delete' && (
        <DeletionBackupOption
          isWithout={form.values.withoutBackup}
          onChoose={(withoutBackup) => form.set({ withoutBackup, typedCount: '' })}
        />
      )}
      {found !== undefined && <RoomGroups title={t('impossible')} groups={impossible} />}
      {action === 'delete' && isPossible && (
        <TextField name="typedCount" label={t('typeCount', { count })} inputMode="numeric" autoComplete="off" />
      )}
      <FormFailure title={t('startRefused')} />
      <DialogButtons
        submit={t(`actions.${action}.confirm`, { count, n: number.format(count) })}
        danger={action === 'delete' || action === 'suspend' || deletions > 0}
      />
    </Form>
  )
}

/** @param opening tells one opening of the dialog from the next */
function useBulkForm(wanted: BulkWanted, opening: string, onStart: (id: string) => void) {
  const { t } = useTranslation('bulks')
  const queryClient = useQueryClient()
  const keyOf = useIdempotencyKey()
  const { action } = wanted
  const queryKeyOf = (request: BulkRequest) => bulkPreflightQuery(request, opening).queryKey
  const preflightOf = (parameters: object): BulkPreflight | undefined => {
    const request = requestOf(wanted, parameters)
    return request === null ? undefined : queryClient.getQueryData(queryKeyOf(request))
  }
  const isBeingChecked = (parameters: object): boolean => {
    const request = requestOf(wanted, parameters)
    return request !== null && queryClient.getQueryState(queryKeyOf(request))?.fetchStatus === 'fetching'
  }
  return useResourceForm({
    initial: { ...initialEntries, whenRegionIsBack: wanted.whenRegionIsBack === true },
    bodyOf: (entries: Entries) => parametersOf(action, entries),
    schema: bulkParameters[action],
    pathOf: (field) => field.replace(/^parameters\./, ''),
    checks: (entries): FormErrors => {
      const count = preflightOf(parametersOf(action, entries))?.possible ?? wanted.count
      const isConfirmed = action !== 'delete' || entries.typedCount.replace(/\D/g, '') === String(count)
      return isConfirmed ? {} : { typedCount: t('typeCount', { count }) }
    },
    whyNot: (entries) => {
      const parameters = parametersOf(action, entries)
      // What is wrong with the parameters says more.
      if (requestOf(wanted, parameters) === null) return null
      const found = preflightOf(parameters)
      if (found === undefined || isBeingChecked(parameters)) return t('checking')
      return found.possible === 0 ? t('nonePossible') : null
    },
    endsWithSuccess: true,
    submit: async (parameters) => {
      const { total: expectedTotal = 0, selectionDigest } = preflightOf(parameters) ?? {}
      const seen = { expectedTotal, selectionDigest: selectionDigest ?? undefined }
      const body = { action, selection: wanted.selection, parameters, ...seen } as BulkStart
      return (await client.call('startBulk', { body, headers: keyOf(body) })).body.operationId
    },
    onSuccess: (id) => {
      setLatestBulk({ id, action })
      void queryClient.invalidateQueries({ queryKey: ['bulks'] })
      onStart(id)
    },
    onError: (error) => {
      if (!isSessionEnd(error)) void queryClient.refetchQueries({ queryKey: ['bulks', 'preflight', opening] })
    },
  })
}
