/** The contract is compared with the SDK, Open Responses and Codex, and each difference is listed. */
import { expect, test } from 'vitest';
import { faultsOf, readPage, readSources } from '../programs/freshness/run.ts';

test('finds each difference from the sources of this repository in docs/sdk-coverage.md, and no row without one', () => {
  expect(faultsOf(readPage(), readSources(), true)).toEqual([]);
});
