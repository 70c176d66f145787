/** While servers are upgraded one by one, a page that was opened before reads answers of newer servers. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { problem, projectRoom, roomList, routes } from './index.ts'
import { readLeniently } from './lenient-answer.ts'

const id = '00000000-0000-4000-8000-000000000001'
const at = '2026-11-22T12:00:00.000Z'
const running = {
  operationId: id,
  processType: 0,
  step: 'create the room',
  stepId: 'create-room',
  progress: 0.5,
  isBeingPutBack: false,
  waiting: null,
}
const room = {
  tenantName: 'alpha',
  product: 0,
  edition: 0,
  region: 1,
  regionName: 'region-1',
  regionIsMigrationTarget: false,
  regionState: 1,
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
  errorReasons: [],
  licenses: { YABD: 1 },
  licensesInformation: [],
  subLicenses: [],
  subMiningType: 'NONE',
  options: null,
  version: 1,
  runningOperation: running,
  failedOperationId: null,
  lastBackupAt: null,
  lastBackupVerifiedAt: null,
  labels: [],
  pinnedNotes: [],
} satisfies z.input<typeof projectRoom>
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
