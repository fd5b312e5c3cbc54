/** The statement of an account: operators and the holder read the same lines, whose amounts lead from balance to balance, and the CSV has them all. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { governed, refusalOf, startAdmin, type TestAdmin } from '../harness/admin.ts';

let admin: TestAdmin;
beforeAll(async () => {
  admin = await startAdmin(governed);
  await admin.call('POST', '/accounts', { name: 'desk', opening_balance: '25' });
  const adjust = (kind: string, amount: string, note?: string) =>
    admin.call('POST', '/accounts/desk/adjustments', { kind, amount, note, transfer_id: `${kind}-1` });
  await adjust('top_up', '12.5', '=HYPERLINK("http://evil.example")');
  await adjust('correction', '-3');
  await adjust('refund', '0.000001');
});
afterAll(() => admin.close());

const entriesOf = async (query = '') => (await admin.call('GET', `/accounts/desk/entries${query}`)).body;

test('lists what came in and went out to an operator, newest first, with the balance after each', async () => {
  const { id } = (await admin.call('GET', '/accounts/desk')).body;
  expect((await entriesOf()).data).toMatchObject([
    { kind: 'refund', amount: '0.000001', balance_after: '34.500001', transfer_id: 'refund-1', request_id: null, note: null },
    { kind: 'correction', amount: '-3.000000', balance_after: '34.500000', transfer_id: 'correction-1' },
    { kind: 'top_up', amount: '12.500000', balance_after: '37.500000', note: '=HYPERLINK("http://evil.example")' },
    { kind: 'top_up', amount: '25.000000', balance_after: '25.000000', transfer_id: `opening:${id}` },
  ]);
});

test('keeps the balances of entries over pages and kinds', async () => {
  const [first, ...rest] = (await entriesOf()).data;
  const page = await entriesOf('?limit=1');
  expect(page).toMatchObject({ data: [first], has_more: true, last_id: first?.id });
  expect((await entriesOf(`?after=${page.last_id}`)).data).toEqual(rest);
  expect((await entriesOf('?kind=top_up')).data).toEqual(rest.filter((entry) => entry.kind === 'top_up'));
  expect((await entriesOf('?to=2020-01-01T00:00:00Z')).data).toEqual([]);
});

test('rejects an entry of another account as a cursor', async () => {
  const rejected = { status: 400, code: 'invalid_value', param: 'after' };
  expect(refusalOf(await admin.call('GET', '/accounts/desk/entries?after=999999'))).toEqual(rejected);
});

test('writes exact amounts to the CSV, with a minus and without formulas', async () => {
  const headers = { authorization: `Bearer ${admin.key}` };
  const text = await (await fetch(`${admin.origin}/admin/v1/accounts/desk/entries.csv`, { headers })).text();
  const [headings, ...lines] = text.trimEnd().split('\r\n');
  expect(headings).toBe('id,at,kind,amount,balance_after,note,transfer_id,request_id');
  expect(lines).toHaveLength(4);
  expect(lines[1]).toMatch(/,correction,-3\.000000,34\.500000,,correction-1,$/);
  expect(lines[2]).toContain(`"'=HYPERLINK(""http://evil.example"")"`);
});
