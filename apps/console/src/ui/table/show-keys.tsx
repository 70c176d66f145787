import { openDialog } from '../dialog/open-dialogs.ts'
import { onDemand } from '../on-demand.tsx'
import type { PageKeys } from './page-keys.ts'

const KeysDialog = onDemand(async () => ({ default: (await import('./KeysDialog.tsx')).KeysDialog }))

/** Shows the keyboard shortcuts. @param page whose; if absent, all that there are */
export function showKeys(page?: PageKeys): void {
  openDialog(<KeysDialog page={page} />)
}
