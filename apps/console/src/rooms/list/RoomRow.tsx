import type { ProjectRoom } from '@roomkeeper/contract'
import { whyNotOpenEdit } from '@roomkeeper/rules'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { formatDay } from '#ui/day.ts'
import { formatDate } from '#ui/format-moment.ts'
import { ThinProgress } from '#ui/ThinProgress.tsx'
import type { RoomLabels } from '../room-labels.ts'
import { StatePill } from '../StatePill.tsx'
import { isBusy, RoomActions, type RoomActionsProps } from './RoomActions.tsx'
import classes from './RoomsTable.module.css'

/** One room. Plain elements and memoised, because there are up to a hundred and a page turn must feel instant. */
export const RoomRow = memo(function RoomRow(props: RoomActionsProps) {
  const { room, labels } = props
  return (
    <tr data-room={room.tenantName} data-state={room.projectRoomState} tabIndex={-1}>
      <td>{labels.product[room.product]}</td>
      <th scope="row" data-cut>
        <RoomName {...props} />
      </th>
      <td data-cut>{labels.edition[room.edition]}</td>
      <td data-cut>{`${room.customerFirstName} ${room.customerLastName}`}</td>
      <td data-cut>{room.customerEmail}</td>
      <td data-cut>{labels.channel[room.productType] ?? labels.unknownChannel}</td>
      <td data-cut>{room.regionIsMigrationTarget ? `${room.regionName} (Target)` : room.regionName}</td>
      <td>{formatDate(room.creationDate)}</td>
      <td>{room.expirationDate === null ? labels.unlimited : formatDay(room.expirationDate)}</td>
      <td>
        <RoomStatus room={room} labels={labels} />
      </td>
      <td>
        <RoomActions {...props} />
      </td>
    </tr>
  )
})

function RoomName({ room, role }: RoomActionsProps) {
  if (isBusy(room) || whyNotOpenEdit(room, role) !== null) return room.tenantName
  return (
    <Link to="/project/edit_project_room/$id" params={{ id: room.tenantName }} preload={false}>
      {room.tenantName}
    </Link>
  )
}

function RoomStatus({ room, labels }: { room: ProjectRoom; labels: RoomLabels }) {
  const running = room.runningOperation
  if (running === null) return <StatePill state={room.projectRoomState} labels={labels} />
  return (
    <div className={classes.running}>
      <StatePill isSmall state={room.projectRoomState} labels={labels} />
      <span className={classes.step} data-cut>
        {running.step === null ? labels.waiting : labels.step(running.step)}
      </span>
      <div className={classes.progress}>
        <ThinProgress
          value={running.progress}
          label={`${running.processType ?? labels.operation} ${room.tenantName}`}
        />
      </div>
    </div>
  )
}
