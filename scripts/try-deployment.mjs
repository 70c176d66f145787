/** `npm run deploy:try`: prepares, and starts what deploy/compose.yaml describes without containers. */
import { ensureConsoleBuilt, ensureInstalled, ownNode } from './prepare.mjs'
import { runToItsEnd } from './run-to-its-end.mjs'

const [given] = process.argv.slice(2)
if (given !== undefined) {
  console.log(
    'npm run deploy:try starts what deploy/compose.yaml describes, without containers, until Ctrl+C. It takes nothing.',
  )
  process.exit(given === '--help' || given === '-h' ? 0 : 2)
}
ensureInstalled()
ensureConsoleBuilt()
runToItsEnd(ownNode, ['packages/dev-env/src/deployment/try.ts'])
