/**
 * What has to be in place before anything of the project can run. Works on any Node from 18 on, because the project
 * brings its own Node. Installs what is missing and builds the console if its sources changed.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const binaries = join(root, 'node_modules', '.bin')
/** A file beside the built console that names the sources of the build. */
const builtFrom = join(root, 'apps/console/dist/.built-from')
/** What the last whole `npm test` took, for `npm run size`. */
export const lastRun = join(root, 'node_modules', '.cache', 'roomkeeper', 'last-test-run.json')
/** The Node that the project brings. */
export const ownNode = join(binaries, process.platform === 'win32' ? 'node.cmd' : 'node')
export const environment = {
  // Node keeps there what it has compiled, so that the next start need not compile it again: about half of a start.
  NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'),
  ...process.env,
  PATH: `${binaries}${delimiter}${process.env.PATH ?? ''}`,
}

// Vitest sets NODE_ENV to `test`, and Vite would take React's development build, which is two to three times as slow.
const production = { ...environment, NODE_ENV: 'production' }

/**
 * npm 11 was seen to wait for ever for the rest of a package, after the registry had answered all it was asked for. It is
 * ended and run again then; what it has fetched is in its cache, so a slow network gets further with every try.
 */
const patience = { timeout: 5 * 60_000, tries: 6 }

/** What `node_modules` was installed from. Written after each `npm ci` and `npm install` (`postinstall`). */
const installedFrom = join(root, 'node_modules', '.installed-from')

export function markInstalled() {
  writeFileSync(installedFrom, hashOfLock())
}

export function ensureInstalled() {
  if (existsSync(installedFrom) && readFileSync(installedFrom, 'utf8') === hashOfLock() && existsSync(ownNode)) return
  const install = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  runQuietly('Installing what is missing (once, about a minute)', 'npm', install, { env: process.env, ...patience })
}

function hashOfLock() {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
}

export function ensureConsoleBuilt() {
  const wanted = hashOfConsole()
  if (existsSync(builtFrom) && readFileSync(builtFrom, 'utf8') === wanted) return
  const build = ['run', 'build', '--silent', '-w', '@roomkeeper/console']
  const what = 'Building the console (once for each version, about half a minute)'
  runQuietly(what, 'npm', build, { env: production })
  writeFileSync(builtFrom, wanted)
}

/** Builds the console, whether or not it has been built, and shows what the build says. */
export function buildConsole() {
  const from = hashOfConsole()
  run('npm', ['run', 'build', '-w', '@roomkeeper/console'], { env: production })
  // Nothing that needs a built console builds it again.
  writeFileSync(builtFrom, from)
}

function hashOfConsole() {
  const sources = ['apps/console', 'packages/contract', 'packages/rules', 'package-lock.json']
  const hash = createHash('sha256')
  for (const path of sources.flatMap((each) => filesBelow(join(root, each)))) {
    hash.update(relative(root, path)).update(readFileSync(path))
  }
  return hash.digest('hex')
}

/** Runs a program to its end. If it fails, exits with its exit code. */
export function run(program, args, options = {}) {
  const { status, error } = spawnSync(program, args, { cwd: root, env: environment, stdio: 'inherit', ...options })
  if (error !== undefined) console.error(`${program} could not be started: ${error.message}`)
  if (status !== 0) process.exit(status ?? 1)
}

/** Like `run`, but says in two lines what it does and how long it took; what the program says is shown if it fails. */
function runQuietly(what, program, args, options = {}) {
  console.log(`${what} …`)
  const began = Date.now()
  const { status, error, stdout, stderr } = runUntilItEnds(program, args, {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    ...options,
  })
  if (error === undefined && status === 0) {
    console.log(`  done in ${Math.max(1, Math.round((Date.now() - began) / 1000))} s`)
    return
  }
  console.error(`${stdout ?? ''}${stderr ?? ''}`)
  if (error !== undefined) console.error(`${program} could not be run: ${error.message}`)
  process.exit(status ?? 1)
}

/**
 * Runs a program that may hang. Without a timeout it is waited for.
 *
 * @param {{ timeout?: number, tries?: number }} options and those of `spawnSync`; `timeout` in milliseconds for each try
 * @returns {import('node:child_process').SpawnSyncReturns<string>} of the last try
 */
export function runUntilItEnds(program, args, { tries = 1, ...options }) {
  for (let tried = 1; ; tried++) {
    const result = spawnSync(program, args, { killSignal: 'SIGKILL', ...options })
    if (result.error?.code !== 'ETIMEDOUT' || tried >= tries) return result
    console.log(`  not done after ${options.timeout / 1000} s: it is ended and tried again`)
  }
}

function filesBelow(path) {
  if (!statSync(path).isDirectory()) return [path]
  const skipped = ['node_modules', 'dist', 'route-tree.gen.ts', '.tanstack']
  const names = readdirSync(path).filter((name) => !skipped.includes(name))
  return names.sort().flatMap((name) => filesBelow(join(path, name)))
}
