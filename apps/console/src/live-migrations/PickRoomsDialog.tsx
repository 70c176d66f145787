import { Button, Skeleton, Text } from '@mantine/core'
import type { LiveMigration } from '@roomkeeper/contract'
import { IconDoor, IconPlugConnectedX, IconSearchOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { textOf } from '#api/text-of-error.ts'
import { Dialog } from '#ui/dialog/Dialog.tsx'
import { DialogFoot } from '#ui/dialog/DialogFoot.tsx'
import { useCloseDialog } from '#ui/dialog/dialog-context.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Toolbar } from '#ui/Toolbar.tsx'
import { TryAgain } from '#ui/TryAgain.tsx'
import { DialogPager } from '#ui/table/DialogPager.tsx'
import { SearchField } from '#ui/table/SearchField.tsx'
import { useNumberFormat } from '#ui/use-number-format.ts'
import { PickRoomsTable } from './PickRoomsTable.tsx'
import { allMatching, countOf, noRooms, type PickedRooms } from './picked-rooms.ts'
import { migrationRoomsQuery, pickerSize } from './queries.ts'

interface PickRoomsDialogProps {
  migration: LiveMigration
  initial: PickedRooms
  onPicked: (picked: PickedRooms) => void
}

/** The rooms of the source region; what is picked counts at once. */
export function PickRoomsDialog(props: PickRoomsDialogProps) {
  const { t } = useTranslation('migrations')
  return (
    <Dialog title={t('pick.title')} width="most">
      <PickRooms {...props} />
    </Dialog>
  )
}

const icon = { size: 36, stroke: 1.3, 'aria-hidden': true } as const

function PickRooms({ migration, initial, onPicked }: PickRoomsDialogProps) {
  const { t } = useTranslation('migrations')
  const number = useNumberFormat()
  const close = useCloseDialog()
  const [picked, setPicked] = useState(initial)
  const pick = (now: PickedRooms) => {
    setPicked(now)
    onPicked(now)
  }
  const searchRef = useRef<HTMLInputElement>(null)
  const [{ search, page }, setShown] = useState({ search: '', page: 1 })
  const { data, error, refetch } = useQuery(migrationRoomsQuery(migration.id, search, page))
  const total = data?.totalElements ?? 0
  return (
    <>
      <Toolbar>
        <SearchField
          inputRef={searchRef}
          label={t('pick.search')}
          clearLabel={t('pick.clearSearch')}
          text={search}
          onText={(text) => setShown({ search: text, page: 1 })}
        />
        <Button size="xs" variant="default" disabled={total === 0} onClick={() => pick(allMatching(search, total))}>
          {t('pick.all', { n: number.format(total) })}
        </Button>
        <Button size="xs" variant="default" disabled={countOf(picked) === 0} onClick={() => pick(noRooms)}>
          {t('pick.none')}
        </Button>
      </Toolbar>
      {data === undefined && error !== null && (
        <EmptyState
          isError
          icon={<IconPlugConnectedX {...icon} />}
          title={t('pick.loadFailed')}
          text={textOf(error)}
          action={<TryAgain onClick={() => void refetch()} />}
        />
      )}
      {data === undefined && error === null && <Skeleton height={326} />}
      {data !== undefined && total === 0 && search === '' && (
        <EmptyState icon={<IconDoor {...icon} />} title={t('pick.nothing')} text={t('pick.nothingText')} />
      )}
      {data !== undefined && total === 0 && search !== '' && (
        <EmptyState
          icon={<IconSearchOff {...icon} />}
          title={t('pick.noMatch')}
          text={t('pick.noMatchText')}
          action={
            <Button size="xs" variant="default" onClick={() => setShown({ search: '', page: 1 })}>
              {t('pick.clearSearch')}
            </Button>
          }
        />
      )}
      {data !== undefined && total > 0 && (
        <>
          <PickRoomsTable rooms={data.data} picked={picked} onPicked={pick} />
          <DialogPager
            page={page}
            size={pickerSize}
            totalElements={total}
            totalPages={data.totalPages}
            onPage={(to) => setShown({ search, page: to })}
          />
        </>
      )}
      <DialogFoot>
        <Picked picked={picked} />
        <Button onClick={close}>{t('pick.done')}</Button>
      </DialogFoot>
    </>
  )
}

/** How many rooms are picked, and by what. */
function Picked({ picked }: { picked: PickedRooms }) {
  const { t } = useTranslation('migrations')
  const number = useNumberFormat()
  const n = number.format(countOf(picked))
  const isSearch = picked.kind === 'all' && picked.search !== ''
  return (
    <Text size="sm" c="dimmed" mr="auto" role="status">
      {isSearch ? t('pick.selectedBy', { n, search: picked.search }) : t('start.selected', { n })}
    </Text>
  )
}
