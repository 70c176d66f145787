/**
 * Each wrong region is caught by the checks that it names, and each check catches one. docs/region/conformance.md tells
 * the outcome: `npm test unit -- apps/region/test/wrong-regions.test.ts -u` writes it anew.
 */
import { fileURLToPath } from 'node:url'
import { type CheckOutcome, conformanceChecks, runConformance } from '@roomkeeper/region-protocol/conformance'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { conformancePage } from './conformance-page.ts'
import { type RegionProcess, startRegion, systemPassword } from './region-process.ts'
import { wrongRegions } from './wrong-regions/index.ts'
import { startWrongRegion, type WrongRegion } from './wrong-regions/wrong-region.ts'

let shared: RegionProcess
beforeAll(async () => {
  shared = await startRegion()
})
afterAll(() => shared.remove())

const outcomes = new Map<WrongRegion, CheckOutcome[]>()

test.concurrent.each(wrongRegions)(
  '$name is caught: $does',
  async (wrong) => {
    const found = await outcomesOf(wrong)
    outcomes.set(wrong, found)
    expect(found.map(({ check }) => check.name).sort()).toEqual(Object.keys(wrong.caughtBy).sort())
    for (const { check, state, text } of found) {
      expect([state, text], check.name).toEqual(['failed', expect.stringContaining(wrong.caughtBy[check.name] ?? '')])
    }
  },
  120_000,
)

test('each check catches a wrong region', () => {
  const checks = conformanceChecks.map(({ name }) => name)
  const catching = new Set(wrongRegions.flatMap(({ caughtBy }) => Object.keys(caughtBy)))
  expect([...catching].filter((name) => !checks.includes(name))).toEqual([])
  expect(checks.filter((name) => !catching.has(name))).toEqual([])
})

test('docs/region/conformance.md tells of each region what the kit has said', async () => {
  const page = fileURLToPath(new URL('../../../docs/region/conformance.md', import.meta.url))
  await expect(conformancePage(wrongRegions.map((wrong) => [wrong, outcomes.get(wrong) ?? []]))).toMatchFileSnapshot(
    page,
  )
})

async function outcomesOf(wrong: WrongRegion): Promise<CheckOutcome[]> {
  const reference = wrong.isAlone ? await startRegion() : shared
  const { url, restart, stop } = await startWrongRegion(reference, wrong)
  const found: CheckOutcome[] = []
  try {
    const target = { ...reference.address, url, systemPassword, restart }
    await runConformance(target, (outcome) => found.push(outcome), { only: Object.keys(wrong.caughtBy) })
  } finally {
    await stop()
    if (wrong.isAlone) await reference.remove()
  }
  return found
}
