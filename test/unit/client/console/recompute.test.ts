/** A charge recomputed in the browser, in whole numbers, with the name of each part that differs. */
import { expect, test } from 'vitest';
import { type Receipt, readDecimal, recompute } from '../../../../client/pages/src/operator/pages/requests/recompute.ts';

// `as`: the fields that are computed with.
const receipt = {
  lines: [
    { class: 'input', quantity: 8, price: '1.250000', per: 'million_tokens', amount: '0.000010000000' },
    { class: '1024x1024/high', quantity: 2, price: '0.167000', per: 'image', amount: '0.334000000000' },
  ],
  subtotal: '0.334010000000',
  multiplier: '0.800000',
  rounding: '0.000000000000000000',
  cost: '0.267208',
  held: '1.000000',
  charged: '0.267208',
} as unknown as Receipt;
const entry = (ledger_account: string, amount: string) => ({
  id: '1',
  ledger_account,
  kind: 'charge',
  amount,
  at: '2026-11-22T12:00:00.000Z',
});
const entries = [entry('account:acct_1', '-0.267208'), entry('revenue', '0.267208')];

test('finds no difference in a correct receipt', () => {
  expect(recompute(receipt, entries)).toEqual([]);
});

test('names each part that differs', () => {
  const [first, second] = receipt.lines;
  const dearer = { ...receipt, lines: [{ ...first, amount: '0.000010000001' }, second] } as Receipt;
  expect(recompute(dearer, entries)).toEqual([{ part: 'line', name: 'input' }]);
  expect(recompute({ ...receipt, subtotal: '0.334010000001' }, entries)).toEqual([{ part: 'subtotal' }]);
  expect(recompute({ ...receipt, rounding: '0.000000000000000001' }, entries)).toEqual([{ part: 'cost' }]);
  expect(recompute({ ...receipt, charged: '0.267209' }, entries)).toEqual([{ part: 'charged' }, { part: 'ledger' }]);
  expect(recompute(receipt, [])).toEqual([{ part: 'ledger' }]);
  expect(recompute(receipt, [entry('account:acct_1', '-0.267208'), entry('revenue', '0.267207')])).toEqual([{ part: 'ledger' }]);
});

test('charges at most the hold', () => {
  const half = [entry('subscription:sub_1', '-0.100000'), entry('revenue', '0.100000')];
  expect(recompute({ ...receipt, held: '0.100000', charged: '0.100000' }, half)).toEqual([]);
});

test('reads decimals without floats', () => {
  expect(readDecimal('-0.000000000000000001', 18)).toBe(-1n);
  expect(readDecimal('12', 6)).toBe(12_000_000n);
  expect(readDecimal('0.1234567', 6)).toBeNull();
  expect(readDecimal('1e3', 6)).toBeNull();
});
