/**
 * The programs that tests start, each in a few files instead of hundreds that have to be found and read one by one: a
 * start then takes half the time, and a run starts some thousand. It is the same code; tests of `npm start` run the
 * sources as everybody does, and so does `vitest run` by hand.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join, parse } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from '../prepare.mjs'

/** Every file that a process or a thread starts with; its bundle has the same name. */
const entries = {
  server: ['main.ts'],
  region: ['main.ts', 'sandbox/sandbox-process.ts', 'sandbox/sandbox-thread.ts', 'files/hash-worker.ts'],
}

/** Below each app's `dist`. Of this process alone: another run of tests in this checkout has bundles of its own. */
const folder = `tests-${process.pid}`

/**
 * They are removed when this process ends.
 * @returns {Promise<Record<string, string>>} for the environment of a test runner: see packages/dev-env/src/program-under-test.ts
 */
export async function bundlePrograms() {
  for (const app of Object.keys(entries)) removeLeftOver(distOf(app))
  process.once('exit', removeBundles)
  await Promise.all(Object.entries(entries).map(([app, files]) => bundle(app, files)))
  return { ROOMKEEPER_BUNDLES: folder }
}

const distOf = (app) => join(root, 'apps', app, 'dist')

function removeBundles() {
  for (const app of Object.keys(entries)) rmSync(join(distOf(app), folder), { recursive: true, force: true })
}

/** Of runs that were killed. */
function removeLeftOver(dist) {
  const names = existsSync(dist) ? readdirSync(dist) : []
  for (const name of names) {
    const [, pid] = /^tests-(\d+)$/.exec(name) ?? []
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(dist, name), { recursive: true, force: true })
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code !== 'ESRCH'
  }
}

async function bundle(app, files) {
  const made = await rolldown({
    input: Object.fromEntries(files.map((file) => [parse(file).name, join(root, 'apps', app, 'src', file)])),
    platform: 'node',
    external: ['pg-native'],
    tsconfig: false,
    plugins: [besideEachOther],
  })
  // As deep below the app as the sources are: what they find by their own place is found from here, too.
  await made.write({ dir: join(distOf(app), folder), format: 'esm', cleanDir: true })
  await made.close()
}

const besideEachOther = {
  name: 'entries beside each other',
  transform: (code) =>
    code.replaceAll(/new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g, "new URL('./$1.js', import.meta.url)"),
}
