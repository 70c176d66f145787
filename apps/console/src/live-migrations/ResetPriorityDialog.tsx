import { Button, Group, Stack, Text } from '@mantine/core'
import type { LiveMigration } from '@roomkeeper/contract'
import { offersResetAll } from '@roomkeeper/rules'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { useWhileOpen } from '#ui/use-while-open.ts'
import { useMigrationCall } from './use-migration-call.ts'
import { useMigrationName } from './use-migration-name.ts'

interface ResetPriorityDialogProps {
  /** null keeps it closed. */
  migration: LiveMigration | null
  onClose: () => void
}

/** Resets the priority of the rooms; while a run is in doubt it offers to clear the doubt too. */
export function ResetPriorityDialog({ migration, onClose }: ResetPriorityDialogProps) {
  const { t } = useTranslation('migrations')
  const name = useMigrationName(migration)
  const { confirm, close, isPending, failure } = useMigrationCall({
    call: (body: { id: number; all: boolean }) => client.call('resetLiveMigrationPriority', { body }),
    done: t('reset.done'),
    failed: t('reset.failed'),
    onClose,
  })
  const isChoice = useWhileOpen(migration !== null, migration !== null && offersResetAll(migration))
  const reset = (all: boolean) => {
    if (migration !== null) confirm({ id: migration.id, all })
  }
  return (
    <>
      <ConfirmDialog
        isOpen={migration !== null && !isChoice}
        onClose={close}
        title={t('reset.title')}
        question={t('reset.question')}
        consequence={t('reset.consequence', { name })}
        confirm={t('reset.title')}
        isPending={isPending}
        failure={failure}
        onConfirm={() => reset(false)}
      />
      <Dialog
        isOpen={migration !== null && isChoice}
        onClose={close}
        title={t('reset.title')}
        width="choice"
        closesOutside
      >
        <Stack gap="md">
          <Text>{t('reset.choice')}</Text>
          <Text size="sm" c="dimmed">
            {t('reset.consequence', { name })} {t('reset.consequenceAll')}
          </Text>
          {failure !== null && <ProblemAlert title={failure.title}>{failure.text}</ProblemAlert>}
          <Group justify="flex-end" gap="xs">
            <Button data-autofocus loading={isPending} onClick={() => reset(false)}>
              {t('reset.title')}
            </Button>
            <Button color="red" loading={isPending} onClick={() => reset(true)}>
              {t('reset.all')}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  )
}
