/** The command palette; the header loads CommandPalette.tsx when it is opened. */
export { collectTyping } from './early-typing.ts'
export { screenIcons } from './screen-icons.ts'
export { rowScreens, type Screen, screenAt, screensOf, settingsScreens } from './screens.ts'
