/** `postgres.json` in the data folder: how to reach its PostgreSQL, for the application and its tools. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { replaceFile } from '@roomkeeper/durable-file'
import type { Application } from './application.ts'
import { EmbeddedPostgresError, errorCode } from './errors.ts'
import { requireAuth, scram } from './scram/scram-client.ts'

export class ConnectionFile {
  readonly path: string
  readonly #url: URL

  private constructor(path: string, url: URL) {
    this.path = path
    this.#url = url
  }

  /** Reads the file, or makes it with a new password and a free port. */
  static async open(dataDir: string, { name }: Application): Promise<ConnectionFile> {
    const path = join(dataDir, 'postgres.json')
    const kept = await readUrl(path)
    if (kept !== null) return new ConnectionFile(path, kept)
    const password = randomBytes(24).toString('base64url')
    const port = await freePort()
    const made = new ConnectionFile(path, new URL(`postgres://${name}:${password}@127.0.0.1:${port}/${name}`))
    await made.#write()
    return made
  }

  static async exists(dataDir: string): Promise<boolean> {
    return (await readUrl(join(dataDir, 'postgres.json'))) !== null
  }

  /** Clients that connect with it require a proof from the server: see scram/scram-client.ts. */
  url(database: string): string {
    const url = new URL(this.#url)
    url.searchParams.set(requireAuth, scram)
    url.pathname = `/${database}`
    return url.href
  }

  get user(): string {
    return this.#url.username
  }

  get password(): string {
    return this.#url.password
  }

  get port(): number {
    return Number(this.#url.port)
  }

  async usePort(port: number): Promise<void> {
    if (port === this.port) return
    this.#url.port = String(port)
    await this.#write()
  }

  /** The same connection on another port; the file stays as it is. */
  onPort(port: number): ConnectionFile {
    const url = new URL(this.#url)
    url.port = String(port)
    return new ConnectionFile(this.path, url)
  }

  /** Called before the data is made: without the password, nobody could reach the data again. */
  async #write(): Promise<void> {
    await replaceFile(this.path, `${JSON.stringify({ url: this.url(this.user) }, null, 2)}\n`)
  }
}

/** A TCP port on which nobody listens at the moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}

async function readUrl(path: string): Promise<URL | null> {
  try {
    const { url } = JSON.parse(await readFile(path, 'utf8')) as { url: string }
    return new URL(url)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw new EmbeddedPostgresError(
      'password-lost',
      `${path} cannot be read: it holds the password of the database beside it.`,
    )
  }
}
