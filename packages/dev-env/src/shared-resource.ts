/**
 * Resources that a whole test run shares. The process of the run serves the address of each over HTTP, because test
 * files run in other processes.
 */
import { createServer } from 'node:http'

export interface SharedResource<Address> {
  /** What test files need for using it; JSON. */
  address: Address
  release(): Promise<void>
}

/**
 * Serves the address of a resource. The URL to ask is in an environment variable that test processes inherit.
 * @param start called when the first test file asks, so that runs that do not need the resource do not start it
 * @returns stops serving, and releases the resource
 */
export async function serveResource<Address>(
  variable: string,
  start: () => Promise<SharedResource<Address>>,
): Promise<() => Promise<void>> {
  let resource: Promise<SharedResource<Address>> | undefined
  const server = createServer((_, answer) => {
    resource ??= start()
    resource.then(
      ({ address }) => answer.end(JSON.stringify(address)),
      (error: unknown) => answer.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  process.env[variable] = `http://127.0.0.1:${port}`
  return async () => {
    server.closeAllConnections()
    server.close()
    await resource?.then(
      ({ release }) => release(),
      () => undefined,
    )
  }
}

/** @returns null outside of a test run that shares it @throws Error when it could not be started */
export async function sharedAddress<Address>(variable: string): Promise<Address | null> {
  const url = process.env[variable]
  if (url === undefined) return null
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`What the tests share did not start: ${await answer.text()}`)
  return (await answer.json()) as Address
}
