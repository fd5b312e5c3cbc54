/** Lists of the operators' API that the database filters, and the search over everything. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { governed, startAdmin, type TestAdmin, type ToldBody } from '../harness/admin.ts';
import { paidCall, rowsOf } from '../harness/call-record.ts';

let admin: TestAdmin;
/** By name. */
const keys: Record<string, ToldBody> = {};
const accounts: Record<string, string> = {};
const nothing: Partial<ToldBody> = {};

beforeAll(async () => {
  admin = await startAdmin(governed);
  for (const [name, group] of [
    ['research', 'vip'],
    ['Re_search 100%', 'default'],
    ['sales', 'default'],
  ] as const)
    accounts[name] = (await admin.call('POST', '/accounts', { name, group })).body.id;
  for (const [name, account] of [
    ['build', 'research'],
    ['Builder', 'sales'],
    ['laptop', 'sales'],
    ['old', 'research'],
  ] as const)
    keys[name] = (await admin.call('POST', '/keys', { account, name })).body;
  await admin.call('POST', `/keys/${keys.old?.id}/revoke`);
  await admin.call('PATCH', `/accounts/${accounts['Re_search 100%']}`, { suspended: true });
});
afterAll(() => admin.close());

const list = async (path: string): Promise<{ names: string[]; body: ToldBody }> => {
  const { body } = await admin.call('GET', path);
  return { names: body.data.map(({ name }: { name: string }) => name), body };
};

/** All entries of a sorted list, read in pages of two. */
async function readPages(path: string): Promise<string[]> {
  const names: string[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const { names: some, body } = await list(`${path}&limit=2${after === '' ? '' : `&after=${after}`}`);
    names.push(...some);
    after = body.has_more ? body.last_id : null;
  }
  return names;
}

describe('sorted lists', () => {
  beforeAll(async () => {
    const call = (name: string, account: string, charged: number, ended_at: number) =>
      paidCall(`req_${name}`, { key_id: keys[name]?.id ?? null, account_id: accounts[account] ?? null, charged, ended_at });
    const now = Date.now();
    await admin.activity.add(
      rowsOf(call('laptop', 'sales', 900, now - 3_000), call('build', 'research', 100, now - 1_000), call('old', 'research', 200, now)),
    );
    await admin.call('PATCH', `/keys/${keys.build?.id}`, { spending_caps: [{ amount: '5', period: 'month' }] });
  });

  test.each([
    ['/keys?sort=name&order=asc', ['build', 'Builder', 'laptop', 'old']],
    ['/keys?sort=name&order=desc', ['old', 'laptop', 'Builder', 'build']],
    ['/keys?sort=account', ['build', 'old', 'Builder', 'laptop']],
    ['/keys?sort=created&order=desc', ['old', 'laptop', 'Builder', 'build']],
    ['/keys?sort=charged_30d&order=desc', ['laptop', 'old', 'build', 'Builder']],
    ['/keys?sort=charged_30d&order=asc', ['build', 'old', 'laptop', 'Builder']],
    ['/keys?sort=last_used&order=desc', ['old', 'build', 'laptop', 'Builder']],
    ['/keys?sort=cap_used&order=desc', ['build', 'Builder', 'laptop', 'old']],
    ['/keys?sort=charged_30d&order=desc&group=vip', ['old', 'build']],
  ])('returns the keys of %s in order, page by page', async (path, names) => {
    expect((await readPages(path)).filter((name) => Object.hasOwn(keys, name))).toEqual(names);
  });

  test.each([
    ['/accounts?sort=name&order=desc', ['sales', 'research', 'Re_search 100%']],
    ['/accounts?sort=group&order=asc', ['Re_search 100%', 'sales', 'research']],
    ['/accounts?sort=charged_30d&order=desc', ['sales', 'research', 'Re_search 100%']],
    ['/accounts?sort=available&order=asc', ['research', 'Re_search 100%', 'sales']],
  ])('returns the accounts of %s in order, page by page', async (path, names) => {
    expect((await readPages(path)).filter((name) => Object.hasOwn(accounts, name))).toEqual(names);
  });
});

