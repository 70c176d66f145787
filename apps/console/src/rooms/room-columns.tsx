import type { ProjectRoom } from '@roomkeeper/contract'
import { formatDay } from '#ui/day.ts'
import { formatDate } from '#ui/format.ts'
import type { Column } from '#ui/table/column.ts'
import type { Column as RoomColumn } from './list/search.ts'
import type { RoomLabels } from './room-labels.ts'
import { StatePill } from './StatePill.tsx'

/** The columns of every table of rooms, but for their titles. Plain elements: there are up to a hundred rows. */
export function roomColumns(labels: RoomLabels): readonly Omit<Column<ProjectRoom, RoomColumn>, 'title'>[] {
  return [
    { id: 'product', size: 108, text: 'whole', cell: ({ product }) => labels.product[product] },
    { id: 'tenantName', size: { share: 13, atLeast: 120 }, isName: true, cell: ({ tenantName }) => tenantName },
    { id: 'edition', size: { share: 10, atLeast: 72 }, cell: ({ edition }) => labels.edition[edition] },
    {
      id: 'customerContact',
      size: { share: 12, atLeast: 72 },
      cell: ({ customerFirstName, customerLastName }) => `${customerFirstName} ${customerLastName}`,
    },
    { id: 'customerEmail', size: { share: 15, atLeast: 72 }, cell: ({ customerEmail }) => customerEmail },
    {
      id: 'productType',
      size: 104,
      cell: ({ productType }) => labels.channel[productType] ?? labels.unknownChannel,
    },
    {
      id: 'regionName',
      size: { share: 10, atLeast: 72 },
      cell: ({ regionName, regionIsMigrationTarget }) =>
        regionIsMigrationTarget ? `${regionName} (Target)` : regionName,
    },
    { id: 'creationDate', size: 94, text: 'whole', cell: ({ creationDate }) => formatDate(creationDate) },
    {
      id: 'expirationDate',
      size: 94,
      text: 'whole',
      cell: ({ expirationDate }) => (expirationDate === null ? labels.unlimited : formatDay(expirationDate)),
    },
    {
      id: 'state',
      size: { share: 11, atLeast: 150 },
      text: 'whole',
      cell: ({ projectRoomState }) => <StatePill state={projectRoomState} labels={labels} />,
    },
  ]
}
