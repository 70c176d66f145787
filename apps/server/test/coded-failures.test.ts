/** Failures are stored as a text and as the codes of its sentences; the two always belong together. */
import { because, englishReasons, type Reasons } from '@roomkeeper/contract'
import { bootNetwork, type Network, roomDraft } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { refuse } from '#platform/refuse.ts'
import { longestText, shownReasons, storedReasons } from '#platform/stored-reasons.ts'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: 1 })
})
afterAll(() => network?.stop())

const stored: Reasons = [because('told-by-region', { told: 'No.' }), because('not-all-put-back')]

it('a failed creation tells its room and its log what its text says, in codes', async () => {
  const body = roomDraft()
  await network.planFault('room.create:create-room:after:fail')
  const { operationId } = (await network.admin.call('createRoom', { body })).body
  await network.settle()
  const room = (await network.admin.call('room', { query: { projectRoom: body.tenantName } })).body
  expect(room.projectRoomState).toBe('ERROR')
  expect(room.errorReasons.length).toBeGreaterThan(0)
  expect(englishReasons(room.errorReasons as Reasons)).toBe(room.errorMessage)
  const log = (await network.admin.call('operationLog', { query: { processId: operationId } })).body
  expect(log.errorReasons).toEqual(room.errorReasons)
  for (const { reasons, text } of log.lines) expect(englishReasons(reasons as Reasons)).toBe(text)
  expect(log.lines.flatMap(({ reasons }) => reasons.map(({ code }) => code))).toContain('log-name-free')
})

it('what regions say at any length is cut in the codes as in the text', () => {
  const endless = because('told-by-region', { told: '\0x'.repeat(longestText) })
  expect(storedReasons([endless, endless, endless]).text.length).toBeLessThanOrEqual(longestText)
  const shown = shownReasons([endless, endless, endless])
  expect(JSON.stringify(shown).length).toBeLessThan(longestText + 100)
  expect(JSON.stringify(shown)).not.toContain('\\u0000')
  expect(shownReasons(stored)).toEqual(stored)
})

it('a refusal that makes a step fail keeps its code and its parameters beside its English text', () => {
  const told = 'The region north is disabled.'
  expect(refuse('region-disabled', { region: 'north' }).reason).toEqual({
    code: 'told',
    params: { told, region: 'north', refusal: 'region-disabled' },
  })
  expect(englishReasons([refuse('region-disabled', { region: 'north' }).reason])).toBe(told)
  const reason = because('backup-not-here')
  expect(refuse('wrong-state', { reason }).reason).toEqual(reason)
})
