import { Button, Group, Loader, Text } from '@mantine/core'
import type { Finding, FindingKind, Repair, RepairPreview } from '@roomkeeper/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client, useIdempotencyKey } from '#api/client.ts'
import { textOf, textOfReason } from '#locales/error-texts.ts'
import { toastAccepted } from '#operations/index.ts'
import { Dialog } from '#ui/dialog/Dialog.tsx'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { SlowQuery } from '#ui/SlowAnswer.tsx'
import { FindingText } from './FindingText.tsx'
import { PreviewTable } from './PreviewTable.tsx'
import { previewQuery } from './queries.ts'

interface RepairDialogProps {
  finding: Finding
  repair: Repair
}

/** Shows what a repair would change according to the regions' present answers, and starts it on confirmation. */
export function RepairDialog({ finding, repair }: RepairDialogProps) {
  // Also the texts of the preview; see `loadTexts`.
  const { t } = useTranslation(['consistency', 'form'])
  const subject =
    finding.projectRoomName ?? finding.regionName ?? String(finding.facts.what ?? finding.facts.room ?? '')
  const title = t('repairTitle', { repair: t(`repairs.${repair}`), subject })
  return (
    <Dialog title={title} width="wide" closesOutside>
      <Question finding={finding} repair={repair} />
    </Dialog>
  )
}

function Question({ finding, repair }: RepairDialogProps) {
  const { t } = useTranslation('consistency')
  const close = useCloseDialog()
  const keyOf = useIdempotencyKey()
  const queryClient = useQueryClient()
  const asked = previewQuery(finding.id, repair)
  const preview = useQuery(asked)
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => {
      const body = { repair }
      return client.call('repairFinding', { params: { id: finding.id }, body, headers: keyOf(body) })
    },
    onSuccess: (answer) => {
      const toast = { title: t(`repairs.${repair}`), text: t('repairAccepted') }
      if (answer.status === 202) toastAccepted(answer.body.operationId, toast)
      close()
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['doctor', 'findings'] }),
  })
  const failure = error ?? preview.error
  const reason = failure === null ? whyImpossible(preview.data) : textOf(failure)
  return (
    <>
      <Text>
        <FindingText finding={finding} />
      </Text>
      <Text size="sm" c="dimmed" mt="xs">
        {t(`effects.${effectOf(repair, finding.kind)}`, { region: finding.regionName ?? '' })}
      </Text>
      <SlowQuery query={preview} queryKey={asked.queryKey} region={finding.regionName ?? ''} />
      {preview.isFetching && preview.isPending && (
        <Group gap="xs" mt="md" role="status">
          <Loader size="xs" aria-hidden />
          <Text size="sm">{t('looking')}</Text>
        </Group>
      )}
      {preview.data !== undefined && preview.data.changes.length > 0 && (
        <PreviewTable changes={preview.data.changes} finding={finding} />
      )}
      {reason !== null && (
        <ProblemAlert mt="md" kind={failure === null ? 'warning' : 'error'} title={t('impossible')}>
          {reason}
        </ProblemAlert>
      )}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" data-autofocus onClick={close}>
          {t('cancel')}
        </Button>
        <Button
          color={deletes(repair, finding.kind) ? 'red' : undefined}
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

/** Why the repair is impossible: in the operator's language, or else in the server's words. */
function whyImpossible(preview: RepairPreview | undefined): string | null {
  const reasons = preview?.reasons.map(textOfReason) ?? []
  return reasons.length === 0 || reasons.includes(null) ? (preview?.reason ?? null) : reasons.join(' ')
}

/** The text about the effect of a repair of such a finding. */
function effectOf(repair: Repair, kind: FindingKind) {
  switch (repair) {
    case 'send-again':
      return kind === 'redirect-misleads' ? 'send-again-redirect' : repair
    case 'adopt':
      return kind === 'room-unknown' ? 'adopt-unknown' : 'adopt-elsewhere'
    case 'release':
      if (kind === 'lock-orphaned') return 'release-lock'
      return kind === 'reservation-left-over' ? 'release-reservation' : 'release-room'
    case 'mark-missing':
      return kind === 'backup-missing' ? 'mark-missing-backup' : 'mark-missing-room'
    default:
      return repair
  }
}

/** Whether the repair deletes something for good. */
function deletes(repair: Repair, kind: FindingKind): boolean {
  return repair === 'remove-copy' || (repair === 'mark-missing' && kind === 'backup-missing')
}
