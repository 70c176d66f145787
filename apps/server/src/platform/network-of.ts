/** Whom a limit by address is about. */
import { isIPv6 } from 'node:net'

/** An IPv4 address, or the /64 of an IPv6 address: whoever has one of its addresses has them all. */
export function networkOf(address: string): string {
  const inside = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (inside !== undefined) return inside
  if (!isIPv6(address)) return address
  const [before = '', after = ''] = (address.split('%')[0] ?? '').toLowerCase().split('::')
  const [head, tail] = [before, after].map((half) => half.split(':').filter((group) => group !== ''))
  const gap = Array.from({ length: 8 - (head?.length ?? 0) - (tail?.length ?? 0) }, () => '0')
  const groups = address.includes('::') ? [...(head ?? []), ...gap, ...(tail ?? [])] : (head ?? [])
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
