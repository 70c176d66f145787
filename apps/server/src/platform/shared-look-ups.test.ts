import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { sharedLookUps } from './shared-look-ups.ts'

it('a look-up is answered by a statement that began after it was asked for; those who wait share one', async () => {
  let truth = 'before'
  const statements: { keys: readonly string[]; answer: PromiseWithResolvers<void> }[] = []
  const lookUp = sharedLookUps(async (keys: readonly string[]) => {
    const seen = truth
    const answer = Promise.withResolvers<void>()
    statements.push({ keys, answer })
    await answer.promise
    return keys.map((key) => `${key} ${seen}`)
  })
  const first = lookUp('a')
  truth = 'after'
  const waiting = [lookUp('a'), lookUp('b'), lookUp('a')]
  expect(statements.map(({ keys }) => keys)).toEqual([['a']])
  statements[0]?.answer.resolve()
  expect(await first).toBe('a before')
  expect(statements.map(({ keys }) => keys)).toEqual([['a'], ['a', 'b', 'a']])
  statements[1]?.answer.resolve()
  expect(await Promise.all(waiting)).toEqual(['a after', 'b after', 'a after'])
})

it('a statement that takes long holds up nobody for long, and its failure is that of its own look-ups only', async () => {
  const hanging = Promise.withResolvers<never>()
  let statements = 0
  const lookUp = sharedLookUps(async (keys: readonly string[]) => (statements++ === 0 ? hanging.promise : keys))
  const first = lookUp('a')
  expect(await lookUp('b')).toBe('b')
  hanging.reject(new Error('no answer'))
  await expect(first).rejects.toThrow('no answer')
  await pause(0)
  expect(await lookUp('c')).toBe('c')
  expect(statements).toBe(3)
})
