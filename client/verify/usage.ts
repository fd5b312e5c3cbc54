/** Checks the catalog, the account, and its usage. */

import { OwnAccount, OwnKey, Statement, UsageSummary } from '../../contract/account.ts';
import { CatalogList } from '../../contract/catalog.ts';
import { Receipt, UsageList } from '../../contract/usage.ts';
import { assert, assertAll, assertError, parseOkBody } from './assert.ts';
import type { Check } from './check.ts';
import type { VerifyClient } from './target.ts';
import { SkipCheck } from './violation.ts';

/** The path doesn't start with `/v1`. */
export const CATALOG_PATH = '/../catalog';

/** Reads the account's newest request. */
async function fetchNewestUsage(caller: VerifyClient) {
  const page = parseOkBody(await caller.send('/usage?limit=1'), UsageList);
  const [newest] = page.data;
  if (!newest) throw new SkipCheck('the account has no charged usage');
  return { page, newest };
}

export const usageChecks: readonly Check[] = [
  {
    group: 'operations',
    area: 'catalog',
    name: 'lists models and prices without a key',
    async run(caller) {
      const { data } = parseOkBody(await caller.send(CATALOG_PATH, { key: null }), CatalogList);
      const ids = data.map(({ id }) => id);
      assert(new Set(ids).size === ids.length, 'the list has a duplicate model');
    },
  },
  {
    group: 'errors',
    area: 'catalog',
    name: 'rejects an unknown price group',
    run: async (caller) => assertError(await caller.send(`${CATALOG_PATH}?group=no-such-group`, { key: null }), 'invalid_value', 'group'),
  },
  {
    group: 'operations',
    area: 'usage',
    name: 'returns the balance, usage, and statement',
    async run(caller) {
      const account = parseOkBody(await caller.send('/account'), OwnAccount);
      const key = parseOkBody(await caller.send('/key'), OwnKey);
      const summary = parseOkBody(await caller.send('/account/usage?group_by=model'), UsageSummary);
      const statement = parseOkBody(await caller.send('/account/statement?limit=1'), Statement);
      assertAll([
        () => assert(key.account_id === account.id, 'the key belongs to another account'),
        () =>
          assert(
            summary.data.every(({ key_id: id }) => id === null),
            'totals by model contain a key ID',
          ),
        () => assert(statement.data.length <= 1, `expected 1 line in the statement, got ${statement.data.length}`),
      ]);
    },
  },
  {
    group: 'state',
    area: 'usage',
    name: 'paginates usage without duplicates',
    async run(caller) {
      const { page, newest } = await fetchNewestUsage(caller);
      if (!page.has_more) throw new SkipCheck('the account has only one page of usage');
      const next = parseOkBody(await caller.send(`/usage?limit=1&after=${newest.request_id}`), UsageList);
      const ids = next.data.map(({ request_id: id }) => id);
      assertAll([
        () => assert(page.data.length === 1, `expected 1 request on the page, got ${page.data.length}`),
        () => assert(page.last_id === newest.request_id, "last_id isn't the ID of the last request"),
        () => assert(ids.length === 1, `expected 1 request on the next page, got ${ids.length}`),
        () => assert(!ids.includes(newest.request_id), 'the next page repeats the request'),
      ]);
    },
  },
  {
    group: 'state',
    area: 'usage',
    name: 'returns the receipt of a listed request',
    async run(caller) {
      const { newest } = await fetchNewestUsage(caller);
      const receipt = parseOkBody(await caller.send(`/usage/${newest.request_id}`), Receipt);
      assertAll([
        () => assert(receipt.request_id === newest.request_id, 'the receipt belongs to another request'),
        () =>
          assert(receipt.charged === newest.charged, `the receipt shows ${receipt.charged} charged, but the list shows ${newest.charged}`),
      ]);
    },
  },
];
