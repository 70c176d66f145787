import { expect, test } from 'vitest'
import { z } from 'zod'
import { boundedJson } from './bounds.ts'
import * as protocol from './index.ts'

const schemas = Object.entries<unknown>({ ...protocol, ...protocol.jobResults }).flatMap(([name, each]) =>
  each instanceof z.ZodType ? [[name, each] as const] : [],
)
const answers = Object.entries(protocol.regionRoutes).flatMap(([name, { answer }]) =>
  typeof answer === 'string' ? [] : [[`the answer to ${name}`, answer] as const],
)

test('there are schemas to look at', () => {
  expect(schemas.length).toBeGreaterThan(20)
  expect(answers.length).toBeGreaterThan(15)
})

test.each([...schemas, ...answers])('whatever %s holds is of limited number', (_, schema) => {
  expect(endless(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))).toEqual([])
})

test('what is without a limit is found', () => {
  const schema = z.object({ lists: z.array(z.array(z.string())).max(3), counts: z.record(z.string(), z.int()) })
  expect(endless(z.toJSONSchema(schema))).toEqual(['.properties.lists.items', '.properties.counts'])
})

test('a text that says too much is no JSON, however short its words are', () => {
  expect(boundedJson('[1,{"a":[]}]', 4)).toEqual([1, { a: [] }])
  for (const text of ['[1,{"a":[]}]', '[[[[', '1,1,1,1,']) expect(boundedJson(text, 3)).toBeUndefined()
})

const time = '2030-01-01T00:00:00.000Z'
const roomId = '00000000-0000-4000-8000-000000000000'
const licences = (length: number) => Array(length).fill({ licenseKey: 'YAAD', licenseAmount: 3, licenseType: 'NUC' })
const settings = {
  licences: licences(22),
  subLicences: [],
  subMiningType: 'NONE',
  expirationDate: null,
  contacts: {
    companyName: 'Acme, Inc.',
    customerFirstName: 'Ada',
    customerLastName: 'Lovelace',
    customerContactDetails: null,
    ownerEmail: 'ada@acme.example',
    delegateEmail: null,
  },
}

test('the manifest of a backup of 10,000 files is read', () => {
  const files = Array.from({ length: 10_000 }, (_, index) => {
    const path = `databases/${String(index).padEnd(60, 'x')}.db`
    return { path, size: 1_000_000, sha256: '0'.repeat(64) }
  })
  const manifest = { format: 1, kind: 'product', createdAt: time, room: 'acme', product: 'ARIS', edition: 'advanced' }
  const whole = { ...manifest, schemaVersion: 1, ...settings, licences: licences(1000), files }
  expect(protocol.parseManifest(JSON.stringify(whole, null, 2))).toEqual(whole)
})

test('the longest page of rooms, and 50,000 sessions, are taken', () => {
  const databases = Array.from({ length: 20 }, (_, index) => `database ${index}`)
  const rooms = Array.from({ length: 1000 }, (_, index) => ({
    ...{ name: `room${index}`, roomId, product: 'ARIS', edition: 'advanced', state: 'active', locked: false },
    ...{ size: 1_000_000, schemaVersion: 2, expirationDate: null, databases, settings },
  }))
  const session = { id: roomId, userId: roomId, user: 'ada@acme.example', startedAt: time }
  const sessions = Array(50_000).fill({ ...session, lastActiveAt: time, expiresAt: time })
  expect(protocol.roomPage.validate(boundedJson(JSON.stringify({ rooms, next: null })))).toBe(true)
  expect(protocol.userSessions.validate(boundedJson(JSON.stringify(sessions)))).toBe(true)
})

/** The paths of all lists without a maximum and all objects with arbitrary fields. */
function endless(described: object, at = ''): string[] {
  const { type, maxItems, maxProperties, additionalProperties } = described as Record<string, unknown>
  const isEndless =
    (type === 'array' && maxItems === undefined) ||
    (typeof additionalProperties === 'object' && maxProperties === undefined)
  const within = Object.entries(described).flatMap(([key, each]) =>
    typeof each === 'object' && each !== null ? endless(each as object, `${at}.${key}`) : [],
  )
  return isEndless ? [at, ...within] : within
}
