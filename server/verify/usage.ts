/** Checks of what anybody may read of models and prices, and of what an account has used. */
import { CatalogList } from '../../contract/catalog.ts';
import { OwnAccount, OwnKey, Statement, UsageSummary } from '../../contract/own-account.ts';
import { Receipt, UsageList } from '../../contract/usage.ts';
import type { Caller } from './caller.ts';
import { type Check, demandRefusal, goodBody } from './check.ts';
import { demand, demandAll, LeftOut } from './violation.ts';

/** It lies beside `/v1`, not below. */
export const CATALOG = '/../catalog';

/** The newest request of the account. */
async function readNewest(caller: Caller) {
  const page = goodBody(await caller.ask('/usage?limit=1'), UsageList);
  const [newest] = page.data;
  if (!newest) throw new LeftOut('the account has used nothing that is charged');
  return { page, newest };
}

export const usage: readonly Check[] = [
  {
    group: 'operations',
    area: 'catalog',
    name: 'shows anybody the models and their prices',
    async run(caller) {
      const { data } = goodBody(await caller.ask(CATALOG, { key: null }), CatalogList);
      const ids = data.map(({ id }) => id);
      demand(new Set(ids).size === ids.length, 'a model stands there twice');
    },
  },
  {
    group: 'errors',
    area: 'catalog',
    name: 'does not know a group of prices that is none',
    run: async (caller) => demandRefusal(await caller.ask(`${CATALOG}?group=no-such-group`, { key: null }), 'invalid_value', 'group'),
  },
  {
    group: 'operations',
    area: 'usage',
    name: 'tells what is left, what was used and what was paid',
    async run(caller) {
      const account = goodBody(await caller.ask('/account'), OwnAccount);
      const key = goodBody(await caller.ask('/key'), OwnKey);
      const summary = goodBody(await caller.ask('/account/usage?group_by=model'), UsageSummary);
      const statement = goodBody(await caller.ask('/account/statement?limit=1'), Statement);
      demandAll([
        () => demand(key.account_id === account.id, 'the key is of another account'),
        () =>
          demand(
            summary.data.every(({ key_id: id }) => id === null),
            'sums by model name a key',
          ),
        () => demand(statement.data.length <= 1, `the statement has ${statement.data.length} lines, not 1`),
      ]);
    },
  },
  {
    group: 'state',
    area: 'usage',
    name: 'lists what was used by pages, without a repeat',
    async run(caller) {
      const { page, newest } = await readNewest(caller);
      if (!page.has_more) throw new LeftOut('the account has used a single page');
      const next = goodBody(await caller.ask(`/usage?limit=1&after=${newest.request_id}`), UsageList);
      const ids = next.data.map(({ request_id: id }) => id);
      demandAll([
        () => demand(page.data.length === 1, `the page has ${page.data.length} requests, not 1`),
        () => demand(page.last_id === newest.request_id, 'last_id is not that of the last request'),
        () => demand(ids.length === 1, `the next page has ${ids.length} requests, not 1`),
        () => demand(!ids.includes(newest.request_id), 'the next page repeats the request'),
      ]);
    },
  },
  {
    group: 'state',
    area: 'usage',
    name: 'has a receipt of a request that it lists',
    async run(caller) {
      const { newest } = await readNewest(caller);
      const receipt = goodBody(await caller.ask(`/usage/${newest.request_id}`), Receipt);
      demandAll([
        () => demand(receipt.request_id === newest.request_id, 'it is the receipt of another request'),
        () => demand(receipt.charged === newest.charged, `it says ${receipt.charged} was charged, the list ${newest.charged}`),
      ]);
    },
  },
];
