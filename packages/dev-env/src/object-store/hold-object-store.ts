/** Starts an object gateway, prints its address and keys as a line of JSON, and stops it when standard input ends. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startRadosGateway } from './rados-gateway.ts'

const folder = await mkdtemp(join(tmpdir(), 'rk-s3-'))
const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 })
try {
  const { stop, ...address } = await startRadosGateway(folder)
  const end = () =>
    void stop()
      .then(remove)
      .then(() => process.exit(0))
  process.stdin.once('end', end)
  process.stdin.once('close', end)
  process.stdin.resume()
  console.log(JSON.stringify(address))
} catch (error) {
  await remove()
  console.error(error)
  process.exit(1)
}
