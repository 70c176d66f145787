/**
 * The programs that tests start, each in a few files instead of hundreds that have to be found and read one by one: a
 * start then takes half the time, and a run starts some thousand. It is the same code; tests of `npm start` run the
 * sources as everybody does, and so does `vitest run` by hand.
 */
import { join, parse } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from '../prepare.mjs'

/** Every file that a process or a thread starts with; its bundle has the same name. */
const entries = {
  server: ['main.ts'],
  region: ['main.ts', 'sandbox/sandbox-process.ts', 'sandbox/sandbox-thread.ts', 'files/hash-worker.ts'],
}

/** @returns {Promise<Record<string, string>>} for the environment of a test runner: see packages/dev-env/src/program-under-test.ts */
export async function bundlePrograms() {
  await Promise.all(Object.entries(entries).map(([app, files]) => bundle(join(root, 'apps', app), files)))
  return { ROOMKEEPER_BUNDLES: '1' }
}

async function bundle(folder, files) {
  const made = await rolldown({
    input: Object.fromEntries(files.map((file) => [parse(file).name, join(folder, 'src', file)])),
    platform: 'node',
    external: ['pg-native'],
    tsconfig: false,
    plugins: [besideEachOther],
  })
  // As deep below the app as the sources are: what they find by their own place is found from here, too.
  await made.write({ dir: join(folder, 'dist/tests'), format: 'esm', cleanDir: true })
  await made.close()
}

const besideEachOther = {
  name: 'entries beside each other',
  transform: (code) =>
    code.replaceAll(/new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g, "new URL('./$1.js', import.meta.url)"),
}
