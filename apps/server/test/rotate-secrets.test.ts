/** Changing SECRET_KEY while servers run: nothing is lost, and the old key is useless afterwards. */
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { bootNetwork, type Network, repository } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSecretBox, Secret } from '#platform/secrets.ts'

const former = 'a secret key for tests only'
const fresh = 'another secret key for tests'

let network: Network
beforeAll(async () => {
  network = await bootNetwork()
})
afterAll(() => network?.stop())

function rotate(env: Record<string, string>) {
  return spawnSync(process.execPath, [resolve(repository, 'apps/server/src/rotate-secrets.ts')], {
    env: { PATH: process.env.PATH ?? '', DATABASE_URL: network.database.url, ...env },
    encoding: 'utf8',
    timeout: 60_000,
  })
}

const sealedValues = async () =>
  JSON.stringify([
    await network.database.rows('select password, system_password from regions order by id'),
    await network.database.rows('select sealed_password from database_backups order by id'),
    await network.database.rows('select secret, former_secrets from webhooks order by id'),
    await network.database.rows(`select input->'sealed' as sealed from operations where input ? 'sealed' order by id`),
  ])

it('every sealed value moves to the new key, also of an operation that can still be retried', async () => {
  const room = await network.newRoom()
  const backup = { projectRoomName: room, databaseName: 'main' }
  await network.admin.call('backupDatabase', { body: backup })
  await network.settle()
  await network.planFault('database.restore:send-backup:after:fail')
  const { operationId } = (await network.admin.call('restoreDatabase', { body: backup })).body
  await network.settle()
  const hook = { name: 'Chat', url: 'https://hooks.example', events: ['region.down' as const], isOn: false }
  const { body: made } = await network.admin.call('createWebhook', { body: hook })
  for (let n = 0; n < 3; n += 1) await network.admin.call('renewWebhookSecret', { params: { id: made.id } })
  const before = await sealedValues()

  expect(rotate({ SECRET_KEY: fresh })).toMatchObject({ status: 2, stderr: expect.stringContaining('SECRET_KEY_OLD') })
  const wrong = rotate({ SECRET_KEY: fresh, SECRET_KEY_OLD: 'a key that was never used' })
  expect(wrong.status).toBe(1)
  expect(wrong.stderr).toContain('A secret of the region region-1 can be opened neither')
  expect(await sealedValues()).toBe(before)

  // All servers must know both keys before anything is sealed with the new one.
  await network.server.stop()
  await network.restartServer({ SECRET_KEY: fresh, SECRET_KEY_OLD: former })
  const done = rotate({ SECRET_KEY: fresh, SECRET_KEY_OLD: former })
  expect(done.stdout.trim()).toBe(
    'Sealed anew: regions 1, database backups 1, webhooks 1, operations 1. Records of project rooms that are sent to their regions anew: 1.',
  )
  expect(done.status).toBe(0)
  expect(await sealedValues()).not.toBe(before)
  const [{ sealed = [] } = {}] = await network.database.rows<{ sealed: string[] }>(
    `select array[secret] || array(select jsonb_array_elements(former_secrets) ->> 'secret') as sealed from webhooks where secret <> ''`,
  )
  expect(sealed.map((each) => createSecretBox(new Secret(fresh)).open(each).reveal().slice(0, 6))).toEqual(
    Array(4).fill('whsec_'),
  )
  // Repeated, as after a run that may or may not have completed.
  expect(rotate({ SECRET_KEY: fresh, SECRET_KEY_OLD: former }).status).toBe(0)

  await network.server.stop()
  await network.restartServer({ SECRET_KEY: fresh })
  await network.admin.call('retryOperation', { params: { id: operationId } })
  await network.settle()
  const { body } = await network.admin.call('operationLog', { query: { processId: operationId } })
  expect(body).toMatchObject({ state: 'done' })
  expect((await network.admin.call('testRegion', { body: { id: 1 } })).body.ok).toBe(true)
  expect(rotate({ SECRET_KEY: former, SECRET_KEY_OLD: former }).status).toBe(1)
})
