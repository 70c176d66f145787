/** The clients that docs/recipes/generate-a-client.md makes from the OpenAPI documents: they compile, and work. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { bootNetwork, type Network, repository } from '@roomkeeper/dev-env'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { afterAll, beforeAll, expect, it } from 'vitest'

const run = promisify(execFile)
let network: Network
let folder: string
beforeAll(async () => {
  // Below the repository, so that the program finds openapi-fetch.
  const cache = join(repository, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  ;[network, folder] = await Promise.all([bootNetwork(), mkdtemp(join(cache, 'generated-client-'))])
})
afterAll(async () => {
  await network?.stop()
  if (folder !== undefined) await rm(folder, { recursive: true })
})

// shows: openapi-client
it('a client generated from the OpenAPI document compiles strictly, creates and finds a room, and reads a refusal', async () => {
  const env = { ROOMKEEPER_URL: network.server.address, ROOMKEEPER_TOKEN: network.admin.token }
  const document = new URL('/api/openapi.json', network.server.address)
  expect(await outputOf({ document, types: 'roomkeeper.d.mts', env })).toEqual([
    expect.stringMatching(/^started [0-9a-f-]{36}$/),
    'found 1 acme',
    expect.stringMatching(/^refused 409 urn:roomkeeper:name-taken .*acme/),
  ])
  await network.settle()
})

it('a client generated from the OpenAPI document of the region protocol does the same, and runs a job', async () => {
  const [region] = network.regions
  const env = { REGION_URL: region?.url, REGION_USER: region?.userName, REGION_PASSWORD: region?.password }
  const document = pathToFileURL(join(repository, 'docs/region/openapi.json'))
  expect(await outputOf({ document, types: 'region.d.mts', env })).toEqual([
    'created alpha active',
    expect.stringMatching(/^done, digest [0-9a-f]{64}$/),
    'refused 409 urn:roomkeeper-region:room-differs The project room alpha of this region has another roomId.',
    'deleted true',
  ])
})

interface GeneratedClient {
  document: URL
  /** The file of the types that the program of the recipe imports. */
  types: string
  env: Record<string, string | undefined>
}

/** Compiles and runs the program of the recipe that imports these types. @returns the lines that it has printed */
async function outputOf({ document, types, env }: GeneratedClient): Promise<string[]> {
  const recipe = await readFile(join(repository, 'docs/recipes/generate-a-client.md'), 'utf8')
  const programs = [...recipe.matchAll(/```ts\n(.*?)```/gs)].map(([, program = '']) => program)
  const program = programs.find((each) => each.includes(`'./${types}'`)) ?? ''
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    module: 'nodenext',
    target: 'es2024',
    types: ['node'],
  }
  await writeFile(join(folder, types), astToString(await openapiTypescript(document, { defaultNonNullable: false })))
  await writeFile(join(folder, 'program.ts'), program)
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  const compiler = join(repository, 'node_modules/typescript-7/bin/tsc')
  await run(process.execPath, [compiler, '-p', folder]).catch(({ stdout }: { stdout: string }) =>
    expect(stdout).toBe(''),
  )
  const { stdout } = await run(process.execPath, [join(folder, 'program.js')], { env })
  return stdout.trim().split('\n')
}
