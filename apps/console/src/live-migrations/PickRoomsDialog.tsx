import { Button, Text } from '@mantine/core'
import type { LiveMigration, MigrationRoom } from '@roomkeeper/contract'
import { IconCircleCheck, IconDoor, IconPlayerPause } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadStateOf } from '#api/queries.ts'
import { Dialog, DialogFoot } from '#ui/dialog/Dialog.tsx'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { EmptyState, NoMatch } from '#ui/EmptyState.tsx'
import { useNumberFormat } from '#ui/format.ts'
import { Pill } from '#ui/Pill.tsx'
import { Toolbar } from '#ui/Toolbar.tsx'
import type { LoadState } from '#ui/table/NotLoaded.tsx'
import type { PagerProps } from '#ui/table/Pager.tsx'
import { pagesOf } from '#ui/table/paging.ts'
import { SearchField } from '#ui/table/SearchField.tsx'
import { allMatching, countOf, noneSelected, withRows } from '#ui/table/selected-rows.ts'
import { Table } from '#ui/table/Table.tsx'
import { canPick, type PickedRooms } from './picked-rooms.ts'
import { migrationRoomsQuery, pickerSize } from './queries.ts'

interface PickRoomsDialogProps {
  migration: LiveMigration
  initial: PickedRooms
  onPicked: (picked: PickedRooms) => void
}

/** The rooms of the source region. Each pick counts at once. */
export function PickRoomsDialog(props: PickRoomsDialogProps) {
  const { t } = useTranslation('migrations')
  return (
    <Dialog title={t('pick.title')} width="wide">
      <PickRooms {...props} />
    </Dialog>
  )
}

function PickRooms({ migration, initial, onPicked }: PickRoomsDialogProps) {
  const { t } = useTranslation('migrations')
  const number = useNumberFormat()
  const close = useCloseDialog()
  const [picked, setPicked] = useState(initial)
  const pick = (now: PickedRooms) => {
    setPicked(now)
    onPicked(now)
  }
  const [{ search, page }, setShown] = useState({ search: '', page: 1 })
  const query = useQuery(migrationRoomsQuery(migration.id, search, page))
  const { data } = query
  const total = data?.totalElements ?? 0
  const showAll = () => setShown({ search: '', page: 1 })
  return (
    <>
      <Toolbar>
        <SearchField
          label={t('pick.search')}
          isFirst
          clearLabel={t('pick.clearSearch')}
          text={search}
          onText={(text = '') => setShown({ search: text, page: 1 })}
        />
        <Button
          size="xs"
          variant="default"
          // While other rows are loading, the total is still that of the former search.
          disabled={total === 0 || query.isPlaceholderData}
          onClick={() => pick(allMatching(search, total))}
        >
          {t('pick.all', { n: number.format(total) })}
        </Button>
        <Button size="xs" variant="default" disabled={countOf(picked) === 0} onClick={() => pick(noneSelected)}>
          {t('pick.none')}
        </Button>
      </Toolbar>
      <PickRoomsTable
        rooms={data?.data}
        picked={picked}
        onPicked={pick}
        load={loadStateOf(query, t('pick.loadFailed'))}
        empty={<NoRooms isSearch={search !== ''} onShowAll={showAll} />}
        pages={pagesOf(data, { page, size: pickerSize, onPage: (to) => setShown({ search, page: to }) })}
      />
      <DialogFoot>
        <Picked picked={picked} />
        <Button onClick={close}>{t('pick.done')}</Button>
      </DialogFoot>
    </>
  )
}

function NoRooms({ isSearch, onShowAll }: { isSearch: boolean; onShowAll: () => void }) {
  const { t } = useTranslation('migrations')
  if (!isSearch) return <EmptyState icon={IconDoor} title={t('pick.nothing')} text={t('pick.nothingText')} />
  return (
    <NoMatch
      size="xs"
      title={t('pick.noMatch')}
      text={t('pick.noMatchText')}
      reset={t('pick.clearSearch')}
      onReset={onShowAll}
    />
  )
}

/** The number of picked rooms, and the search that picked them. */
function Picked({ picked }: { picked: PickedRooms }) {
  const { t } = useTranslation('migrations')
  const number = useNumberFormat()
  const n = number.format(countOf(picked))
  const isSearch = picked.kind === 'all' && picked.query !== ''
  return (
    <Text size="sm" c="dimmed" mr="auto" role="status">
      {isSearch ? t('pick.selectedBy', { n, search: picked.query }) : t('start.selected', { n })}
    </Text>
  )
}

interface PickRoomsTableProps {
  rooms: readonly MigrationRoom[] | undefined
  picked: PickedRooms
  onPicked: (picked: PickedRooms) => void
  load: LoadState
  empty: ReactNode
  pages: PagerProps | undefined
}

function PickRoomsTable({ rooms, picked, onPicked, ...rest }: PickRoomsTableProps) {
  const { t } = useTranslation('migrations')
  const number = useNumberFormat()
  return (
    <Table
      label={t('pick.title')}
      {...rest}
      rows={rooms}
      rowId={({ projectRoomName }) => projectRoomName}
      expectedRows={8}
      selection={{
        title: t('columns.select'),
        selected: picked,
        onSelect: (ids, isOn) => onPicked(withRows(picked, ids, isOn)),
        labelOf: ({ projectRoomName: name }) => t('pick.room', { name }),
        whyNot: (room) => (canPick(picked, room) ? null : t('pick.locked')),
        pageLabel: t('pick.page'),
      }}
      columns={[
        {
          id: 'name',
          title: t('pick.columns.name'),
          isName: true,
          cell: ({ projectRoomName }) => projectRoomName,
        },
        {
          id: 'customer',
          title: t('pick.columns.customer'),
          cell: ({ customerFirstName, customerLastName }) => `${customerFirstName} ${customerLastName}`,
        },
        { id: 'email', title: t('pick.columns.email'), cell: ({ customerEmail }) => customerEmail },
        { id: 'product', title: t('pick.columns.product'), cell: ({ product }) => product },
        { id: 'state', title: t('pick.columns.state'), cell: (room) => <RoomState room={room} /> },
        {
          id: 'priority',
          title: t('pick.columns.priority'),
          align: 'end',
          cell: ({ priority }) => number.format(priority),
        },
      ]}
    />
  )
}

function RoomState({ room }: { room: MigrationRoom }) {
  const { t } = useTranslation('migrations')
  const state = room.projectRoomState === 'DEFAULT' ? 'DEFAULT' : 'SUSPENDED'
  return <Pill {...roomLooks[state]}>{t(`roomStates.${state}`)}</Pill>
}

const roomLooks = {
  DEFAULT: { tone: 'good', icon: IconCircleCheck },
  SUSPENDED: { tone: 'warn', icon: IconPlayerPause },
} as const
