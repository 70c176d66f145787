import { Button, Group, Stack, Text } from '@mantine/core'
import type { LiveMigration } from '@roomkeeper/contract'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { textOf } from '#locales/error-texts.ts'
import { Dialog } from '#ui/dialog/Dialog.tsx'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { toastSuccess } from '#ui/toast.ts'
import { useMigrationName } from './queries.ts'
import { useRefetchMigrations } from './use-migration-questions.ts'

/** For a configuration with a warning: resets the priority of its rooms and, if wanted, the warning. */
export function ResetPriorityDialog({ migration }: { migration: LiveMigration }) {
  const { t } = useTranslation(['migrations', 'app'])
  const name = useMigrationName()(migration)
  const close = useCloseDialog()
  const refetch = useRefetchMigrations()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (all: boolean) => client.call('resetLiveMigrationPriority', { body: { id: migration.id, all } }),
    onSuccess: () => {
      toastSuccess(t('title'), t('reset.done'))
      close()
    },
    onSettled: refetch,
  })
  return (
    <Dialog title={t('reset.title')} width="third" closesOutside>
      <Stack gap="md">
        <Text>{t('reset.choice')}</Text>
        <Text size="sm" c="dimmed">
          {t('reset.consequence', { name })} {t('reset.consequenceAll')}
        </Text>
        {error !== null && <ProblemAlert title={t('reset.failed')}>{textOf(error)}</ProblemAlert>}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {t('app:cancel')}
          </Button>
          <Button data-autofocus loading={isPending} onClick={() => mutate(false)}>
            {t('reset.title')}
          </Button>
          <Button color="red" loading={isPending} onClick={() => mutate(true)}>
            {t('reset.all')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
