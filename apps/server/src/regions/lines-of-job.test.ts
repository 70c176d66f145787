import { englishReasons, type Reasons } from '@roomkeeper/contract'
import { expect, it } from 'vitest'
import { linesOf } from './run-region-job.ts'

it('a line is cut at 2,000 characters, and becomes text that PostgreSQL takes', async () => {
  const { call, log } = newCall()
  const pair = '\u{1f600}'
  const texts = ['a\0b', 'half \ud800 of a pair', 'x'.repeat(2001), `${'x'.repeat(1998)}${pair}x`, 'as it was']
  await linesOf(call).add(texts.map((text) => ({ level: 'info', text })))
  expect(log.map((line) => line.length)).toEqual([3, texts[1]?.length, 2000, 2000, 9])
  expect(log.every((line) => line.isWellFormed() && !line.includes('\0'))).toBe(true)
  expect(log.at(-1)).toBe('as it was')
})

it('of a job that says more than 10,000 lines no more are kept, also when its step is tried again', async () => {
  const { call, log } = newCall()
  const lines = Array.from({ length: 6000 }, (_, n) => ({ level: 'info' as const, text: `line ${n}` }))
  for (let tries = 0; tries < 3; tries += 1) await linesOf(call).add(lines)
  expect(log).toHaveLength(10_001)
  expect(log.at(-1)).toBe('More was said; it is not kept.')
})

function newCall() {
  const log: string[] = []
  return { log, call: { log: async (said: Reasons) => void log.push(englishReasons(said)) } }
}
