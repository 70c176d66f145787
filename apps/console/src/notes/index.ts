/** Notes of project rooms: those that are pinned, wherever something is done with the rooms. */
export { PinnedNotes } from './PinnedNotes.tsx'
