/** Expiry times of keys, as an operator writes them. */
import { expect, test } from 'vitest';

import { parseExpiry } from '../../../../server/operate/commands/parse-time.ts';

const now = Date.parse('2026-06-01T12:00:00Z');

test.each([
  ['12h', '2026-06-02T00:00:00Z'],
  ['30d', '2026-07-01T12:00:00Z'],
  ['8w', '2026-07-27T12:00:00Z'],
  ['2027-01-31', '2027-01-31T00:00:00Z'],
  ['2027-01-31T10:00Z', '2027-01-31T10:00:00Z'],
  ['2027-01-31T10:00:30.5+02:00', '2027-01-31T08:00:30.5Z'],
])('reads %s as %s', (text, meant) => {
  expect(parseExpiry(text, now)).toBe(Date.parse(meant));
});

test.each([
  ['soon', /Enter a duration such as 12h, 30d, or 8w/],
  ['', /Enter a duration/],
  ['30', /Enter a duration/],
  ['-1d', /Enter a duration/],
  ['1.5d', /Enter a duration/],
  ['30m', /Enter a duration/],
  ['2099-02-30', /Enter a duration/],
  ['2099-13-01', /Enter a duration/],
  ['2099-01-01T10:00', /Enter a duration/],
  ['0d', /in the future/],
  ['2026-06-01', /in the future/],
  ['999999w', /within the next 100 years/],
])('rejects %j with a hint', (text, says) => {
  expect(() => parseExpiry(text, now)).toThrow(says);
});
