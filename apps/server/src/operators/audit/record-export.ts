/** Records who reads the data of many customers at once, with the filter and the number of rows. */
import { because } from '@roomkeeper/contract'
import { type ChangeKind, recordChange } from '#changes/index.ts'
import type { Db } from '#platform/database.ts'
import type { ExportReader } from '#platform/exports.ts'
import type { Caller } from '#platform/http/handler.ts'

export interface Reading {
  caller: Caller
  requestId: string
}

const longestFilter = 500

/** @param filter as the call gave it; what is empty does not filter */
export function exportReader(
  db: Db,
  kind: ChangeKind & `export.${string}`,
  filter: object,
  { caller, requestId }: Reading,
): ExportReader {
  const shown = shownFilter(filter)
  return {
    operatorId: caller.operatorId,
    async record(rows) {
      const detail =
        shown === '' ? because('audit-exported-all', { rows }) : because('audit-exported', { rows, filter: shown })
      await recordChange(db, { kind, actor: caller.actor, detail, requestId })
    },
  }
}

function shownFilter(filter: object): string {
  const given = Object.entries(filter).filter(
    ([name, value]) => !name.startsWith('order_') && String(value ?? '') !== '',
  )
  const text = given.map(([name, value]) => `${name}=${String(value)}`).join(' ')
  return text.length > longestFilter ? `${text.slice(0, longestFilter)} …` : text
}
