/** The command palette; the header loads CommandPalette.tsx when it is opened. */
export { collectTyping } from './early-typing.ts'
export { type Screen, screensOf } from './screens.ts'
