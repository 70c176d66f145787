/** What a whole test run shares: a keeper holds it, and test files in other processes ask the keeper for it. */
import { createServer } from 'node:http'

export interface Held<Address> {
  /** What test files need for using it; JSON. */
  address: Address
  release(): Promise<void>
}

/**
 * Starts a keeper whose address is in an environment variable that test processes inherit.
 * @param hold called when the first test file asks, so that a run of other tests does not pay for it
 * @returns ends the keeper and releases what it held
 */
export async function keepForRun<Address>(
  variable: string,
  hold: () => Promise<Held<Address>>,
): Promise<() => Promise<void>> {
  let held: Promise<Held<Address>> | undefined
  const keeper = createServer((_, answer) => {
    held ??= hold()
    held.then(
      ({ address }) => answer.end(JSON.stringify(address)),
      (error: unknown) => answer.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => keeper.listen(0, '127.0.0.1', resolve))
  const { port } = keeper.address() as { port: number }
  process.env[variable] = `http://127.0.0.1:${port}`
  return async () => {
    keeper.closeAllConnections()
    keeper.close()
    await held?.then(
      ({ release }) => release(),
      () => undefined,
    )
  }
}

/** @returns null outside of a run that keeps it @throws Error when it could not be started */
export async function askKeeper<Address>(variable: string): Promise<Address | null> {
  const keeper = process.env[variable]
  if (keeper === undefined) return null
  const answer = await fetch(keeper)
  if (!answer.ok) throw new Error(`What the tests share did not start: ${await answer.text()}`)
  return (await answer.json()) as Address
}
