import { Checkbox } from '@mantine/core'
import type { MigrationRoom } from '@roomkeeper/contract'
import { IconCircleCheck, IconPlayerPause } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Pill } from '#ui/Pill.tsx'
import classes from '#ui/Table.module.css'
import { useNumberFormat } from '#ui/use-number-format.ts'
import { canToggle, isPicked, type PickedRooms, toggled, toggledPage } from './picked-rooms.ts'

interface PickRoomsTableProps {
  rooms: readonly MigrationRoom[]
  picked: PickedRooms
  onPicked: (picked: PickedRooms) => void
}

export function PickRoomsTable({ rooms, picked, onPicked }: PickRoomsTableProps) {
  const { t } = useTranslation('migrations')
  const pickedHere = rooms.filter((room) => isPicked(picked, room)).length
  return (
    <div className={classes.scroll}>
      <table className={classes.table} aria-label={t('pick.title')}>
        <thead>
          <tr>
            <th scope="col" className={classes.check}>
              <Checkbox
                size="xs"
                aria-label={t('pick.page')}
                checked={pickedHere > 0 && pickedHere === rooms.length}
                indeterminate={pickedHere > 0 && pickedHere < rooms.length}
                onChange={() => onPicked(toggledPage(picked, rooms))}
              />
            </th>
            <th scope="col">{t('pick.columns.name')}</th>
            <th scope="col">{t('pick.columns.customer')}</th>
            <th scope="col">{t('pick.columns.email')}</th>
            <th scope="col">{t('pick.columns.product')}</th>
            <th scope="col">{t('pick.columns.state')}</th>
            <th scope="col" className={classes.right}>
              {t('pick.columns.priority')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rooms.map((room) => (
            <PickRow key={room.projectRoomName} room={room} picked={picked} onPicked={onPicked} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface PickRowProps {
  room: MigrationRoom
  picked: PickedRooms
  onPicked: (picked: PickedRooms) => void
}

function PickRow({ room, picked, onPicked }: PickRowProps) {
  const { t } = useTranslation('migrations')
  const number = useNumberFormat()
  const { projectRoomName: name, customerFirstName, customerLastName, customerEmail } = room
  const isSelected = isPicked(picked, room)
  const isLocked = !canToggle(picked, room)
  return (
    <tr data-selected={isSelected || undefined}>
      <td className={classes.check}>
        <Checkbox
          size="xs"
          aria-label={t('pick.room', { name })}
          title={isLocked ? t('pick.locked') : undefined}
          disabled={isLocked}
          checked={isSelected}
          onChange={() => onPicked(toggled(picked, room))}
        />
      </td>
      <th scope="row">{name}</th>
      <td>{`${customerFirstName} ${customerLastName}`}</td>
      <td>{customerEmail}</td>
      <td>{room.product}</td>
      <td>
        {room.projectRoomState === 'DEFAULT' ? (
          <Pill tone="good" icon={IconCircleCheck}>
            {t('roomStates.DEFAULT')}
          </Pill>
        ) : (
          <Pill tone="warn" icon={IconPlayerPause}>
            {t('roomStates.SUSPENDED')}
          </Pill>
        )}
      </td>
      <td className={classes.right}>{number.format(room.priority)}</td>
    </tr>
  )
}
