/** `postinstall`: notes what was installed, so that it is not installed again, which would remove modules under running processes. */
import { markInstalled } from './prepare.mjs'

markInstalled()
