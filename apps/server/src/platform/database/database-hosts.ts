/**
 * Finds the host of DATABASE_URL that accepts writes. Several hosts are a primary and its standbys
 * (`postgres://user:password@db-1,db-2:5433/roomkeeper`); after a promotion the new primary is found.
 */

import pg from 'pg'

/** The message says what is wrong without showing any part of the URL, which contains a password. */
export class WrongDatabaseUrl extends Error {}

/** No host accepts writes. The code counts as a transient failure. */
class NoHostTakesWrites extends Error {
  readonly code = 'ECONNREFUSED'
}

/** How long a host that is switched off may delay a caller that wants to connect. */
const askMilliseconds = 2_500

export interface DatabaseHost {
  /** A URL of only this host, without the parameters that node-postgres does not know. */
  url: string
  host: string
  port: number
}

export interface DatabaseHosts {
  all: readonly DatabaseHost[]
  /** Whether connections to read-only hosts are rejected, so each connection must be checked. */
  mustTakeWrites: boolean
  /** The first host in the URL that accepts writes; cached until a connection fails. @throws when there is none */
  find(): Promise<DatabaseHost>
  /** Called when a connection failed or was lost: the next `find` asks the hosts again. */
  forget(): void
}

/** @throws WrongDatabaseUrl */
export function databaseHosts(databaseUrl: string): DatabaseHosts {
  const { all, mustTakeWrites } = readDatabaseUrl(databaseUrl)
  const [only] = all
  let known: Promise<DatabaseHost> | null = null
  return {
    all,
    mustTakeWrites,
    find() {
      if (all.length === 1 && only !== undefined) return Promise.resolve(only)
      if (known === null) {
        const asking = firstThatTakesWrites(all)
        known = asking
        asking.catch(() => {
          if (known === asking) known = null
        })
      }
      return known
    },
    forget() {
      known = null
    },
  }
}

/** @throws WrongDatabaseUrl */
export function readDatabaseUrl(databaseUrl: string): Pick<DatabaseHosts, 'all' | 'mustTakeWrites'> {
  // The class URL cannot parse several hosts with ports.
  const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)([^?]*)\??(.*)$/s.exec(databaseUrl)
  const [, begin, hostList = '', path = '', query = ''] = parts ?? []
  if (begin === undefined) throw new WrongDatabaseUrl('it takes a URL such as postgres://user:password@host/database')
  const parameters = new URLSearchParams(query)
  const wanted = parameters.get('target_session_attrs') ?? 'any'
  if (!['any', 'read-write', 'primary'].includes(wanted))
    throw new WrongDatabaseUrl('target_session_attrs takes any, read-write or primary')
  parameters.delete('target_session_attrs')
  // node-postgres ignores it, so it would not protect the password.
  if (parameters.has('require_auth'))
    throw new WrongDatabaseUrl('require_auth is not known here: use sslmode=verify-full')
  const hosts = hostList.split(',')
  if (hosts.length > 1 && (hosts.includes('') || parameters.has('host')))
    throw new WrongDatabaseUrl('several hosts look like host-1,host-2:5433, without a parameter host')
  const end = parameters.size === 0 ? path : `${path}?${parameters}`
  const all = hosts.map((host) => readHost(`${begin}${host}${end}`))
  return { all, mustTakeWrites: all.length > 1 || wanted !== 'any' }
}

function readHost(url: string): DatabaseHost {
  try {
    const { host, port } = new pg.Client({ connectionString: url })
    if (port > 0) return { url, host, port }
  } catch {
    // The caught message may contain the URL, so it is dropped.
  }
  throw new WrongDatabaseUrl('a host, a port or a parameter cannot be read')
}

/** Asks all hosts at once, but takes the first in order: when two accept writes, all processes use the same one. */
async function firstThatTakesWrites(hosts: readonly DatabaseHost[]): Promise<DatabaseHost> {
  const asked = hosts.map((host) => ({ host, whyNot: whyNot(host) }))
  const reasons: string[] = []
  for (const each of asked) {
    const reason = await each.whyNot
    if (reason === null) return each.host
    reasons.push(reason)
  }
  throw new NoHostTakesWrites(`No host of the database takes writes (${reasons.join('; ')}).`)
}

/** @returns null: it accepts writes */
async function whyNot({ url, host, port }: DatabaseHost): Promise<string | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: askMilliseconds })
  client.on('error', () => undefined)
  const tooLate = setTimeout(() => client.connection.stream.destroy(), askMilliseconds)
  try {
    await client.connect()
    const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only')
    return rows[0]?.transaction_read_only === 'off' ? null : `${host}:${port} only reads`
  } catch (error) {
    return `${host}:${port}: ${error instanceof Error ? error.message : 'failed'}`
  } finally {
    clearTimeout(tooLate)
    client.connection.stream.destroy()
  }
}