describe('keys', () => {
  test.each([
    ['q=build', ['build', 'Builder']],
    ['q=BUILD', ['build', 'Builder']],
    ['q=sales', ['Builder', 'laptop']],
    ['q=research', ['build', 'old']],
    ['q=build&group=vip', ['build']],
    ['group=vip', ['build', 'old']],
    ['group=vip&state=active', ['build']],
    ['state=revoked', ['old']],
    ['state=expired', []],
    ['account_id=sales&q=lap', ['laptop']],
    ['q=%25', []],
  ])('lists for ?%s exactly %j', async (query, names) => {
    const found = (await list(`/keys?${query}`)).names;
    expect(found.filter((name) => Object.hasOwn(keys, name))).toEqual(names);
  });

  test('finds by the last four characters and by the start of the ID, in the exact case', async () => {
    const { id = '', last_four } = keys.laptop ?? nothing;
    const four = String(last_four);
    expect((await list(`/keys?q=${four}`)).body.data.map((key) => key.id)).toContain(id);
    expect((await list(`/keys?q=${id.slice(0, 12)}`)).names).toEqual(['laptop']);
    expect((await list(`/keys?q=${id}`)).names).toEqual(['laptop']);
  });

  test('returns each once, page by page, with a filter', async () => {
    const seen: string[] = [];
    let after = '';
    for (;;) {
      const { body } = await list(`/keys?state=active&limit=1${after}`);
      seen.push(...body.data.map(({ id }) => id));
      if (!body.has_more) break;
      after = `&after=${body.last_id}`;
    }
    expect(seen).toEqual((await list('/keys?state=active')).body.data.map(({ id }) => id));
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThanOrEqual(3);
  });
});

describe('accounts', () => {
  test.each([
    ['q=SEARCH', ['research', 'Re_search 100%']],
    ['q=e_s', ['Re_search 100%']],
    ['q=0%25', ['Re_search 100%']],
    ['group=vip', ['research']],
    ['state=suspended', ['Re_search 100%']],
    ['state=active&q=s', ['research', 'sales']],
  ])('lists for ?%s exactly %j', async (query, names) => {
    expect((await list(`/accounts?${query}`)).names.filter((name) => Object.hasOwn(accounts, name))).toEqual(names);
  });
});

describe('the audit log', () => {
  const audit = async (query: string) => (await admin.call('GET', `/audit?${query}`)).body.data;

  test('filters by action, target and actor', async () => {
    const target = keys.old?.id ?? '';
    expect((await audit(`target=${target}`)).map(({ action }) => action)).toEqual(['key.revoke', 'key.create']);
    expect((await audit(`target=${target}&action=key.create`)).map(({ action }) => action)).toEqual(['key.create']);
    const [newest] = await audit('limit=1');
    const actor = String(newest?.actor);
    expect((await audit(`actor=${actor}&limit=1000`)).length).toBeGreaterThan(6);
    expect(await audit('actor=nobody')).toEqual([]);
  });

  test('names the operator and the key of an entry', async () => {
    const id = keys.laptop?.id ?? '';
    const [created] = await audit(`target=${id}`);
    const operators: readonly ToldBody[] = (await admin.call('GET', '/admin-keys')).body.data;
    const operator = operators.find((one) => one.id === created?.actor);
    expect(created?.names).toEqual({ [String(operator?.id)]: operator?.name, [id]: 'sales / laptop' });
  });

  test('filters by time, from inclusive, to exclusive, page by page', async () => {
    const all = await audit('limit=1000');
    const middle = String(all[2]?.at);
    const older = await audit(`to=${middle}`);
    const newer = await audit(`from=${middle}`);
    expect(older.every(({ at }) => String(at) < middle)).toBe(true);
    expect(newer.every(({ at }) => String(at) >= middle)).toBe(true);
    expect(older.length + newer.length).toBe(all.length);
    const [first, second] = await audit('action=key.create');
    expect((await audit(`action=key.create&after=${first?.id}`))[0]?.id).toBe(second?.id);
  });
});

