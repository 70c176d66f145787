import { expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { noUndo, type Operation, operation, type Step, type StepCall, step } from './operation.ts'

const size = step({ id: 'size', title: 'reckon the size', output: z.int(), run: async () => 1, undo: noUndo })
const silent = { id: 'silent', title: 'say nothing', run: async () => undefined, undo: noUndo }

it('what a step answers has the type of its schema, and a step without one cannot be read', () => {
  const read = (call: StepCall<unknown>) => call.output(size)
  expectTypeOf<ReturnType<typeof read>>().toEqualTypeOf<number>()
  // @ts-expect-error the step has no output
  const unreadable = (call: StepCall<unknown>) => call.output(silent)
  // @ts-expect-error `run` answers a string, the schema wants a number
  const wrong = () => step({ id: 'wrong', title: 'wrong', output: z.int(), run: async () => 'one', undo: noUndo })
  // @ts-expect-error a step that answers something needs a schema for it
  const unsaid: Step<unknown> = { id: 'unsaid', title: 'unsaid', run: async () => 1, undo: noUndo }
  expect([unreadable, wrong, unsaid]).toHaveLength(3)
})

it('a kind with two steps of one id is refused', () => {
  const kind = { kind: 'twice', steps: [silent, size, silent] } as unknown as Operation<unknown>
  expect(() => operation(kind)).toThrow('twice: two steps have the same id.')
})
