import type { AuditEntry, TokenRefusal } from '@roomkeeper/contract'
import i18next from 'i18next'
import { nameOfProcess, nameOfSubject } from '#operations/index.ts'
import { formatBytes } from '#ui/format.ts'
import { inLanguage } from '#ui/number-format.ts'

/**
 * What was done, such as `Database imported`. Entries of operations are written when these begin, so as long as nobody
 * knows that it was done, it is what was attempted: `Database import`. An unknown action is shown as it is.
 */
export function nameOfEntry({ action, operationId, outcome }: Pick<AuditEntry, 'action' | 'operationId' | 'outcome'>) {
  const attempt = operationId === null ? undefined : textAt('attempts', action)
  const wanted = action === 'operation.cancel' ? 'cancelled' : 'done'
  if (attempt !== undefined && outcome?.state !== wanted) return attempt
  return textAt('actions', action) ?? action
}

/** Whether the entry was written when its operation began: only then does its end belong to the entry. */
export function isAttempt({ action, operationId }: Pick<AuditEntry, 'action' | 'operationId'>): boolean {
  return operationId !== null && textAt('attempts', action) !== undefined
}

/** The detail in the operator's language, where it is a text of ours and not a name. */
export function detailOf({ action, detail }: Pick<AuditEntry, 'action' | 'detail'>): string | null {
  if (detail === null) return null
  if (action.startsWith('operation.')) return nameOfProcess(detail)
  const address = /^from (\S+)$/.exec(detail)?.[1]
  if (address !== undefined) return i18next.t('audit:details.from', { address })
  const ofAction = detailTexts[action]?.(detail)
  if (ofAction !== undefined && ofAction !== null) return ofAction
  const undeleted = /^(\S+); not \(yet\) deleted on: (.+)$/.exec(detail)
  if (undeleted === null) return detail
  return i18next.t('audit:details.notDeleted', { user: undeleted[1], regions: undeleted[2] })
}

/** The trail is sealed with its English details: what is more than names in them is read here, by action. */
const detailTexts: Readonly<Record<string, (detail: string) => string | null>> = {
  'region.refused': (detail) => {
    const [, region, other] = /^(.+): This server is already registered as region (.+)\.$/.exec(detail) ?? []
    return region === undefined ? null : i18next.t('audit:details.registered', { region, other })
  },
  'live-migration.start': (detail) => {
    const [, way, rooms, skipped] = /^(.+): (\d+)(, active sessions skipped)?$/.exec(detail) ?? []
    if (way === undefined) return null
    const text = i18next.t('audit:details.started', { way, count: Number(rooms) })
    if (skipped === undefined) return text
    const note = i18next.t('audit:details.skipped')
    return `${text}, ${note}`
  },
  'live-migration.force-delete': (detail) => {
    const [, rooms, more] = /^(.+) and (\d+) more$/.exec(detail) ?? []
    return rooms === undefined
      ? null
      : i18next.t('audit:details.andMore', {
          rooms,
          count: Number(more),
          n: inLanguage(Number(more), i18next.language),
        })
  },
  'backup.delete': (detail) => {
    const [, location] = /^(.+): the file is gone$/.exec(detail) ?? []
    return location === undefined ? null : i18next.t('audit:details.fileGone', { location })
  },
  'upload.backup': detailOfUpload,
  'upload.database': detailOfUpload,
  'room.adopt': (detail) => {
    const [, region] = /^found in the region (.+)$/.exec(detail) ?? []
    return region === undefined ? null : i18next.t('audit:details.foundIn', { region })
  },
  'system-databases.update': nameOfSubject,
  'token.refused': (detail) => {
    const [, why, address] = /^(expired|revoked|network), from (\S+)$/.exec(detail) ?? []
    return why === undefined ? null : i18next.t(`audit:details.refused.${why as TokenRefusal}`, { address })
  },
}

function detailOfUpload(detail: string): string | null {
  const [, file, bytes, digest] = /^(.+), (\d+) bytes, SHA-256 ([0-9a-f]+)$/s.exec(detail) ?? []
  if (bytes === undefined) return null
  const size = formatBytes(Number(bytes), i18next.language)
  return i18next.t('audit:details.uploaded', { file, size, digest })
}

/** Not through `t`, for which the dots in the names of actions separate keys. */
function textAt(map: 'actions' | 'attempts', action: string): string | undefined {
  const texts = i18next.getResource(i18next.language, 'audit', map) as Partial<Record<string, string>> | undefined
  return texts?.[action]
}
