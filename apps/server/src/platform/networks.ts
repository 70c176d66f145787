/** Lists of addresses and networks, such as `10.0.0.5` and `2001:db8::/32`, and which addresses they hold. */
import { BlockList, isIP } from 'node:net'

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
