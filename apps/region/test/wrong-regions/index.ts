/** All wrong regions, in the order of docs/region/conformance.md. */
import { wrongCalls } from './wrong-calls.ts'
import { wrongContents } from './wrong-contents.ts'
import { wrongFiles } from './wrong-files.ts'
import { wrongJobs } from './wrong-jobs.ts'
import { wrongLeaks } from './wrong-leaks.ts'
import type { WrongRegion } from './wrong-region.ts'
import { wrongLocks, wrongRestarts } from './wrong-restarts.ts'
import { wrongRooms } from './wrong-rooms.ts'
import { wrongStores } from './wrong-stores.ts'
import { wrongWrites } from './wrong-writes.ts'

export const wrongRegions: readonly WrongRegion[] = [
  // These wait, so they have to begin first.
  ...wrongLocks,
  ...wrongRestarts,
  ...wrongCalls,
  ...wrongRooms,
  ...wrongJobs,
  ...wrongStores,
  ...wrongContents,
  ...wrongWrites,
  ...wrongFiles,
  ...wrongLeaks,
]
