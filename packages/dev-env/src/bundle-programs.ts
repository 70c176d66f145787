/**
 * Bundles the programs that tests start. Reading a few files instead of hundreds halves the time of a start, and a run
 * has some thousand starts. Tests of `npm start` run the sources, as users do.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, parse } from 'node:path'
import type { SharedResource } from './shared-resource.ts'

/** Every file that a process or a thread starts with; its bundle has the same name. */
const entries = {
  server: ['src/main.ts', 'src/app/doctor.ts', 'test/fixture-operations/fixture-server.ts'],
  region: [
    'src/main.ts',
    'src/sandbox/sandbox-process.ts',
    'src/sandbox/sandbox-thread.ts',
    'src/files/hash-worker.ts',
  ],
}
const apps = Object.keys(entries) as (keyof typeof entries)[]
const root = join(import.meta.dirname, '../../..')

/** Bundles the programs and builds the console that they serve. @returns a folder below each app's `dist` */
export async function makeBundles(): Promise<SharedResource<string>> {
  // Another run of tests in this checkout has bundles of its own.
  const folder = `tests-${process.pid}`
  await Promise.all(apps.map(removeBundlesOfKilledRuns))
  await Promise.all([buildConsole(), ...apps.map((app) => bundle(app, folder))])
  return {
    address: folder,
    release: async () => {
      for (const app of apps) await rm(join(distOf(app), folder), { recursive: true, force: true })
    },
  }
}

async function bundle(app: keyof typeof entries, folder: string): Promise<void> {
  // Imported here: a run that starts no program needs no bundler.
  const { rolldown } = await import('rolldown')
  const made = await rolldown({
    input: Object.fromEntries(entries[app].map((file) => [parse(file).name, join(root, 'apps', app, file)])),
    platform: 'node',
    external: ['pg-native'],
    tsconfig: false,
    plugins: [
      {
        name: 'entries beside each other',
        transform: (code) =>
          code.replaceAll(/new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g, "new URL('./$1.js', import.meta.url)"),
      },
    ],
  })
  // In dist/<folder>, as deep as src/<file>: paths relative to import.meta stay right.
  // Without white space files are a quarter smaller, and a start is an eighth faster.
  const minify = { compress: false, mangle: false, codegen: { removeWhitespace: true } }
  await made.write({ dir: join(distOf(app), folder), format: 'esm', cleanDir: true, minify })
  await made.close()
}

async function buildConsole(): Promise<void> {
  const build = "import { ensureConsoleBuilt } from './scripts/prepare.mjs'; ensureConsoleBuilt()"
  const child = spawn(process.execPath, ['--input-type=module', '-e', build], { cwd: root, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('The console could not be built.')
}

async function removeBundlesOfKilledRuns(app: keyof typeof entries): Promise<void> {
  const names = existsSync(distOf(app)) ? readdirSync(distOf(app)) : []
  for (const name of names) {
    const pid = /^tests-(\d+)$/.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(distOf(app), name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

function distOf(app: keyof typeof entries): string {
  return join(root, 'apps', app, 'dist')
}
