/**
 * Each wrong region is caught by the checks that it names, and each check catches one. docs/region/conformance.md tells
 * the outcome: `npm test unit -- apps/region/test/wrong-regions.test.ts -u` writes it anew.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type CheckOutcome, conformanceChecks, runConformance } from '@roomkeeper/region-protocol/conformance'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { conformancePage } from './conformance-page.ts'
import { systemPassword } from './region-process.ts'
import { wrongRegions } from './wrong-regions/index.ts'
import { sloppyDigest, unpackedRoom } from './wrong-regions/sloppy-digest.ts'
import { type Reference, startReference, startWrongRegion, type WrongRegion } from './wrong-regions/wrong-region.ts'
import { wrongLocks } from './wrong-regions/wrong-restarts.ts'

const outcomes = new Map<WrongRegion, Promise<CheckOutcome[]>>()
let shared: Reference
let restarted: Reference
beforeAll(async () => {
  shared = await startReference(wrongRegions.length)
  const together = wrongRegions.filter(({ restarts }) => restarts === 'together')
  restarted = await startReference(together.length)
  // Those that wait for each other, or for the end of a lock, begin at once.
  for (const wrong of together) outcomes.set(wrong, outcomesOf(wrong, restarted))
  for (const wrong of wrongLocks) outcomes.set(wrong, outcomesOf(wrong, shared))
})
afterAll(() => Promise.all([shared?.remove(), restarted?.remove()]))

test.concurrent.each(wrongRegions)(
  '$name is caught: $does',
  async (wrong) => {
    const running =
      outcomes.get(wrong) ?? outcomesOf(wrong, wrong.restarts === 'alone' ? await startReference(1) : shared)
    outcomes.set(wrong, running)
    const found = await running
    expect(found.map(({ check }) => check.name).sort()).toEqual(Object.keys(wrong.caughtBy).sort())
    for (const { check, state, text } of found) {
      expect([state, text], check.name).toEqual(['failed', expect.stringContaining(wrong.caughtBy[check.name] ?? '')])
    }
  },
  480_000,
)

test('a digest without a mistake is that of the vector', async () => {
  const lines = new URL('../../../packages/region-protocol/vectors/files/room.lines', import.meta.url)
  expect(sloppyDigest(await unpackedRoom())).toBe(createHash('sha256').update(readFileSync(lines)).digest('hex'))
})

test('each check catches a wrong region', () => {
  const checks = conformanceChecks.map(({ name }) => name)
  const catching = new Set(wrongRegions.flatMap(({ caughtBy }) => Object.keys(caughtBy)))
  expect([...catching].filter((name) => !checks.includes(name))).toEqual([])
  expect(checks.filter((name) => !catching.has(name))).toEqual([])
})

test('docs/region/conformance.md tells of each region what the kit has said', async () => {
  const page = fileURLToPath(new URL('../../../docs/region/conformance.md', import.meta.url))
  const found = wrongRegions.map(async (wrong) => [wrong, (await outcomes.get(wrong)) ?? []] as const)
  await expect(conformancePage(await Promise.all(found))).toMatchFileSnapshot(page)
})

async function outcomesOf(wrong: WrongRegion, reference: Reference): Promise<CheckOutcome[]> {
  const { url, restart, stop } = await startWrongRegion(reference, wrong)
  const found: CheckOutcome[] = []
  try {
    const target = { ...reference.region.address, url, systemPassword, restart }
    await runConformance(target, (outcome) => found.push(outcome), { only: Object.keys(wrong.caughtBy) })
  } finally {
    stop()
    if (wrong.restarts === 'alone') await reference.remove()
  }
  return found
}
