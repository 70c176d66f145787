/** The small files that the console itself keeps in its store, beside uploads and backups. */
import { markKey } from '#platform/file-store/marked-store.ts'

export function isOwnFile(key: string): boolean {
  return [markKey, 'audit-anchor.json'].includes(key.split('/').at(-1) ?? '')
}
