/** Sealed summaries, which callers keep across releases of the gateway. */
import { expect, test } from 'vitest';
import { SummarySeal } from '../../../server/history/summary-seal.ts';

test('opens a summary that an earlier release sealed, for its account and pepper only', () => {
  const pepper = Buffer.alloc(32, 7);
  const sealed = 'mgsum1.fsNKTvW3GQvnJsTybuUN9DEAfEwMWKiha9cfQLzYQzOuPrgbbeMutzDhHzgW5cSmciXAj_C3uSs';
  expect(new SummarySeal(pepper).open('acct_1', sealed)).toBe('The bridge is 7 meters long.');
  expect(new SummarySeal(pepper).open('acct_2', sealed)).toBeNull();
  expect(new SummarySeal(Buffer.alloc(32, 8)).open('acct_1', sealed)).toBeNull();
});
