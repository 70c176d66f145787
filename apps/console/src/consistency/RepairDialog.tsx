import { Button, Group, Loader, Text } from '@mantine/core'
import type { Finding, Repair, RepairPreview } from '@roomkeeper/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { useIdempotencyKey } from '#api/idempotency.ts'
import { textOf } from '#api/text-of-error.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { formatDay } from '#ui/day.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import tables from '#ui/Table.module.css'
import { toastSuccess } from '#ui/toast.ts'
import classes from './Consistency.module.css'
import { previewQuery } from './queries.ts'
import { useFieldNames, useFindingText } from './use-finding-text.ts'

interface RepairDialogProps {
  isOpen: boolean
  onClose: () => void
  finding: Finding
  repair: Repair
}

/** Says what a repair would change, as the regions answer now, and starts it when that is wished. */
export function RepairDialog({ isOpen, ...rest }: RepairDialogProps) {
  const { t } = useTranslation('consistency')
  const { finding, repair, onClose } = rest
  const subject =
    finding.projectRoomName ?? finding.regionName ?? String(finding.facts.what ?? finding.facts.room ?? '')
  const title = t('repairTitle', { repair: t(`repairs.${repair}`), subject })
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title} width="most" closesOutside>
      <Question {...rest} />
    </Dialog>
  )
}

function Question({ finding, repair, onClose }: Omit<RepairDialogProps, 'isOpen'>) {
  const { t } = useTranslation('consistency')
  const { text } = useFindingText()(finding)
  const keyOf = useIdempotencyKey()
  const queryClient = useQueryClient()
  const preview = useQuery(previewQuery(finding.id, repair))
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => {
      const body = { repair }
      return client.call('repairFinding', { params: { id: finding.id }, body, headers: keyOf(body) })
    },
    onSuccess: () => {
      toastSuccess(t(`repairs.${repair}`), t('repairAccepted'))
      onClose()
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['doctor', 'findings'] }),
  })
  const failure = error ?? preview.error
  const reason = failure === null ? (preview.data?.reason ?? null) : textOf(failure)
  return (
    <>
      <Text>{text}</Text>
      <Text size="sm" c="dimmed" mt="xs">
        {t(`effects.${repair}`, { region: finding.regionName ?? '' })}
      </Text>
      {preview.isPending && (
        <Group gap="xs" mt="md" role="status">
          <Loader size="xs" aria-hidden />
          <Text size="sm">{t('looking')}</Text>
        </Group>
      )}
      {preview.data !== undefined && preview.data.changes.length > 0 && <Changes changes={preview.data.changes} />}
      {reason !== null && (
        <ProblemAlert mt="md" kind={failure === null ? 'warning' : 'error'} title={t('impossible')}>
          {reason}
        </ProblemAlert>
      )}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" data-autofocus onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button
          {...(repair === 'remove-copy' ? { color: 'red' } : {})}
          disabled={preview.data === undefined || preview.data.reason !== null}
          loading={isPending}
          onClick={() => mutate()}
        >
          {t(`repairs.${repair}`)}
        </Button>
      </Group>
    </>
  )
}

function Changes({ changes }: Pick<RepairPreview, 'changes'>) {
  const { t } = useTranslation('consistency')
  const nameOf = useFieldNames()
  const shown = (value: unknown) => {
    if (value === null || value === undefined) return t('nothing')
    if (typeof value === 'object') return listed(value)
    return isDay(value) ? formatDay(value) : String(value)
  }
  return (
    <div className={classes.changes}>
      <table className={tables.table} aria-label={t('wouldChange')}>
        <caption>{t('wouldChange')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('field')}</th>
            <th scope="col">{t('from')}</th>
            <th scope="col">{t('to')}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ field, from, to }) => (
            <tr key={field}>
              <th scope="row" className={tables.noWrap}>
                {nameOf(field)}
              </th>
              <td>{shown(from)}</td>
              <td>{shown(to)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function isDay(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)
}

/** The values of a list or of a record, without its punctuation. */
function listed(value: object): string {
  const parts = Array.isArray(value)
    ? value.map((each) => (typeof each === 'object' ? listed(each) : String(each)))
    : []
  if (Array.isArray(value)) return parts.join('; ')
  return Object.values(value)
    .filter((each) => each !== null && each !== '')
    .join(' ')
}
