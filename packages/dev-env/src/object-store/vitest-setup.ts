/**
 * Keeps one object store for a whole test run. `startObjectStore` in any test file asks this keeper, which starts the
 * store when it is first asked, and stops it when all tests have ended.
 */
import { createServer } from 'node:http'
import { holdObjectStore, sharedStoreVariable } from './start-object-store.ts'

export default async function keepObjectStore(): Promise<() => Promise<void>> {
  let held: ReturnType<typeof holdObjectStore> | undefined
  const keeper = createServer((_, answer) => {
    held ??= holdObjectStore()
    held.then(
      ({ address }) => answer.end(JSON.stringify(address)),
      (error: unknown) => answer.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => keeper.listen(0, '127.0.0.1', resolve))
  const { port } = keeper.address() as { port: number }
  process.env[sharedStoreVariable] = `http://127.0.0.1:${port}`
  return async () => {
    keeper.closeAllConnections()
    keeper.close()
    await held?.then(
      ({ release }) => release(),
      () => undefined,
    )
  }
}
