/**
 * Keeps webhooks away from what only this server can reach. The name of a URL is resolved here, every address of it is
 * judged, and the connection is made to one of just these addresses: what the name resolves to a moment later does not
 * matter. Other ways to write an address (decimal, octal, hexadecimal, in IPv6) are addresses by then.
 */
import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isWithin } from '#platform/networks.ts'
import { type ResolveAll, resolveName } from './resolve-name.ts'

export interface AddressGuard {
  /** Also for what is no address. */
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
