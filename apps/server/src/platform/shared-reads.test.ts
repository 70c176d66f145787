import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { sharedLookUps, sharedReads } from './shared-reads.ts'

it('a read begins after everybody asked who is answered by it; those who wait for the same share one', async () => {
  let truth = 'before'
  const reads: { asked: { page: number }; answer: PromiseWithResolvers<void> }[] = []
  const read = sharedReads(async (asked: { page: number }) => {
    const seen = truth
    const answer = Promise.withResolvers<void>()
    reads.push({ asked, answer })
    await answer.promise
    return { seen }
  })
  const first = read({ page: 0 })
  const other = read({ page: 1 })
  truth = 'after'
  const waiting = [read({ page: 0 }), read({ page: 0 })]
  expect(reads.map(({ asked }) => asked.page)).toEqual([0, 1])
  for (const { answer } of reads.splice(0)) answer.resolve()
  expect(await Promise.all([first, other])).toEqual([{ seen: 'before' }, { seen: 'before' }])
  expect(reads.map(({ asked }) => asked.page)).toEqual([0])
  reads[0]?.answer.resolve()
  const [one, two] = await Promise.all(waiting)
  expect(one).toEqual({ seen: 'after' })
  expect(two).toBe(one)
})

it('a read that takes long holds up nobody for long, and its failure is that of those who share it only', async () => {
  const hanging = Promise.withResolvers<never>()
  let reads = 0
  const read = sharedReads(async (asked: string) => (reads++ === 0 ? hanging.promise : asked))
  const first = read('a')
  expect(await Promise.all([read('a'), read('a')])).toEqual(['a', 'a'])
  expect(reads).toBe(2)
  hanging.reject(new Error('no answer'))
  await expect(first).rejects.toThrow('no answer')
  await pause(0)
  expect(await read('a')).toBe('a')
  expect(reads).toBe(3)
})

it('a failure is that of all who share the read, and the next ones are read anew', async () => {
  const begun: PromiseWithResolvers<string>[] = []
  const read = sharedReads((_: string) => {
    const answer = Promise.withResolvers<string>()
    begun.push(answer)
    return answer.promise
  })
  const first = read('a')
  const sharing = Promise.allSettled([read('a'), read('a')])
  begun[0]?.resolve('good')
  expect(await first).toBe('good')
  begun[1]?.reject(new Error('broken'))
  expect((await sharing).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const next = read('a')
  begun[2]?.resolve('good again')
  expect(await next).toBe('good again')
})

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
