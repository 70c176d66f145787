import { type ProjectRoom, type ProjectRoomState, projectRoom } from '@roomkeeper/contract'
import { timeText } from '#output/time-text.ts'
import type { View } from '#output/view.ts'
import type { Colour } from '#terminal/colours.ts'

export const roomView: View<ProjectRoom> = {
  name: ({ tenantName }) => tenantName,
  none: 'No project room matches.',
  fields: Object.keys(projectRoom.shape),
  columns: [
    { title: 'NAME', rank: 0, value: ({ tenantName }) => tenantName },
    {
      title: 'STATE',
      rank: 1,
      value: ({ projectRoomState }) => projectRoomState,
      colour: ({ projectRoomState }) => colourOf(projectRoomState),
    },
    { title: 'PRODUCT', rank: 3, value: ({ product }) => product },
    { title: 'EDITION', rank: 4, value: ({ edition }) => edition },
    { title: 'REGION', rank: 2, value: ({ regionName }) => regionName },
    { title: 'COMPANY', rank: 5, value: ({ companyName }) => companyName },
    { title: 'CUSTOMER', rank: 6, value: ({ customerEmail }) => customerEmail },
    { title: 'VALID UNTIL', rank: 7, value: ({ expirationDate }) => expirationDate },
    { title: 'LAST BACKUP', rank: 8, value: ({ lastBackupAt }) => timeText(lastBackupAt) },
    { title: 'OPERATION', rank: 9, value: ({ runningOperation }) => runningOperation?.processType },
  ],
}

function colourOf(state: ProjectRoomState): Colour | null {
  switch (state) {
    case 'DEFAULT':
      return 'green'
    case 'ERROR':
      return 'red'
    case 'SUSPENDED':
    case 'DISABLED_REGION':
      return 'yellow'
    case 'IN_PROGRESS':
    case 'MARKED_FOR_DELETION':
      return 'cyan'
    // A newer server may have others.
    default:
      return null
  }
}
