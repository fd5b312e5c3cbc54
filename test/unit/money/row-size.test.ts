/** The size of the rows that a paid call leaves in the database (F55). */
import { expect, test } from 'vitest';
import { createRequestId } from '../../../server/primitives/request-id.ts';
import { openMemory, order, posting } from './open.ts';

const CALLS = 2_000;
/** With its entries and all indexes. */
const MAX_BYTES = 1_200;

test('F55: stores the rows of a charge in less than 1,200 bytes', async () => {
  const { connection, ledger } = openMemory('ada');
  const sizeOf = (): number => {
    const { page_count: pages } = connection.prepare('PRAGMA page_count').get() ?? {};
    const { page_size: bytes } = connection.prepare('PRAGMA page_size').get() ?? {};
    return Number(pages) * Number(bytes);
  };
  await ledger.adjust({ accountId: 'ada', transfer: 'top', kind: 'top_up', amount: 1_000_000_000n, note: null, at: 0 });
  const before = sizeOf();
  for (let call = 0; call < CALLS; call++) {
    const requestId = createRequestId();
    expect((await ledger.reserve(order({ requestId, amount: 900n }))).kind).toBe('held');
    expect((await ledger.post(posting(requestId, 31n))).kind).toBe('settled');
  }
  const bytes = (sizeOf() - before) / CALLS;
  expect(bytes).toBeGreaterThan(100);
  expect(bytes).toBeLessThan(MAX_BYTES);
});
