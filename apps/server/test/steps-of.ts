import { registeredKinds } from '#app/operation-kinds.ts'
import { type Operation, operationKinds } from '#operations/index.ts'

const kinds = operationKinds(registeredKinds)

/** The newest version of a kind. */
export function kindOf(kind: string): Operation<unknown> {
  const found = kinds.newest(kind)
  if (found === undefined) throw new Error(`No kind ${kind} is registered.`)
  return found
}

/** The ids of the kind's steps, in order. */
export function stepsOf(kind: string): string[] {
  return kindOf(kind).steps.map(({ id }) => id)
}
