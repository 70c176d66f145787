/** Runs a TypeScript program with the Node that the project brings. */
import { ensureInstalled, ownNode, run } from './prepare.mjs'

ensureInstalled()
run(ownNode, process.argv.slice(2))
