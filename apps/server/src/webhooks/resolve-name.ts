/**
 * Finds the addresses of a name: as the file of hosts says, else as the DNS does. Not by `dns.lookup`: it keeps one of
 * the process's four threads for as long as a name hangs, and a receiver may have as many such names as it likes.
 */
import { promises as dns, type LookupAddress } from 'node:dns'
import { readFile } from 'node:fs/promises'
import pLimit from 'p-limit'

/** @param signal ends it. @throws Error when the name has no address */
export type ResolveAll = (hostname: string, signal: AbortSignal) => Promise<LookupAddress[]>

const hostsFile = '/etc/hosts'
const tryMilliseconds = 2000

export const resolveName: ResolveAll = async (hostname, signal) => {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  if (name === 'localhost' || name.endsWith('.localhost')) return [of('127.0.0.1'), of('::1')]
  const inHosts = addressesIn(await readFile(hostsFile, 'utf8').catch(() => ''), name)
  if (inHosts.length > 0) return inHosts.map(of)
  const found = await askDns(name, signal)
  if (found.length > 0) return found.map(of)
  if (name.includes('.')) throw new Error(`${name} has no address.`)
  return bySearchDomains(name, signal)
}

/** @param hosts the text of the file: lines of an address and its names */
export function addressesIn(hosts: string, name: string): string[] {
  return hosts.split('\n').flatMap((line) => {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    return address !== undefined && names.some((each) => each.toLowerCase() === name) ? [address] : []
  })
}

async function askDns(name: string, signal: AbortSignal): Promise<string[]> {
  const resolver = new dns.Resolver({ timeout: tryMilliseconds, tries: 2 })
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    signal.throwIfAborted()
    const failed = answers.find((each) => each.status === 'rejected' && !isNoSuchName(each.reason))
    const found = answers.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
    if (found.length === 0 && failed?.status === 'rejected') throw failed.reason
    return found
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

function isNoSuchName(error: unknown): boolean {
  return ['ENOTFOUND', 'ENODATA'].includes((error as NodeJS.ErrnoException).code ?? '')
}

/** Names without a dot are those of the own network, so nobody else can make them hang. One at a time all the same. */
const oneAtATime = pLimit(1)

function bySearchDomains(name: string, signal: AbortSignal): Promise<LookupAddress[]> {
  return oneAtATime(async () => {
    signal.throwIfAborted()
    return dns.lookup(name, { all: true })
  })
}

function of(address: string): LookupAddress {
  return { address, family: address.includes(':') ? 6 : 4 }
}
