/** Runs a TypeScript program with the Node that the project brings. */
import { ensureInstalled, ownNode } from './prepare.mjs'
import { runToItsEnd } from './run-to-its-end.mjs'

ensureInstalled()
runToItsEnd(ownNode, process.argv.slice(2))
