/** The call IDs that callers get from the IDs of an upstream. */
import { expect, test } from 'vitest';
import { toCallId } from '../../../../server/protocols/canonical/call-ids.ts';

test.each([
  ['toolu_01AbC', 'call_01AbC'],
  ['toolu_bdrk_01AbC', 'call_bdrk_01AbC'],
  ['call_9', 'call_9'],
  ['call-0b5d-7', 'call-0b5d-7'],
  ['tooluse_k7', 'call_k7'],
  ['callback', 'call_callback'],
  ['fc_9', 'call_9'],
  ['b1946ac9', 'call_b1946ac9'],
  ['', ''],
])('turns the call ID %j of an upstream into %j, and keeps that one', (id, shown) => {
  expect(toCallId(id)).toBe(shown);
  expect(toCallId(shown)).toBe(shown);
});
