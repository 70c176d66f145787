import { registeredKinds } from '#app/operation-kinds.ts'
import { type Operation, operationKinds } from '#operations/index.ts'
import type { RoomServices } from '#rooms/index.ts'

const kinds = operationKinds<RoomServices>(registeredKinds)

/** The newest version of a kind. */
export function kindOf(kind: string): Operation<unknown, RoomServices> {
  const found = kinds.newest(kind)
  if (found === undefined) throw new Error(`No kind ${kind} is registered.`)
  return found
}

/** The ids of the kind's steps, in order. */
export function stepsOf(kind: string): string[] {
  return kindOf(kind).steps.map(({ id }) => id)
}
