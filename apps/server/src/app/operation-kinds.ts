/** All kinds of operations that this version knows, each in one version or several. */
import { doctorOperations } from '#doctor/index.ts'
import { migrationOperations } from '#live-migrations/index.ts'
import { roomOperations } from '#rooms/index.ts'

export const registeredKinds = [...roomOperations, ...migrationOperations, ...doctorOperations] as const
