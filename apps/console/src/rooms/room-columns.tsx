import { type ProjectRoom, type RoomFieldEntry, roomFieldCatalogue, roomFieldsWith } from '@roomkeeper/contract'
import { formatDate } from '#ui/format.ts'
import type { Column } from '#ui/table/column.ts'
import { Expiry } from './Expiry.tsx'
import type { OwnColumn, RoomColumn } from './list/search.ts'
import type { RoomWords } from './room-words.tsx'
import { RegionName, StatePill } from './room-words.tsx'

type Columns = readonly Column<ProjectRoom, RoomColumn>[]

/**
 * The columns of every table of rooms. They use plain elements, because there are up to a hundred rows.
 * @param titleOf gives the titles of columns that show more than a text field of the catalogue
 */
export function roomColumns(words: RoomWords, titleOf: (column: OwnColumn) => string): Columns {
  const own = (column: Omit<Column<ProjectRoom, OwnColumn>, 'title'>) => ({ ...column, title: titleOf(column.id) })
  return [
    own({ id: 'product', size: 99, text: 'whole', cell: ({ product }) => words.product[product] ?? product }),
    own({ id: 'tenantName', size: { share: 13, atLeast: 120 }, isName: true, cell: ({ tenantName }) => tenantName }),
    own({ id: 'edition', size: { share: 10, atLeast: 64 }, cell: ({ edition }) => words.edition[edition] ?? edition }),
    own({
      id: 'customerContact',
      size: { share: 12, atLeast: 72 },
      cell: ({ customerFirstName, customerLastName }) => `${customerFirstName} ${customerLastName}`,
    }),
    ...textColumns(words),
    own({
      id: 'productType',
      size: { share: 10, atLeast: 104 },
      cell: ({ productType }) => words.channel[productType] ?? words.unknownChannel,
    }),
    own({
      id: 'regionName',
      size: { share: 10, atLeast: 72 },
      isOnCard: true,
      cell: (room) => <RegionName room={room} words={words} />,
    }),
    own({ id: 'creationDate', size: 90, text: 'whole', cell: ({ creationDate }) => formatDate(creationDate) }),
    own({
      id: 'expirationDate',
      size: 90,
      isOnCard: true,
      text: 'whole',
      cell: ({ expirationDate }) => <Expiry day={expirationDate} words={words} />,
    }),
    own({
      id: 'state',
      size: { share: 11, atLeast: 150 },
      isOnCard: true,
      text: 'whole',
      cell: ({ projectRoomState }) => <StatePill state={projectRoomState} words={words} />,
    }),
  ]
}

function textColumns({ textColumn }: RoomWords): Columns {
  return roomFieldsWith('listColumn').map((id) => ({
    id,
    title: textColumn[id],
    size: { share: 15, atLeast: 80 },
    isOnCard: id === 'customerEmail',
    isHiddenByDefault: isChoosable(roomFieldCatalogue[id]),
    cell: (room) => room[id],
  }))
}

function isChoosable({ listColumn }: RoomFieldEntry): boolean {
  return listColumn === 'choosable'
}
