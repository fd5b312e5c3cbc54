/** Finds a caller's IP address behind trusted proxies, and checks whether an address is in a range. */
import { BlockList, isIP } from 'node:net';

/** The request fields with the caller's address. Node's request has them. */
export interface CallerConnection {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Combines addresses and CIDR ranges into one list. Throws if an entry is neither. */
export function toBlockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    if (bits === undefined) list.addAddress(address, getAddressFamily(address));
    else list.addSubnet(address, Number(bits), getAddressFamily(address));
  }
  return list;
}

/** An IPv4 address inside an IPv6 one (`::ffff:192.0.2.7`) counts as that IPv4 address. */
export function includesAddress(ranges: BlockList, address: string): boolean {
  return ranges.check(address, getAddressFamily(address));
}

/**
 * Returns the nearest address that isn't a trusted proxy. Each proxy appends the address it saw, so addresses further left may be forged. If the header is
 * unreadable, the proxy itself counts as the caller. Undefined if the socket has no address.
 */
export function getCallerAddress({ socket, headers }: CallerConnection, proxies: BlockList): string | undefined {
  const peer = readAddress(socket.remoteAddress ?? '');
  if (peer === undefined || !includesAddress(proxies, peer)) return peer;
  const forwarded = headers['x-forwarded-for'];
  if (forwarded === undefined) return peer;
  let nearest = peer;
  for (const hop of String(forwarded).split(',').toReversed()) {
    const address = readAddress(hop.trim());
    if (address === undefined) return peer;
    if (!includesAddress(proxies, address)) return address;
    nearest = address;
  }
  return nearest;
}

/** Some proxies add a port, and brackets around IPv6. A zone (`%eth0`) has no meaning on other machines. */
function readAddress(text: string): string | undefined {
  const host = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text;
  const address = host.replace(/%.*$/, '');
  return isIP(address) === 0 ? undefined : address;
}

function getAddressFamily(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
