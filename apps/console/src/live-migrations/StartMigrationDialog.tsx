import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { LiveMigration } from '@roomkeeper/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EditDialog, useRequestClose, useUnsavedChanges } from '#ui/EditDialog.tsx'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { useLastPresent } from '#ui/use-last-present.ts'
import { useNumberFormat } from '#ui/use-number-format.ts'
import { PickRoomsDialog } from './PickRoomsDialog.tsx'
import { countOf, noRooms } from './picked-rooms.ts'
import { StartQuestion } from './StartQuestion.tsx'
import { useMigrationName } from './use-migration-name.ts'

interface StartMigrationDialogProps {
  /** null keeps it closed. */
  migration: LiveMigration | null
  onClose: () => void
}

/** Which rooms are to be moved, and whether those in use are among them. */
export function StartMigrationDialog({ migration, onClose }: StartMigrationDialogProps) {
  const { t } = useTranslation('migrations')
  const shown = useLastPresent(migration)
  return (
    <EditDialog isOpen={migration !== null} onClose={onClose} title={t('start.title')} width="choice">
      {shown !== null && <StartForm migration={shown} onStarted={onClose} />}
    </EditDialog>
  )
}

function StartForm({ migration, onStarted }: { migration: LiveMigration; onStarted: () => void }) {
  const { t } = useTranslation(['migrations', 'app'])
  const number = useNumberFormat()
  const name = useMigrationName(migration)
  const [picked, setPicked] = useState(noRooms)
  const [skips, setSkips] = useState(false)
  const [lacksRooms, setLacksRooms] = useState(false)
  const [isPicking, picker] = useDisclosure()
  const [isAsking, question] = useDisclosure()
  const cancel = useRequestClose()
  const count = countOf(picked)
  useUnsavedChanges(count > 0)
  return (
    <Stack gap="md">
      <Text fw={500}>{name}</Text>
      <div>
        <Button variant="default" fullWidth data-autofocus onClick={picker.open}>
          {t('start.select')}
        </Button>
        <Text size="sm" c="dimmed" mt={4} role="status">
          {t('start.selected', { n: number.format(count) })}
        </Text>
      </div>
      <Checkbox
        label={t('start.skip')}
        description={t('start.skipHint')}
        checked={skips}
        onChange={(event) => setSkips(event.currentTarget.checked)}
      />
      {lacksRooms && count === 0 && <ProblemAlert kind="warning">{t('start.lacksRooms')}</ProblemAlert>}
      <Group justify="flex-end">
        <Button variant="default" onClick={cancel}>
          {t('app:cancel')}
        </Button>
        <Button onClick={() => (count === 0 ? setLacksRooms(true) : question.open())}>{t('rowActions.start')}</Button>
      </Group>
      <PickRoomsDialog
        isOpen={isPicking}
        migration={migration}
        picked={picked}
        onPicked={setPicked}
        onClose={picker.close}
      />
      <StartQuestion
        isOpen={isAsking}
        migration={migration}
        picked={picked}
        skippActiveSessions={skips}
        onClose={question.close}
        onStarted={onStarted}
      />
    </Stack>
  )
}
