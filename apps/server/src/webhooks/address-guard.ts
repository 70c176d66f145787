/**
 * Keeps webhooks away from what only this server can reach. The name of a URL is resolved here, every address of it is
 * judged, and the connection is made to one of just these addresses: what the name resolves to a moment later does not
 * matter. Other ways to write an address (decimal, octal, hexadecimal, in IPv6) are addresses by then.
 */
import { promises as dns, type LookupAddress } from 'node:dns'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import pLimit from 'p-limit'
import { isWithin } from '#platform/networks.ts'

export interface AddressGuard {
  /** Also true for a text that is not an address. */
  forbids(address: string): boolean
  /** The address that a URL names itself, if that is forbidden; null for names, which only a resolver can judge. */
  forbiddenIn(url: URL): string | null
  /**
   * All addresses of a URL, to which it may lead.
   * @throws AddressForbidden when one of them is
   * @throws Error when there is none
   */
  addressesOf(url: URL, signal: AbortSignal): Promise<[LookupAddress, ...LookupAddress[]]>
}

export class AddressForbidden extends Error {}

/**
 * @param networks addresses and networks to which webhooks may lead although they are not public
 * @param resolve as the system does, unless given
 */
export function createAddressGuard(networks: readonly string[], resolve: ResolveAll = resolveName): AddressGuard {
  const isAllowed = isWithin(networks)
  const forbids = (address: string) => !(isPublic(address) || isAllowed(address))
  return {
    forbids,
    forbiddenIn(url) {
      const host = hostOf(url)
      return isIP(host) !== 0 && forbids(host) ? host : null
    },
    async addressesOf(url, signal) {
      const host = hostOf(url)
      const family = isIP(host)
      const [first, ...others] = family === 0 ? await resolve(host, signal) : [{ address: host, family }]
      if (first === undefined) throw new Error(`${host} has no address.`)
      const bad = [first, ...others].find(({ address }) => forbids(address))
      if (bad !== undefined) throw new AddressForbidden(`${host} leads to ${bad.address}.`)
      return [first, ...others]
    },
  }
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

/** What the Internet has of IPv6. Elsewhere an IPv4 address may be hidden, in ways that no table knows. */
const globalIpv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Only what ipaddr.js knows no special use of: that rules out private, local, mapped, translated and reserved ones. */
function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(globalIpv6)) return false
  return parsed.range() === 'unicast'
}

/** @param signal ends it. @throws Error when the name has no address */
export type ResolveAll = (hostname: string, signal: AbortSignal) => Promise<LookupAddress[]>

const hostsFile = '/etc/hosts'
const tryMilliseconds = 2000

/**
 * Finds the addresses of a name: as the file of hosts says, else as the DNS does. Not by `dns.lookup`: it keeps one of
 * the process's four threads for as long as a name hangs, and a receiver may have as many such names as it likes.
 */
const resolveName: ResolveAll = async (hostname, signal) => {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  if (name === 'localhost' || name.endsWith('.localhost')) return [addressOf('127.0.0.1'), addressOf('::1')]
  const inHosts = addressesIn(await readFile(hostsFile, 'utf8').catch(() => ''), name)
  if (inHosts.length > 0) return inHosts.map(addressOf)
  const found = await askDns(name, signal)
  if (found.length > 0) return found.map(addressOf)
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

/**
 * Names without a dot belong to the server's own network, so no outsider can make them hang. Still, one runs at a time.
 */
const oneAtATime = pLimit(1)

function bySearchDomains(name: string, signal: AbortSignal): Promise<LookupAddress[]> {
  return oneAtATime(async () => {
    signal.throwIfAborted()
    return dns.lookup(name, { all: true })
  })
}

function addressOf(address: string): LookupAddress {
  return { address, family: address.includes(':') ? 6 : 4 }
}
