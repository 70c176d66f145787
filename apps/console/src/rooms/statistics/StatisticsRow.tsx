import type { ProjectRoom } from '@roomkeeper/contract'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { formatDay } from '#ui/day.ts'
import { formatDate } from '#ui/format-moment.ts'
import type { RoomLabels } from '../room-labels.ts'
import { StatePill } from '../StatePill.tsx'

/** One room. Plain elements and memoised, because there are up to a hundred and a page turn must feel instant. */
export const StatisticsRow = memo(function StatisticsRow({ room, labels }: { room: ProjectRoom; labels: RoomLabels }) {
  return (
    <tr data-room={room.tenantName} tabIndex={-1}>
      <td>{labels.product[room.product]}</td>
      <th scope="row" data-cut>
        <Link to="/project/edit_project_room/$id" params={{ id: room.tenantName }} preload={false}>
          {room.tenantName}
        </Link>
      </th>
      <td data-cut>{labels.edition[room.edition]}</td>
      <td data-cut>{`${room.customerFirstName} ${room.customerLastName}`}</td>
      <td data-cut>{room.customerEmail}</td>
      <td data-cut>{labels.channel[room.productType] ?? labels.unknownChannel}</td>
      <td data-cut>{room.regionIsMigrationTarget ? `${room.regionName} (Target)` : room.regionName}</td>
      <td>{formatDate(room.creationDate)}</td>
      <td>{room.expirationDate === null ? labels.unlimited : formatDay(room.expirationDate)}</td>
      <td>
        <StatePill state={room.projectRoomState} labels={labels} />
      </td>
    </tr>
  )
})
