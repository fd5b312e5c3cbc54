/** The address of the caller, behind trusted proxies. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { getCallerAddress, includesAddress, toBlockList } from '../../../server/access/caller-address.ts';
import { from } from './remote.ts';

const proxies = toBlockList(['10.0.0.0/8', '2001:db8:1::/48', '192.0.2.1']);

test.each([
  ['the address of the socket without a header', '10.0.0.1', undefined, '10.0.0.1'],
  ['the only entry of the header', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['the last entry, not those that a client wrote', '10.0.0.1', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
  ['the entry before a second trusted proxy', '10.0.0.1', '1.1.1.1, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
  ['the first entry where all are trusted proxies', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['an entry without its port', '10.0.0.1', '203.0.113.9:4711', '203.0.113.9'],
  ['an IPv6 entry without its brackets and port', '10.0.0.1', '[2001:db8::9]:4711', '2001:db8::9'],
  ['the entry behind a trusted proxy of IPv6', '2001:db8:1::1', '203.0.113.9', '203.0.113.9'],
  ['the entry behind a trusted proxy in its IPv4-mapped form', '::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['the entry behind a trusted proxy listed as a single address', '192.0.2.1', '203.0.113.9', '203.0.113.9'],
  ['the address of the socket if it is next to the trusted one', '192.0.2.2', '203.0.113.9', '192.0.2.2'],
  ['the address of the socket if it is not trusted', '198.51.100.1', '203.0.113.9', '198.51.100.1'],
  ['the last entry, with junk before it', '10.0.0.1', 'unknown, 203.0.113.9', '203.0.113.9'],
  ['the address of the socket if the last entry is junk', '10.0.0.1', '203.0.113.9, unknown', '10.0.0.1'],
  ['the address of the socket if the header is empty', '10.0.0.1', '', '10.0.0.1'],
  ['the address of the socket if the last entry is empty', '10.0.0.1', '203.0.113.9,', '10.0.0.1'],
  ['the address of the socket if the last entry is out of range', '10.0.0.1', '203.0.113.999', '10.0.0.1'],
  ['the address of the socket if the last entry is in hexadecimal', '10.0.0.1', '0x7f.1', '10.0.0.1'],
  ['the address of the socket without its zone', 'fe80::1%eth0', undefined, 'fe80::1'],
  ['undefined without an address of the socket', undefined, '203.0.113.9', undefined],
])('finds the address of a caller: %s', (_what, peer, forwarded, expected) => {
  expect(getCallerAddress(from(peer, forwarded), proxies)).toBe(expected);
});

test('F48: ignores the header without trusted proxies', () => {
  const none = toBlockList([]);
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), fc.string(), (peer, forwarded) => {
      expect(getCallerAddress(from(peer, forwarded), none)).toBe(peer);
    }),
  );
});

test('F48: uses the entry that the proxy adds, whatever the client writes before it', () => {
  fc.assert(
    fc.property(fc.string(), fc.ipV4(), (written, seen) => {
      fc.pre(!includesAddress(proxies, seen));
      expect(getCallerAddress(from('10.0.0.1', `${written}, ${seen}`), proxies)).toBe(seen);
    }),
  );
});

test('accepts ranges of IPv4, IPv6, and mapped addresses, with host bits, and rejects bad ones', () => {
  const inside = (range: string, address: string) => includesAddress(toBlockList([range]), address);
  expect(inside('192.0.2.77/24', '192.0.2.1')).toBe(true);
  expect(inside('192.0.2.0/31', '192.0.2.2')).toBe(false);
  expect(inside('0.0.0.0/0', '203.0.113.9')).toBe(true);
  expect(inside('0.0.0.0/0', '2001:db8::1')).toBe(false);
  expect(inside('::ffff:192.0.2.0/120', '192.0.2.9')).toBe(true);
  expect(inside('2001:DB8::/32', '2001:db8:ffff::')).toBe(true);
  expect(() => toBlockList(['192.0.2.0/33'])).toThrow();
  expect(() => toBlockList(['example.com'])).toThrow();
});
