/** The calls that create a room, empty, like another one, or with the content of uploaded backups. */
import { randomUUID } from 'node:crypto'
import { type BackupContents, fieldError, type RoomDraft, roomFieldsWith } from '@roomkeeper/contract'
import { checkNewRoom, completeNewRoom, dayInUtc, isAdministrator, type NewRoom } from '@roomkeeper/rules'
import { recordChange } from '#changes/index.ts'
import { type Operation, startOnce, startOperation } from '#operations/index.ts'
import { inSnakeCase } from '#platform/column-names.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { violatesUnique } from '#platform/database-errors.ts'
import { accepted, type Handlers, ok } from '#platform/http/handler.ts'
import { refuse, refuseFile, refuseInput } from '#platform/refuse.ts'
import { ensureCapacity, expectCapacity } from '#regions/index.ts'
import { takeUpload } from '#uploads/index.ts'
import { findRoom } from '../find-room.ts'
import { columnsOf, createdColumns } from '../room-field-columns.ts'
import type { RoomCore, StartingCall } from '../start-for-room.ts'
import { createRoom } from './operations/create-room.ts'
import { createRoomFromBackup, importRoom } from './operations/import-room.ts'
import { proposedName } from './proposed-name.ts'

interface RoomCreationStart<Input> {
  route: string
  /** The request as sent, to compare with a repeated one. */
  request: unknown
  draft: RoomDraft
  kind: Operation<Input>
  asks: 'room.create' | 'room.import' | 'room.restore'
  input(tx: Tx): Promise<Input>
}

export function roomCreationHandlers(core: RoomCore): Pick<Handlers, 'createRoom' | 'draftDuplicate' | 'importRoom'> {
  return {
    async createRoom(call) {
      const { tmpFileName, ...draft } = call.body
      const common = { route: 'createRoom', request: call.body, draft, asks: 'room.create' as const }
      if (tmpFileName === null)
        return accepted(await startCreation(core, call, { ...common, kind: createRoom, input: async () => ({}) }))
      if (!isAdministrator(call.caller.role)) throw refuse('not-allowed')
      const input = async (tx: Tx) => {
        checkProduct(await takeBackup(tx, call, tmpFileName, 'room'), draft)
        return { upload: tmpFileName, productUpload: null }
      }
      return accepted(await startCreation(core, call, { ...common, kind: createRoomFromBackup, input }))
    },
    async draftDuplicate({ body }) {
      const { db } = core.database
      const room = await findRoom(db, body.projectRoom)
      if (room === null) throw refuse('room-unknown', { room: body.projectRoom })
      return ok({ ...room, proposedName: await proposedName(db, room) })
    },
    async importRoom(call) {
      const { projectRoom: draft, tmpFileName, productTmpFileName } = call.body
      if (tmpFileName === null && productTmpFileName === null) {
        throw refuseInput([fieldError('tmpFileName', 'upload-missing')])
      }
      const input = async (tx: Tx) => {
        if (tmpFileName !== null) checkProduct(await takeBackup(tx, call, tmpFileName, 'room'), draft)
        if (productTmpFileName !== null) checkProduct(await takeBackup(tx, call, productTmpFileName, 'product'), draft)
        return { upload: tmpFileName, productUpload: productTmpFileName }
      }
      const start = {
        route: 'importRoom',
        request: call.body,
        draft,
        kind: importRoom,
        asks: 'room.import' as const,
        input,
      }
      return accepted(await startCreation(core, call, start))
    },
  }
}

/**
 * Reserves the name and capacity on the region and starts the operation, all in one transaction.
 * @throws Refusal `invalid-input`, `name-taken`, `region-full` …
 */
export function startCreation<Input>(
  core: RoomCore,
  call: StartingCall,
  start: RoomCreationStart<Input>,
): Promise<string> {
  const { caller, requestId } = call
  const request = { caller, route: start.route, key: call.header('idempotency-key'), body: start.request }
  return startOnce(core.database, request, async (tx) => {
    // Checked here, so that a repeated request gets its earlier answer even if its expiry date has passed since.
    const wrong = checkNewRoom(start.draft, { today: dayInUtc(new Date()) })
    if (wrong.length > 0) throw refuseInput(wrong)
    const draft = completeNewRoom(start.draft)
    const room = { id: randomUUID(), name: draft.tenantName }
    // What is wrong with the region is told before what is wrong with an upload.
    await expectCapacity(tx, draft.region, draft.product)
    const startedBy = caller.actor
    const parts = { input: await start.input(tx), room, regionId: draft.region, startedBy, requestId }
    const operationId = await startOperation(tx, start.kind, parts)
    await recordChange(tx, { actor: startedBy, kind: start.asks, room, operationId, requestId })
    // At last, because all creations in a region wait for this one from here to the commit.
    await ensureCapacity(tx, draft.region, draft.product)
    await insertRoom(tx, room.id, draft).catch((error: unknown) => {
      throw violatesUnique(error, 'rooms_name') ? refuse('name-taken', { room: room.name }) : error
    })
    return operationId
  })
}

/**
 * Takes an uploaded backup for the operation that this transaction starts.
 * @throws Refusal `upload-unknown`, `wrong-file-content` if it is a backup of the other kind
 */
export async function takeBackup(
  tx: Tx,
  call: StartingCall,
  name: string,
  kind: 'room' | 'product',
): Promise<BackupContents> {
  const { contents } = await takeUpload(tx, { name, kind: 'backup', operatorId: call.caller.operatorId })
  if (contents === null) throw refuse('wrong-file-content')
  if (contents.kind !== kind)
    throw refuseFile('wrong-file-content', 'backup-kind', { found: contents.kind, wanted: kind })
  return contents
}

/** @throws Refusal `other-product` */
export function checkProduct(
  { product: found }: { product: RoomDraft['product'] | null },
  { product }: Pick<RoomDraft, 'product'>,
): void {
  if (found !== null && found !== product) throw refuse('other-product', { found, product })
}

/** Inserts the row of a new room. From then on its name is reserved and it counts towards the region's capacity. */
async function insertRoom(tx: Tx, id: string, room: NewRoom): Promise<void> {
  const columns = inSnakeCase({
    ...columnsOf(roomFieldsWith('creation'), room),
    licences: room.licenses,
    licencesInformation: room.licensesInformation,
    subLicences: room.subLicenses,
  })
  await queryRows(tx, insertNewRoom, [id, JSON.stringify(columns)])
}

const insertNewRoom = `
  insert into rooms (id, state, ${createdColumns})
  select $1, 'IN_PROGRESS', ${createdColumns} from jsonb_populate_record(null::rooms, $2::jsonb)`
