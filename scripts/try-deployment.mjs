/** `npm run deploy:try`: prepares, and starts what deploy/compose.yaml describes without containers. */
import { ensureConsoleBuilt, ensureInstalled, ownNode, run } from './prepare.mjs'

ensureInstalled()
ensureConsoleBuilt()
run(ownNode, ['packages/dev-env/src/deployment/try.ts'])
