/** The address of a caller, and whether a key may be used from it. A forwarded address counts only from a trusted proxy (F48). */
import { BlockList, isIP } from 'node:net';

/** The parts of a request with the caller's address; Node's request has them. */
export interface Origin {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Addresses and CIDR ranges as one list; throws when one of them is neither. */
export function openRanges(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
}

/** An IPv4 address within an IPv6 one (`::ffff:192.0.2.7`) is that IPv4 address. */
export function isWithin(ranges: BlockList, address: string): boolean {
  return ranges.check(address, familyOf(address));
}

/**
 * The nearest address that is not a trusted proxy: each proxy appends the address that it saw; addresses further left may be forged. Undefined when
 * the socket has none. When the header is unreadable, the proxy itself counts as the caller.
 */
export function callerAddress({ socket, headers }: Origin, proxies: BlockList): string | undefined {
  const peer = readAddress(socket.remoteAddress ?? '');
  if (peer === undefined || !isWithin(proxies, peer)) return peer;
  const forwarded = headers['x-forwarded-for'];
  if (forwarded === undefined) return peer;
  let nearest = peer;
  for (const hop of String(forwarded).split(',').toReversed()) {
    const address = readAddress(hop.trim());
    if (address === undefined) return peer;
    if (!isWithin(proxies, address)) return address;
    nearest = address;
  }
  return nearest;
}

/** Some proxies add the port, and brackets around IPv6; a zone (`%eth0`) has no meaning on other machines. */
function readAddress(text: string): string | undefined {
  const bare = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text;
  const address = bare.replace(/%.*$/, '');
  return isIP(address) === 0 ? undefined : address;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
