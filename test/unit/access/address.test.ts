/** Which address counts as the caller's. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callerAddress, isWithin, openRanges } from '../../../server/access/address.ts';
import { from } from './remote.ts';

const proxies = openRanges(['10.0.0.0/8', '2001:db8:1::/48', '192.0.2.1']);

test.each([
  ['no header', '10.0.0.1', undefined, '10.0.0.1'],
  ['one hop', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['a client that wrote the header itself', '10.0.0.1', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
  ['two proxies in a row', '10.0.0.1', '1.1.1.1, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
  ['proxies alone', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['a port', '10.0.0.1', '203.0.113.9:4711', '203.0.113.9'],
  ['IPv6 with brackets and port', '10.0.0.1', '[2001:db8::9]:4711', '2001:db8::9'],
  ['a proxy of IPv6', '2001:db8:1::1', '203.0.113.9', '203.0.113.9'],
  ['a proxy that a double socket sees', '::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['a single address as a proxy', '192.0.2.1', '203.0.113.9', '203.0.113.9'],
  ['its neighbour', '192.0.2.2', '203.0.113.9', '192.0.2.2'],
  ['a stranger', '198.51.100.1', '203.0.113.9', '198.51.100.1'],
  ['junk behind the nearest hop', '10.0.0.1', 'unknown, 203.0.113.9', '203.0.113.9'],
  ['junk at the nearest hop', '10.0.0.1', '203.0.113.9, unknown', '10.0.0.1'],
  ['an empty header', '10.0.0.1', '', '10.0.0.1'],
  ['an empty hop', '10.0.0.1', '203.0.113.9,', '10.0.0.1'],
  ['a number that is no address', '10.0.0.1', '203.0.113.999', '10.0.0.1'],
  ['the same address spelled otherwise', '10.0.0.1', '0x7f.1', '10.0.0.1'],
  ['a zone', 'fe80::1%eth0', undefined, 'fe80::1'],
  ['no socket address', undefined, '203.0.113.9', undefined],
])('with %s', (_what, peer, forwarded, expected) => {
  expect(callerAddress(from(peer, forwarded), proxies)).toBe(expected);
});

test('F48: without listed proxies no header changes whose address counts', () => {
  const none = openRanges([]);
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), fc.string(), (peer, forwarded) => {
      expect(callerAddress(from(peer, forwarded), none)).toBe(peer);
    }),
  );
});

test('F48: whatever a client writes ahead of what the proxy adds, the proxy’s word counts', () => {
  fc.assert(
    fc.property(fc.string(), fc.ipV4(), (written, seen) => {
      fc.pre(!isWithin(proxies, seen));
      expect(callerAddress(from('10.0.0.1', `${written}, ${seen}`), proxies)).toBe(seen);
    }),
  );
});

test('an operator may write ranges of either family, with host bits, and of a mapped form', () => {
  const inside = (range: string, address: string) => isWithin(openRanges([range]), address);
  expect(inside('192.0.2.77/24', '192.0.2.1')).toBe(true);
  expect(inside('192.0.2.0/31', '192.0.2.2')).toBe(false);
  expect(inside('0.0.0.0/0', '203.0.113.9')).toBe(true);
  expect(inside('0.0.0.0/0', '2001:db8::1')).toBe(false);
  expect(inside('::ffff:192.0.2.0/120', '192.0.2.9')).toBe(true);
  expect(inside('2001:DB8::/32', '2001:db8:ffff::')).toBe(true);
  expect(() => openRanges(['192.0.2.0/33'])).toThrow();
  expect(() => openRanges(['example.com'])).toThrow();
});
