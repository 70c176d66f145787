/** Whether an address is one of these addresses, or in one of these networks, such as `10.0.0.5` and `10.1.0.0/16`. */
import { BlockList, isIP } from 'node:net'

export interface NetworkList {
  /** False for what is no address. IPv4 addresses in IPv6 (`::ffff:`) count as what they stand for. */
  has(address: string): boolean
}

export function createNetworkList(networks: readonly string[]): NetworkList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return {
    has(address) {
      const [plain = ''] = address.replace(/^::ffff:(?=\d+\.)/i, '').split('%')
      const version = isIP(plain)
      return version !== 0 && list.check(plain, version === 6 ? 'ipv6' : 'ipv4')
    },
  }
}
