/** Notes of project rooms: all of a room, and those that are pinned, before something is done with rooms. */
import { onDemand } from '#ui/on-demand.tsx'

export { PinnedNotes } from './PinnedNotes.tsx'

export const Notes = onDemand(() => import('./Notes.tsx'), 'Notes')
