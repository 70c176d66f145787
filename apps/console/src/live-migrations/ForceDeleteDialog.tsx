import { Button, Text } from '@mantine/core'
import type { LiveMigration, MigrationStateEntry } from '@roomkeeper/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogFoot } from '#ui/dialog/Dialog.tsx'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { FormDialog, useRequestClose, useUnsavedEntries } from '#ui/form/FormDialog.tsx'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { usePages } from '#ui/table/paging.ts'
import { useSelection } from '#ui/table/row-selection.tsx'
import { statesQuery, useShownMigration } from './queries.ts'
import { StatesTable } from './StatesTable.tsx'
import { useStateQuestions } from './use-migration-questions.ts'

interface ForceDeleteDialogProps {
  migration: LiveMigration
  /** The names of the rooms that are selected at first. */
  chosen: readonly string[]
}

/** Deletes the copies that failed migrations have left in the target. */
export function ForceDeleteDialog({ migration, chosen }: ForceDeleteDialogProps) {
  const { t } = useTranslation('migrations')
  return (
    <FormDialog title={t('force.title')} width="wide">
      <FailedRooms opened={migration} chosen={chosen} />
    </FormDialog>
  )
}

const pageSize = 10
const nameOf = ({ projectRoomName }: MigrationStateEntry) => projectRoomName

function FailedRooms({ opened, chosen }: { opened: LiveMigration; chosen: readonly string[] }) {
  const { t } = useTranslation(['migrations', 'app'])
  const migration = useShownMigration(opened)
  const { data: entries } = useQuery(statesQuery(migration.id))
  const failed = useMemo(() => newestOfEach(entries ?? []).filter(leftCopy), [entries])
  const selection = useSelection(failed, nameOf, chosen)
  const pages = usePages(failed, pageSize)
  const [lacksSelection, setLacksSelection] = useState(false)
  const close = useCloseDialog()
  const cancel = useRequestClose()
  const { forceDelete } = useStateQuestions(migration)
  const names = selection.rows.map(nameOf)
  useUnsavedEntries(() => names.length > 0)
  const ask = async () => {
    if (await forceDelete(names)) close()
  }
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {t('force.hint')}
      </Text>
      {failed.length === 0 ? (
        <p>{t('force.none')}</p>
      ) : (
        <StatesTable pages={pages} rowId={nameOf} selection={selection} />
      )}
      {lacksSelection && names.length === 0 && (
        <ProblemAlert kind="warning" mt="sm">
          {t('force.selectOne')}
        </ProblemAlert>
      )}
      <DialogFoot>
        <Button variant="default" onClick={cancel}>
          {t('app:cancel')}
        </Button>
        <Button color="red" onClick={() => (names.length === 0 ? setLacksSelection(true) : void ask())}>
          {t('force.confirm')}
        </Button>
      </DialogFoot>
    </>
  )
}

function leftCopy({ isLiveMigrationError, isCopyRemoved }: MigrationStateEntry): boolean {
  return isLiveMigrationError && !isCopyRemoved
}

/** Entries are sorted newest first. A room that was migrated after it had failed has nothing left to delete. */
function newestOfEach(entries: readonly MigrationStateEntry[]): MigrationStateEntry[] {
  const seen = new Set<string>()
  return entries.filter(({ projectRoomName }) => !seen.has(projectRoomName) && seen.add(projectRoomName))
}
