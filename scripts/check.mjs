/**
 * `npm run check`: runs every check below, some at the same time, because most keep only one core busy. Prints what a
 * check says when it has ended. Exits with 1 if one failed.
 */
import { spawn } from 'node:child_process'
import { cpus } from 'node:os'
import { ensureInstalled, environment, ownNode, root } from './prepare.mjs'

ensureInstalled()
/** Other checks read the routes that it generates. */
const first = ['console routes', 'node_modules/@tanstack/router-cli/bin/tsr.cjs', ['generate'], 'apps/console']
/** The longest first, so that the last one does not run alone. */
const checks = [
  ['import rules', 'scripts/check-imports.mjs', []],
  ['format and lint', 'node_modules/@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.']],
  ['types', 'node_modules/typescript-7/bin/tsc', ['-p', '.']],
  // Apart, because the command line must compile for Node 20.
  ['types of the command line', 'node_modules/typescript-7/bin/tsc', ['-p', 'apps/cli']],
  ['types of the console', 'node_modules/typescript-7/bin/tsc', ['-p', 'apps/console']],
  ['coverage of the specification', 'scripts/specification/coverage.mjs', ['--check']],
  ['errors', 'scripts/check-errors.mjs', []],
  ['styles', 'scripts/check-styles.mjs', []],
  ['OpenAPI documents', 'scripts/check-openapi.mjs', []],
  ['documentation', 'scripts/check-docs.mjs', []],
  ['docs/settings.md', 'scripts/settings-page.mjs', ['--check']],
  ['docs/region', 'scripts/region-pages.mjs', ['--check']],
  ['dead code', 'node_modules/knip/bin/knip.js', []],
]
// Each takes some hundred megabytes.
const atOnce = Math.min(cpus().length, 4)
const failed = []
await runCheck(first)
await Promise.all(Array.from({ length: atOnce }, runThoseLeft))
process.exit(failed.length > 0 ? 1 : 0)

async function runThoseLeft() {
  for (let next = checks.shift(); next !== undefined; next = checks.shift()) await runCheck(next)
}

async function runCheck([name, tool, args, folder = '.']) {
  const path = folder === '.' ? tool : `../../${tool}`
  const env = process.stdout.isTTY ? { FORCE_COLOR: '1', ...environment } : environment
  const child = spawn(ownNode, [path, ...args], { cwd: `${root}/${folder}`, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(chunk))
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      said.push(Buffer.from(`${tool} could not be started: ${error.message}\n`))
      resolve(1)
    })
    child.once('close', (status) => resolve(status ?? 1))
  })
  process.stdout.write(Buffer.concat(said))
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name}`)
  if (code !== 0) failed.push(name)
}
