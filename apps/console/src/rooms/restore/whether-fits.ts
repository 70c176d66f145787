import type { BackupContents, ProjectRoom } from '@roomkeeper/contract'

/** Why a backup cannot be restored into a room at all, or null. */
export function whyUnfitFor(
  room: Pick<ProjectRoom, 'product'>,
  backup: BackupContents,
): 'other-product' | 'product-backup' | null {
  if (backup.product !== room.product) return 'other-product'
  return backup.kind === 'product' ? 'product-backup' : null
}

/** It is of another room, so that only an explicit consent lets it in. */
export function isOfOtherRoom(room: Pick<ProjectRoom, 'tenantName'>, backup: BackupContents): boolean {
  return backup.roomName !== room.tenantName
}
