/**
 * `npm run check`: format, lint, types, import rules, documentation, dead code. Runs all; exits with 1 if one failed.
 */
import { spawnSync } from 'node:child_process'
import { ensureInstalled, environment, ownNode, root } from './prepare.mjs'

ensureInstalled()
const checks = [
  ['format and lint', 'node_modules/@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.']],
  ['console routes', 'node_modules/@tanstack/router-cli/bin/tsr.cjs', ['generate'], 'apps/console'],
  ['types', 'node_modules/typescript-7/bin/tsc', ['-p', '.']],
  ['types of the console', 'node_modules/typescript-7/bin/tsc', ['-p', 'apps/console']],
  ['import rules', 'scripts/check-imports.mjs', []],
  ['errors', 'scripts/check-errors.mjs', []],
  ['coverage of the specification', 'scripts/specification/coverage.mjs', ['--check']],
  ['mutations', 'scripts/mutations.mjs', ['--check']],
  ['OpenAPI document', 'scripts/check-openapi.mjs', []],
  ['documentation', 'scripts/check-docs.mjs', []],
  ['docs/settings.md', 'scripts/settings-page.mjs', ['--check']],
  ['dead code', 'node_modules/knip/bin/knip.js', []],
]
const failed = []
for (const [name, tool, args, folder = '.'] of checks) {
  const path = folder === '.' ? tool : `../../${tool}`
  const { status } = spawnSync(ownNode, [path, ...args], {
    cwd: `${root}/${folder}`,
    env: environment,
    stdio: 'inherit',
  })
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name}`)
  if (status !== 0) failed.push(name)
}
process.exit(failed.length > 0 ? 1 : 0)
