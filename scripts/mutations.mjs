/**
 * `npm run mutations`: breaks the product on purpose, in one place at a time, and reports whether the tests notice. What
 * survives is a gap in the tests, or broke nothing.
 *
 *   npm run mutations -- pure      modules without servers, which Stryker breaks everywhere: stryker.config.json
 *   npm run mutations -- safety    what keeps data and access safe: scripts/mutations/safety.mjs; all, or some by id
 *   npm run mutations              both
 */
import { spawnSync } from 'node:child_process'
import { safetyMutations } from './mutations/safety.mjs'
import { tryAll } from './mutations/try-all.mjs'
import { ensureInstalled, environment, ownNode, root } from './prepare.mjs'

const [only, ...given] = process.argv.slice(2)
const chosen =
  given.length === 0 || only === 'pure' ? safetyMutations : safetyMutations.filter(({ id }) => given.includes(id))
if (![undefined, 'pure', 'safety'].includes(only) || chosen.length === 0) {
  console.error('Usage: npm run mutations [-- pure <options of Stryker> … | -- safety <id> …]')
  process.exit(2)
}

ensureInstalled()
if (only !== 'safety') {
  const args = ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run', ...(only === 'pure' ? given : [])]
  const { status } = spawnSync(ownNode, args, { cwd: root, env: environment, stdio: 'inherit' })
  process.exitCode = status ?? 1
}
if (only !== 'pure') await tryAll(chosen)
