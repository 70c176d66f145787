import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { LiveMigration, MigrationStateEntry } from '@roomkeeper/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { DialogPager } from '#ui/table/DialogPager.tsx'
import { usePages } from '#ui/table/use-pages.ts'
import { useSelection } from '#ui/table/use-selection.ts'
import { StatesTable } from './StatesTable.tsx'
import { useMigrationCall } from './use-migration-call.ts'
import { useRegionNames } from './use-region-names.ts'

interface ForceDeleteDialogProps {
  isOpen: boolean
  migration: LiveMigration
  entries: readonly MigrationStateEntry[]
  onClose: () => void
}

/** Removes from the target what failed migrations left there. */
export function ForceDeleteDialog({ isOpen, onClose, ...rest }: ForceDeleteDialogProps) {
  const { t } = useTranslation('migrations')
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('force.title')} width="most">
      <FailedRooms {...rest} onClose={onClose} />
    </Dialog>
  )
}

const pageSize = 10

function FailedRooms({ migration, entries, onClose }: Omit<ForceDeleteDialogProps, 'isOpen'>) {
  const { t } = useTranslation(['migrations', 'app'])
  const failed = newestOfEach(entries).filter((each) => each.isLiveMigrationError)
  const selection = useSelection(failed, (each) => each.id)
  const pages = usePages(failed, pageSize)
  const [lacksSelection, setLacksSelection] = useState(false)
  const [isAsking, question] = useDisclosure()
  const names = selection.rows.map((each) => each.projectRoomName)
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {t('force.hint')}
      </Text>
      {failed.length === 0 ? <p>{t('force.none')}</p> : <StatesTable entries={pages.rows} selection={selection} />}
      {pages.totalPages > 1 && <DialogPager {...pages} />}
      {lacksSelection && names.length === 0 && (
        <ProblemAlert kind="warning" mt="sm">
          {t('force.selectOne')}
        </ProblemAlert>
      )}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose}>
          {t('app:cancel')}
        </Button>
        <Button color="red" onClick={() => (names.length === 0 ? setLacksSelection(true) : question.open())}>
          {t('force.confirm')}
        </Button>
      </Group>
      <ForceDeleteQuestion
        isOpen={isAsking}
        migration={migration}
        names={names}
        onClose={question.close}
        onDeleted={onClose}
      />
    </>
  )
}

interface ForceDeleteQuestionProps {
  isOpen: boolean
  migration: LiveMigration
  names: readonly string[]
  onClose: () => void
  onDeleted: () => void
}

/** Asks for the name of the target region, so that nobody deletes on the wrong one. */
function ForceDeleteQuestion({ isOpen, migration, names, onClose, onDeleted }: ForceDeleteQuestionProps) {
  const { t } = useTranslation('migrations')
  const nameOf = useRegionNames()
  const target = nameOf(migration.targetRegion)
  const { confirm, close, isPending, failure } = useMigrationCall({
    call: (projectRoomNames: string[]) =>
      client.call('forceDeleteFailedRooms', { body: { projectRoomNames, liveMigrationDataID: migration.id } }),
    done: t('force.accepted'),
    failed: t('force.failed'),
    onClose,
  })
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={close}
      title={t('force.title')}
      question={t('force.question', { names: names.join(', ') })}
      consequence={t('force.consequence', { target })}
      confirm={t('force.confirm')}
      nameToType={target}
      isDangerous
      isPending={isPending}
      failure={failure}
      onConfirm={() => confirm([...names], { onSuccess: onDeleted })}
    />
  )
}

/** The entries come newest first: a room that was migrated after it had failed has nothing left to delete. */
function newestOfEach(entries: readonly MigrationStateEntry[]): MigrationStateEntry[] {
  const seen = new Set<string>()
  return entries.filter(({ projectRoomName }) => !seen.has(projectRoomName) && seen.add(projectRoomName))
}
