/** `postinstall`: what was installed need not be installed again, which would take it away from processes that run. */
import { markInstalled } from './prepare.mjs'

markInstalled()
