/**
 * `npm run cli:pack`: makes roomkeeper-<version>.tgz of the command line, one file without dependencies, which
 * `npx ./roomkeeper-<version>.tgz` runs on a machine that has nothing but Node.
 */
import { execFileSync } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { bundle } from './bundle.ts'
import packageJson from './package.json' with { type: 'json' }

const here = import.meta.dirname
const root = resolve(here, '../..')
const folder = join(here, 'dist/roomkeeper')
const { version, license } = packageJson

await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
const bundled = await bundle(join(folder, 'roomkeeper.js'))
await writeFile(join(folder, 'package.json'), `${JSON.stringify(published(), null, 2)}\n`)
await writeFile(join(folder, 'THIRD-PARTY-LICENCES.txt'), await licencesOf(bundled))
await cp(join(here, 'README.md'), join(folder, 'README.md'))
await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'))
// Without the settings of the npm that runs this program, such as the workspace.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)))
const name = execFileSync('npm', ['pack', folder, '--pack-destination', join(here, 'dist'), '--silent'], {
  env,
  encoding: 'utf8',
})
console.log(join(here, 'dist', name.trim()))

function published(): object {
  return {
    name: 'roomkeeper',
    version,
    description: 'The command line of Roomkeeper: project rooms from a terminal, from scripts and from CI.',
    license,
    type: 'module',
    bin: { roomkeeper: 'roomkeeper.js' },
    engines: { node: '>=20.3' },
  }
}

async function licencesOf(packages: readonly string[]): Promise<string> {
  const texts = await Promise.all(packages.map(licenceOf))
  return `roomkeeper.js contains these packages:\n\n${texts.join('\n')}`
}

/** @throws Error for a package without a licence file */
async function licenceOf(name: string): Promise<string> {
  const place = join(root, 'node_modules', name)
  const file = (await readdir(place)).find((each) => /^licen[cs]e/i.test(each))
  if (file === undefined) throw new Error(`${name} has no licence file.`)
  const { version: ofPackage } = JSON.parse(await readFile(join(place, 'package.json'), 'utf8')) as { version: string }
  return `=== ${name} ${ofPackage}\n\n${await readFile(join(place, file), 'utf8')}`
}
