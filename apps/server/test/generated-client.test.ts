/** The client that docs/recipes/generate-a-client.md makes from the OpenAPI document: it compiles, and works. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
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
  const types = await openapiTypescript(new URL('/api/openapi.json', network.server.address), {
    defaultNonNullable: false,
  })
  const recipe = await readFile(join(repository, 'docs/recipes/generate-a-client.md'), 'utf8')
  const [, program = ''] = /```ts\n(.*?)```/s.exec(recipe) ?? []
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    module: 'nodenext',
    target: 'es2024',
    types: ['node'],
  }
  await writeFile(join(folder, 'roomkeeper.d.mts'), astToString(types))
  await writeFile(join(folder, 'program.ts'), program)
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  const compiler = join(repository, 'node_modules/typescript-7/bin/tsc')
  await run(process.execPath, [compiler, '-p', folder]).catch(({ stdout }: { stdout: string }) =>
    expect(stdout).toBe(''),
  )

  const env = { ROOMKEEPER_URL: network.server.address, ROOMKEEPER_TOKEN: network.admin.token }
  const { stdout } = await run(process.execPath, [join(folder, 'program.js')], { env })
  expect(stdout.trim().split('\n')).toEqual([
    expect.stringMatching(/^started [0-9a-f-]{36}$/),
    'found 1 acme',
    expect.stringMatching(/^refused 409 urn:roomkeeper:name-taken .*acme/),
  ])
  await network.settle()
})
