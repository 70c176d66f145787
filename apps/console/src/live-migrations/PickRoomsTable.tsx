import type { MigrationRoom } from '@roomkeeper/contract'
import { IconCircleCheck, IconPlayerPause } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNumberFormat } from '#ui/format.ts'
import { Pill } from '#ui/Pill.tsx'
import type { LoadState } from '#ui/table/NotLoaded.tsx'
import type { PagerProps } from '#ui/table/Pager.tsx'
import { Table } from '#ui/table/Table.tsx'
import { canToggle, isPicked, type PickedRooms, toggled, toggledPage } from './picked-rooms.ts'

interface PickRoomsTableProps {
  rooms: readonly MigrationRoom[] | undefined
  picked: PickedRooms
  onPicked: (picked: PickedRooms) => void
  load: LoadState
  empty: ReactNode
  pages: PagerProps | undefined
}

export function PickRoomsTable({ rooms, picked, onPicked, ...rest }: PickRoomsTableProps) {
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
        has: (room) => isPicked(picked, room),
        toggle: (room) => onPicked(toggled(picked, room)),
        labelOf: ({ projectRoomName: name }) => t('pick.room', { name }),
        whyNot: (room) => (canToggle(picked, room) ? null : t('pick.locked')),
        page: { label: t('pick.page'), toggle: () => onPicked(toggledPage(picked, rooms ?? [])) },
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
  if (room.projectRoomState === 'DEFAULT') {
    return (
      <Pill tone="good" icon={IconCircleCheck}>
        {t('roomStates.DEFAULT')}
      </Pill>
    )
  }
  return (
    <Pill tone="warn" icon={IconPlayerPause}>
      {t('roomStates.SUSPENDED')}
    </Pill>
  )
}
