/** The redirects of rooms that moved away. */
import type { Region } from '#region.ts'
import { committing } from '#sqlite/database-handles.ts'

export function routeOf(region: Region, room: string): string | null {
  const row = region.database.prepare('SELECT targetUrl FROM routes WHERE room = ?').get(room)
  return row === undefined ? null : String(row.targetUrl)
}

/** At most `limit` redirects after `name`, ordered by name. */
export function routesAfter(region: Region, name: string, limit: number): { name: string; targetUrl: string }[] {
  return region.database
    .prepare('SELECT room, targetUrl FROM routes WHERE room > ? ORDER BY room LIMIT ?')
    .all(name, limit)
    .map((row) => ({ name: String(row.room), targetUrl: String(row.targetUrl) }))
}

export function setRoute(region: Region, room: string, targetUrl: string): void {
  const set = region.database.prepare(
    'INSERT INTO routes (room, targetUrl) VALUES (?, ?) ON CONFLICT (room) DO UPDATE SET targetUrl = excluded.targetUrl',
  )
  committing(region.database, () => set.run(room, targetUrl.replace(/\/+$/, '')))
}

export function forgetRoute(region: Region, room: string): void {
  committing(region.database, () => region.database.prepare('DELETE FROM routes WHERE room = ?').run(room))
}
