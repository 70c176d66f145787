/** PostgreSQL refuses to run as root, so under root it runs as another user id, which need not have an account. */
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'

export interface Identity {
  uid: number
  gid: number
}

const nobody: Identity = { uid: 65_534, gid: 65_534 }

/** The user as which PostgreSQL runs; null: the same as ours. */
export function postgresIdentity(): Identity | null {
  return process.getuid?.() === 0 ? nobody : null
}

/** The user for existing data: its owner. */
export async function ownerOf(folder: string): Promise<Identity | null> {
  if (postgresIdentity() === null) return null
  const { uid, gid } = await stat(folder)
  return uid === 0 ? nobody : { uid, gid }
}

/**
 * @param path absolute, without symbolic links
 * @param rights needed for the path itself, as in a mode: 4 read, 1 enter or run. The folders above it need 1.
 */
export async function mayUse(identity: Identity | null, path: string, rights: number): Promise<boolean> {
  if (identity === null) return true
  const { mode, uid, gid } = await stat(path)
  const granted = uid === identity.uid ? mode >> 6 : gid === identity.gid ? mode >> 3 : mode
  if ((granted & rights) !== rights) return false
  const above = dirname(path)
  return above === path || mayUse(identity, above, 1)
}
