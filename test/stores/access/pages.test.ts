/** Query plans of the lists that operators filter, on each engine: they use an index wherever one can help. */
import { test as base, describe, expect } from 'vitest';
import { buildAccountsQuery, buildAuditQuery, buildKeysQuery } from '../../../server/access/pages.ts';
import { buildAccountSpendSql, buildKeyUsageSql, buildListedCapsSql } from '../../../server/access/spend.ts';
import { engines } from '../records/engines.ts';

const at = Date.UTC(2027, 0, 10);
const page = { limit: 101, after: 'key_1' };

describe.each(engines)('$title', ({ isMissing, use }) => {
  const open = use();
  const test = base.skipIf(isMissing);

  test('pages of keys and accounts are read in their order, by an index', async () => {
    const { plan } = await open();
    for (const { sql, values } of [
      buildKeysQuery({ at }, page),
      buildKeysQuery({ at, state: 'active', group: 'vip' }, page),
      buildKeysQuery({ at, q: 'build' }, page),
    ]) {
      const found = await plan(sql, values);
      expect(found).toContain('keys_by_time');
    }
    const { sql, values } = buildAccountsQuery({ at, q: 'a', state: 'suspended' }, { limit: 101, after: 'acct_1' });
    expect(await plan(sql, values)).toContain('accounts_by_time');
  });

  test.each([
    ['actor', 'audit_by_actor'],
    ['action', 'audit_by_action'],
    ['target', 'audit_by_target'],
  ] as const)('finds changes by %s with %s, newest first', async (field, index) => {
    const { plan } = await open();
    const { sql, values } = buildAuditQuery({ [field]: 'x', before: 7 }, 101);
    const found = await plan(sql, values);
    expect(found).toContain(index);
    expect(found).not.toMatch(/USE TEMP B-TREE|Sort/);
  });

  test('finds the last call and the spend of each key and account by an index', async () => {
    const { plan } = await open();
    const uses = await plan(buildKeyUsageSql(['key_1', 'key_2']), [at, 'key_1', 'key_2']);
    for (const index of [/requests_by_key/, /key_days_by_key/]) expect(uses).toMatch(index);
    const caps = await plan(buildListedCapsSql('keys', ['key_1']), [at, at, at, 'key_1']);
    for (const index of [/keys_pkey|sqlite_autoindex_keys/, /allowances_pkey|allowances USING PRIMARY KEY/]) expect(caps).toMatch(index);
    expect(await plan(buildAccountSpendSql(['a', 'b']), [at, 'a', 'b'])).toMatch(/account_days_by_account|account_days_pkey/);
  });
});
