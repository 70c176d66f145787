/** The networks to which limits by address apply. */
import { isIPv4, isIPv6 } from 'node:net'

/** An IPv4 address, or the /64 of an IPv6 address: somebody with one of its addresses has them all. */
export function networkOf(address: string): string {
  const groups = groupsOf(address)
  return groups === null ? withinIPv4(address) : `${groups.slice(0, 4).join(':')}::/64`
}

/** The /24 of an IPv4 address, or the /48 of an IPv6 address: what one customer of a network provider may have. */
export function widerNetworkOf(address: string): string {
  const prefix = sitePrefixOf(address)
  if (prefix !== null) return `${prefix}:/48`
  const inside = withinIPv4(address)
  return isIPv4(inside) ? `${inside.split('.').slice(0, 3).join('.')}.0/24` : inside
}

/**
 * What `networkOf` says of the addresses in the same /48 of IPv6, and of no others, begins so. null: it is none of IPv6;
 * those beside an IPv4 address are as a rule other people's.
 */
export function sitePrefixOf(address: string): string | null {
  const groups = groupsOf(address)
  return groups === null ? null : `${groups.slice(0, 3).join(':')}:`
}

/** Also where it is written as one of IPv6. */
function withinIPv4(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
}

/** Those of an IPv6 address, without leading zeros; null: it is none. */
function groupsOf(address: string): string[] | null {
  if (!isIPv6(withinIPv4(address))) return null
  const [before = '', after = ''] = (address.split('%')[0] ?? '').toLowerCase().split('::')
  const [head, tail] = [before, after].map((half) => half.split(':').filter((group) => group !== ''))
  const gap = Array.from({ length: 8 - (head?.length ?? 0) - (tail?.length ?? 0) }, () => '0')
  const groups = address.includes('::') ? [...(head ?? []), ...gap, ...(tail ?? [])] : (head ?? [])
  return groups.map((group) => group.replace(/^0+(?=.)/, ''))
}
