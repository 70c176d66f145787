/** While servers are upgraded one by one, a new console also reads answers of the previous release's servers. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { problem, projectRoom, type RouteName, roomList, routes } from './index.ts'
import { readLeniently } from './lenient-answer.ts'

const id = '00000000-0000-4000-8000-000000000001'
const at = '2026-11-22T12:00:00.000Z'
const running = { operationId: id, processType: 0, step: 'create the room', progress: 0.5 }
const room = {
  tenantName: 'alpha',
  product: 0,
  edition: 0,
  region: 1,
  regionName: 'region-1',
  regionIsMigrationTarget: false,
  sapNumber: '4711',
  sapNumberLast: null,
  productType: 1,
  expirationDate: null,
  expirationDateFromLocalDate: null,
  creationDate: at,
  customerFirstName: 'Ada',
  customerLastName: 'Byron',
  customerEmail: 'owner@example.com',
  customerContactDetails: null,
  companyName: 'Example',
  salesman: null,
  salesmanEmail: 'sales@example.com',
  additionalEmail: null,
  projectRoomState: 'IN_PROGRESS',
  priority: 0,
  errorMessage: null,
  licenses: { YABD: 1 },
  licensesInformation: [],
  subLicenses: [],
  subMiningType: 'NONE',
  options: null,
  version: 1,
  runningOperation: running,
  failedOperationId: null,
}
const obstacle = { kind: 'busy', effect: 'postponed', text: 'Another operation is running for this project room.' }
const finding = {
  id,
  kind: 'backup-altered',
  severity: 'error',
  projectRoomName: 'alpha',
  isRoomKnown: true,
  regionName: null,
  text: 'The backup of alpha has 3 bytes instead of 4.',
  facts: { room: 'alpha', what: '3 bytes instead of 4' },
  since: at,
  seenAt: at,
  closedAt: null,
  repairs: [],
  operationId: null,
}

const entry = {
  id: 1,
  at,
  actor: 'system',
  action: 'room.create',
  room: 'alpha',
  operationId: id,
  detail: null,
  changes: [],
  requestId: null,
}

const answers: [RouteName, unknown, unknown][] = [
  [
    'room',
    room,
    { runningOperation: { step: 'create the room', stepId: null }, errorReasons: [], regionState: 'enabled' },
  ],
  ['roomHistory', { data: [entry], totalElements: 1, totalPages: 1 }, { data: [{ outcome: null }] }],
  [
    'runningOperations',
    [{ ...running, projectRoomName: 'alpha', startedAt: at, startedBy: 'admin@localhost' }],
    [{ step: 'create the room', stepId: null }],
  ],
  [
    'operationLog',
    {
      state: 'running',
      steps: [{ name: 'create the room', state: 'running', startedAt: at, endedAt: null }],
      lines: [{ n: 1, at, level: 'error', text: 'create the room: No.' }],
      errorText: 'No.',
    },
    { steps: [{ id: '', name: 'create the room' }], lines: [{ reasons: [] }], errorReasons: [] },
  ],
  [
    'liveMigrationProgress',
    {
      operationId: id,
      state: 'RUNNING',
      startedAt: at,
      endedAt: null,
      startedBy: 'admin@localhost',
      total: 1,
      done: 0,
      inFlight: 1,
      waiting: 0,
      postponed: 0,
      failed: 0,
      bytesMoved: 0,
      bytesPerSecond: null,
      secondsLeft: null,
      rooms: [
        { projectRoomName: 'alpha', state: 'running', operationId: id, step: 'lock', progress: 0.5, reason: null },
      ],
    },
    { rooms: [{ step: 'lock', stepId: null, reasons: [] }] },
  ],
  ['migrationStateLogs', { logInfo: '', errorInfo: 'No.' }, { errorInfo: 'No.', errorReasons: [] }],
  [
    'preflightLiveMigration',
    {
      totalElements: 1,
      totalPages: 1,
      obstacles: [obstacle],
      rooms: [
        {
          projectRoomName: 'alpha',
          projectRoomState: 'DEFAULT',
          priority: 0,
          bytes: null,
          seconds: null,
          obstacles: [obstacle],
        },
      ],
    },
    { obstacles: [obstacle], rooms: [{ obstacles: [obstacle] }] },
  ],
  [
    'doctorFindings',
    { data: [finding], totalElements: 1, totalPages: 1, lastRun: null },
    { data: [{ facts: finding.facts, reasons: {} }] },
  ],
  [
    'repairFinding',
    { reason: 'The region is disabled.', changes: [] },
    { reason: 'The region is disabled.', reasons: [], changes: [] },
  ],
]

test.each(answers)('an answer of %s is read', (name, answer, read) => {
  const schema: Partial<Record<number, z.ZodType | true>> = routes[name].answers
  expect(z.decode(schema[200] as z.ZodType, answer)).toMatchObject(read as object)
})

const unknownParams = { of: null, is: true, all: ['a'], text: 'kept', reason: { code: 'new', params: { n: null } } }
const notRead = { code: 'not-read', params: {} }
const readParams = { of: notRead, is: notRead, all: notRead, text: 'kept', reason: { params: { n: notRead } } }

test('parameters and reasons of a newer server that this release cannot read leave the rest of the answer', () => {
  const reasons = [{ code: 'new', params: unknownParams }, null, 'text', { params: 1 }]
  const answer = z.decode(routes.room.answers[200] as z.ZodType, {
    ...room,
    errorMessage: 'No.',
    errorReasons: reasons,
  })
  expect(answer).toMatchObject({
    errorMessage: 'No.',
    errorReasons: [{ code: 'new', params: readParams }, notRead, notRead, notRead],
  })
  const refused = { type: 'urn:roomkeeper:new', title: 'New', status: 409, detail: 'No.', instance: '/api' }
  const errors = [{ field: 'x', message: 'No.', code: 'new', params: unknownParams }]
  expect(z.decode(problem, { ...refused, params: unknownParams, errors })).toMatchObject({
    ...refused,
    params: readParams,
    errors: [{ message: 'No.', params: readParams }],
  })
})

test('words and numbers of a newer server that this release does not know are kept as they are, in every row', () => {
  const schema = roomList
  const rows = [
    room,
    {
      ...room,
      projectRoomState: 'HIBERNATED',
      product: 9,
      edition: 77,
      runningOperation: { ...running, processType: 99 },
    },
    { ...room, productType: 55 },
  ]
  const page = { data: rows, totalElements: 3, totalPages: 1, licenses: null }
  expect(z.safeDecode(schema, page as never).success).toBe(false)
  const { data } = readLeniently(schema, page) as z.output<typeof roomList>
  expect(data[0]).toEqual(z.decode(projectRoom, room as never))
  expect(data[1]).toMatchObject({
    projectRoomState: 'HIBERNATED',
    product: '9',
    edition: '77',
    runningOperation: { processType: '99' },
  })
  expect(data[2]).toMatchObject({ productType: '55', edition: 'basic' })
  // Anything else stays an error.
  expect(() => readLeniently(schema, { ...page, data: [{ ...room, version: 'x', product: 9 }] })).toThrow()
})

test('a refusal is read, and keeps its texts', () => {
  const refused = {
    type: 'urn:roomkeeper:invalid-input',
    title: 'Invalid input',
    status: 400,
    detail: 'Please enter the project room name.',
    instance: '/api/operator/create',
    errors: [{ field: 'tenantName', message: 'Please enter the project room name.' }],
  }
  expect(z.decode(problem, refused)).toMatchObject(refused)
})
