/** Addresses and networks, such as `10.0.0.5` and `2001:db8::/32`: lists of them, and to which networks rate limits apply. */
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'

export function isHostOrNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  // A zone names an interface of this machine, and what is compared with the list has none.
  if (version === 0 || address.includes('%') || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

/**
 * @param networks each of them `isHostOrNetwork`
 * @returns whether an address is one of these or lies within one; IPv4 addresses also when written as IPv6 ones; false
 *   for what is no address
 */
export function isWithin(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return (given) => {
    const [address = ''] = given.replace(/^::ffff:(?=\d+\.)/i, '').split('%')
    return isIP(address) !== 0 && list.check(address, familyOf(address))
  }
}

/** Loopback addresses. */
export const isThisMachine = isWithin(['127.0.0.0/8', '::1'])

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

/** An IPv4 address itself, or the /64 of an IPv6 address: the owner of one address of a /64 has all of them. */
export function networkOf(address: string): string {
  const groups = groupsOf(address)
  return groups === null ? withinIPv4(address) : `${groups.slice(0, 4).join(':')}::/64`
}

/** The /24 of an IPv4 address, or the /48 of an IPv6 address: as much as one customer of a provider may have. */
export function widerNetworkOf(address: string): string {
  const prefix = sitePrefixOf(address)
  if (prefix !== null) return `${prefix}:/48`
  const inside = withinIPv4(address)
  return isIPv4(inside) ? `${inside.split('.').slice(0, 3).join('.')}.0/24` : inside
}

/**
 * A prefix of the results of `networkOf` for all IPv6 addresses in the same /48, and for no others. null: not an IPv6
 * address; the neighbours of an IPv4 address usually belong to other people.
 */
export function sitePrefixOf(address: string): string | null {
  const groups = groupsOf(address)
  return groups === null ? null : `${groups.slice(0, 3).join(':')}:`
}

/** The IPv4 address that is written as an IPv6 address (`::ffff:`); any other address unchanged. */
function withinIPv4(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
}

/** The eight groups of an IPv6 address, without leading zeros; null: not an IPv6 address. */
function groupsOf(address: string): string[] | null {
  if (!isIPv6(withinIPv4(address))) return null
  const [before = '', after = ''] = (address.split('%')[0] ?? '').toLowerCase().split('::')
  const [head, tail] = [before, after].map((half) => half.split(':').filter((group) => group !== ''))
  const gap = Array.from({ length: 8 - (head?.length ?? 0) - (tail?.length ?? 0) }, () => '0')
  const groups = address.includes('::') ? [...(head ?? []), ...gap, ...(tail ?? [])] : (head ?? [])
  return groups.map((group) => group.replace(/^0+(?=.)/, ''))
}