describe('the search', () => {
  const search = async (q: string) => (await admin.call('GET', `/search?q=${encodeURIComponent(q)}`)).body.data;

  test('finds an account by its name, its id and their beginnings, the exact one first', async () => {
    const id = accounts.sales ?? '';
    expect((await search('sales'))[0]).toEqual({ object: 'search_hit', kind: 'account', id, label: 'sales', description: null });
    expect((await search('sal')).map((hit) => hit.id)).toContain(id);
    expect((await search(id)).map((hit) => hit.id)).toEqual([id]);
  });

  test('finds a key by its id and by its last four characters, and never by more of the key', async () => {
    const { id = '', last_four, key = '' } = keys.laptop ?? nothing;
    const four = String(last_four);
    expect((await search(id))[0]).toMatchObject({ kind: 'key', id, label: 'sales / laptop', description: `…${four}` });
    expect((await search(four)).map((hit) => hit.id)).toContain(id);
    expect(await search(key)).toEqual([]);
  });

  test('finds keys by a part of their name, and by the name of their account', async () => {
    const id = keys.laptop?.id;
    for (const q of ['LAPT', 'sales']) expect(await search(q)).toContainEqual(expect.objectContaining({ kind: 'key', id }));
  });

  test('finds a model by a part of its ID, and nothing for an unknown request', async () => {
    const [{ id = '' } = {}] = (await admin.call('GET', '/models')).body.data;
    expect(await search(id.slice(1))).toContainEqual(expect.objectContaining({ kind: 'model', id }));
    expect(await search(`req_${randomUUID()}`)).toEqual([]);
  });
});

describe('a table as CSV', () => {
  const table = async (path: string): Promise<string[][]> => {
    const answer = await fetch(`${admin.origin}/admin/v1${path}`, { headers: { authorization: `Bearer ${admin.key}` } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    const lines = (await answer.text()).split('\r\n');
    expect(lines.pop()).toBe('');
    return lines.map((line) => line.split(','));
  };

  test('contains keys, with the filters of the list', async () => {
    const [headings, ...rows] = await table('/keys.csv?account_id=sales');
    expect(headings?.slice(0, 6)).toEqual(['id', 'name', 'account_id', 'account_name', 'last_four', 'state']);
    expect(rows.map((row) => row.slice(0, 6))).toEqual(
      ['Builder', 'laptop'].map((name) => [keys[name]?.id, name, accounts.sales, 'sales', String(keys[name]?.last_four), 'active']),
    );
    expect(rows.every((row) => row.length === headings?.length)).toBe(true);
    expect((await table('/keys.csv?state=revoked&q=old'))[1]?.[5]).toBe('revoked');
  });

  test('contains accounts with their balances', async () => {
    const adjustment = { transfer_id: 'csv', kind: 'top_up', amount: '12.5' };
    expect((await admin.call('POST', `/accounts/${accounts.sales}/adjustments`, adjustment)).status).toBe(200);
    const [headings, row] = await table('/accounts.csv?q=sales');
    const cell = (name: string) => row?.[headings?.indexOf(name) ?? -1];
    expect([cell('name'), cell('balance'), cell('available')]).toEqual(['sales', '12.500000', '12.500000']);
    expect((await table('/accounts.csv?state=suspended')).slice(1).map(([, name]) => name)).toEqual(['Re_search 100%']);
  });

  test('contains the audit log, newest first, over all of its pages', async () => {
    const rows = (await table('/audit.csv')).slice(1);
    const { data } = (await admin.call('GET', '/audit?limit=1000')).body;
    expect(rows.map(([id]) => id)).toEqual(data.map(({ id }) => id));
    expect((await table('/audit.csv?action=key.revoke')).slice(1).map((row) => row[3])).toEqual(['key.revoke']);
  });

  test('contains more accounts than fit in one page, each once', async () => {
    const names = Array.from({ length: 205 }, (_, at) => `crowd-${at}`);
    for (const name of names) await admin.call('POST', '/accounts', { name });
    const found = (await table('/accounts.csv?q=crowd-')).slice(1).map((row) => String(row[1]));
    expect(found.toSorted()).toEqual(names.toSorted());
  });

  test('contains a name that looks like a formula as text', async () => {
    await admin.call('POST', '/keys', { account: 'sales', name: '=1+1' });
    expect((await table('/keys.csv?q=%3D1'))[1]?.[1]).toBe("'=1+1");
  });
});
