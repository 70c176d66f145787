/**
 * Keeps webhooks away from what only this server can reach. The name of a URL is resolved here, every address of it is
 * judged, and the connection is made to one of just these addresses: what the name resolves to a moment later does not
 * matter. Other ways to write an address (decimal, octal, hexadecimal, in IPv6) are addresses by then.
 */
import { type LookupAddress, lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { createNetworkList } from '#platform/network-list.ts'

export interface AddressGuard {
  /** Also for what is no address. */
  forbids(address: string): boolean
  /** The address that a URL names itself, if that is forbidden; null for names, which only a resolver can judge. */
  forbiddenIn(url: URL): string | null
  /** As `dns.lookup`, but fails with `AddressForbidden` when one of the addresses is. */
  lookup: LookupFunction
}

export class AddressForbidden extends Error {}

/** Resolves a name to all its addresses. */
export type ResolveAll = (hostname: string, done: (error: Error | null, found: LookupAddress[]) => void) => void

const bySystem: ResolveAll = (hostname, done) => lookup(hostname, { all: true }, done)

/**
 * @param networks addresses and networks to which webhooks may lead although they are not public
 * @param resolve of the system, unless given
 */
export function createAddressGuard(networks: readonly string[], resolve: ResolveAll = bySystem): AddressGuard {
  const allowed = createNetworkList(networks)
  const forbids = (address: string) => !(isPublic(address) || allowed.has(address))
  return {
    forbids,
    forbiddenIn(url) {
      const host = url.hostname.replace(/^\[|\]$/g, '')
      return isIP(host) !== 0 && forbids(host) ? host : null
    },
    lookup(hostname, options, callback) {
      resolve(hostname, (error, found) => {
        if (error !== null) return callback(error, '')
        const bad = found.find(({ address }) => forbids(address))
        if (bad !== undefined) return callback(new AddressForbidden(`${hostname} leads to ${bad.address}.`), '')
        if (options.all === true) return callback(null, found)
        const [first] = found
        if (first === undefined) return callback(new Error(`${hostname} has no address.`), '')
        callback(null, first.address, first.family)
      })
    },
  }
}

/** Only what ipaddr.js knows no special use of: that rules out private, local, mapped, translated and reserved ones. */
function isPublic(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === 'unicast'
}
