/** `npm run build`: builds the console, of what is installed. */
import { buildConsole } from './prepare.mjs'

buildConsole()
