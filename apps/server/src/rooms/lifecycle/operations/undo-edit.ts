/** An edit that sets back what an earlier edit has changed, with all checks of an edit. */
import { type FieldError, type RoomEdit, roomEdit } from '@roomkeeper/contract'
import { checkExpiration, checkRoomEdit, dayInUtc } from '@roomkeeper/rules'
import type { FieldChange } from '#changes/index.ts'
import type { Tx } from '#platform/database.ts'
import { type Refusal, refuse, refuseInput } from '#platform/refuse.ts'
import { fieldsOf } from '../../room-field-columns.ts'
import type { StoredRoom } from '../../stored-room.ts'
import { editedFields, planEdit, planExtension, valuesOf } from './edit-room.ts'

interface UndoOfEdit {
  /** From what is stored to what was there before. */
  changes: FieldChange[]
  /** The fields that were changed again since, with their values of now. */
  now: { field: string; value: unknown }[]
  /** What is wrong with the former values today. */
  wrong: FieldError[]
  /** Null: only the last day is set back, of a room without the new SAP contract number that every other edit needs. */
  edit: RoomEdit | null
}

/** @returns null: it can never be undone */
export function undoOfEdit(room: StoredRoom, made: readonly FieldChange[]): UndoOfEdit | null {
  // A new SAP contract number can be changed, but not taken away.
  const undone = made.filter(({ field, from }) => !(field === 'sapNumberLast' && from === null))
  // Of a secret only that it was changed is recorded.
  if (undone.length === 0 || undone.some(({ field, from, to }) => from === to || !isEditable(field))) return null
  const values = valuesOf(room)
  const nowOf = (field: string) => values.get(field) ?? null
  const changes = undone.map(({ field, from, to }) => ({ field, from: to, to: from }))
  const now = undone.filter(({ field, to }) => nowOf(field) !== to).map(({ field }) => ({ field, value: nowOf(field) }))
  const today = dayInUtc(new Date())
  const [first] = changes
  if (room.sapNumberLast === null) {
    if (changes.length > 1 || first?.field !== 'expirationDate') return null
    return { changes, now, wrong: checkExpiration(first.to as string | null, today), edit: null }
  }
  const edit = editTo(room, new Map(changes.map(({ field, to }) => [field, to])))
  if (!roomEdit.safeEncode(edit).success) return null
  return { changes, now, wrong: checkRoomEdit(fieldsOf(room), edit, { today }), edit }
}

/**
 * Runs in the transaction that starts the edit, with the room's row locked.
 * @throws Refusal `not-undoable`, `changed-meanwhile`, `invalid-input`, `sap-number-taken`
 */
export async function planUndo(tx: Tx, room: StoredRoom, entry: { id: number; changes: readonly FieldChange[] }) {
  const undo = undoOfEdit(room, entry.changes)
  if (undo === null) throw refuse('not-undoable')
  if (undo.now.length > 0) throw changedMeanwhile(undo.now)
  if (undo.wrong.length > 0) throw refuseInput(undo.wrong)
  const [day] = undo.changes
  const plan = undo.edit === null ? planExtension(room, day?.to as string | null) : await planEdit(tx, room, undo.edit)
  return { ...plan, undoes: entry.id }
}

export type PlanOfUndo = Awaited<ReturnType<typeof planUndo>>

export function changedMeanwhile(now: UndoOfEdit['now']): Refusal {
  const refusal = refuse('changed-meanwhile')
  refusal.more = { now }
  return refusal
}

function isEditable(field: string): boolean {
  return /^(licenses|licensesInformation|subLicenses)\./.test(field) || editedFields.some((each) => each === field)
}

/** The room as it is, with other values of some fields. @param to by the names that entries of the audit trail use */
function editTo(room: StoredRoom, to: ReadonlyMap<string, unknown>): RoomEdit {
  const values = new Map<string, unknown>([...valuesOf(room), ...to])
  const of = (part: string) =>
    [...values].flatMap(([name, value]) =>
      name.startsWith(`${part}.`) && value !== null ? [[name.slice(part.length + 1), value] as const] : [],
    )
  const counts = of('licenses') as [string, number][]
  const types = new Map(of('licensesInformation'))
  const fields = Object.fromEntries(editedFields.map((field) => [field, values.get(field) ?? null]))
  return {
    ...fields,
    tenantName: room.name,
    version: room.version,
    licenses: Object.fromEntries(counts),
    licensesInformation: counts
      .filter(([licenseKey]) => types.has(licenseKey))
      .map(([licenseKey, licenseAmount]) => ({ licenseKey, licenseAmount, licenseType: types.get(licenseKey) })),
    subLicenses: of('subLicenses').map(([licenseKey, subLicenseAmount]) => ({
      licenseKey,
      subLicenseAmount,
      productKey: '',
    })),
  } as RoomEdit
}
