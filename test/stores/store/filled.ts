/** A database of a gateway that was in use: every table has rows, written by the steps of the product. */

import { openAccess } from '../../../server/access/access.ts';
import { issueAdminKey, issueKey } from '../../../server/access/issue-key.ts';
import { historyStoreDefinition } from '../../../server/history/plans.ts';
import { idempotencyStoreDefinition } from '../../../server/money/idempotency.ts';
import { openLedgerSteps, openSqliteLedger } from '../../../server/money/sqlite.ts';
import type { LedgerStore } from '../../../server/money/store.ts';
import { alertStoreDefinition } from '../../../server/records/alerts/plans.ts';
import { activityStoreDefinition } from '../../../server/records/plans.ts';
import { type Database, openDatabase, runInline } from '../../../server/store/sqlite/database.ts';
import { paidCall, rejectedCall, rowsOf } from '../../harness/call-record.ts';
import { noon, order, posting, subscription, topUp } from '../../unit/money/open.ts';

export interface Filled {
  readonly database: Database;
  readonly key: string;
  readonly accountId: string;
}

/** More than one batch of charges and entries. */
const CHARGES = 1_200;
/** Two of them are more than one batch. */
const longText = 'long '.repeat(700_000);
/** A text with every kind of character except a zero character, which JSON stores as an escape. */
const oddText = JSON.stringify({ quote: `' " \\ {} NULL`, owl: '🦉', half: '\ud83e', zero: '\0', line: '\n' });

/** All rows have the same time, so that they differ only in the order in which they were written. */
export async function fillDatabase(folder: string): Promise<Filled> {
  const database = openDatabase({ folder, durability: 'relaxed' });
  const { connection } = database;
  const access = { ...(await openAccess(folder, { connection })), now: () => noon };
  const ledger = openSqliteLedger({ connection, steps: runInline(connection, openLedgerSteps) });
  const audit = { actor: 'test', action: 'key.revoke', target: 'key', details: { text: oddText }, at: noon };
  const { key, accountId, id } = await issueKey({ accountName: 'ada', name: 'first' }, access);
  for (const name of ['second', 'third', 'fourth', 'fifth'])
    await issueKey({ accountName: 'ada', name, caps: [{ micros: 7n, period: 'day' }] }, access);
  const gone = await issueKey({ accountName: "bob's 🦉", name: 'gone' }, access);
  await access.store.revokeKey(gone.id, audit);
  await access.store.editAccount(accountId, { alertBelow: 4n }, audit);
  await issueAdminKey('operator', access);
  await addMoney(ledger, accountId, id);
  await addMoney(ledger, gone.accountId, gone.id);
  await addWords(database, accountId);
  await addCalls(database, accountId);
  await addAlerts(database, accountId);
  return { database, key, accountId };
}

async function addMoney(ledger: LedgerStore, accountId: string, keyId: string): Promise<void> {
  await topUp(ledger, accountId, 9_000_000_000_000_000n);
  await ledger.addPrice({ priceList: 'standard', model: 'm', source: 'config', prices: '{}', createdAt: noon });
  const key = { owner: `key:${keyId}`, micros: 1_000_000_000n, scope: 'key' } as const;
  const caps = [
    { ...key, period: 'never' },
    { ...key, period: 'month' },
  ] as const;
  for (let index = 0; index < CHARGES; index++) {
    const requestId = `req_${accountId}_${index}`;
    await ledger.reserve(order({ requestId, accountId, keyId, amount: 1_000n, ...(index % 2 === 0 && { caps }) }));
    if (index % 10 === 0)
      await ledger.void(requestId, noon, 'failed', [{ upstream: oddText, status: null, code: 'upstream_error', ms: 1 }]);
    // One in a hundred costs more than its hold, and the last ones are still held.
    else if (index < CHARGES - 5) await ledger.post(posting(requestId, index % 100 === 1 ? 1_500n : 700n));
  }
  await ledger.addSubscription(subscription({ id: `plan_${accountId}`, accountId }));
  await ledger.reserve(order({ requestId: `req_${accountId}_plan`, accountId, amount: 40n }));
  await ledger.post(posting(`req_${accountId}_plan`, 30n));
}

async function addWords({ connection }: Database, accountId: string): Promise<void> {
  const history = historyStoreDefinition.onSqlite({ connection, steps: runInline(connection, historyStoreDefinition.steps) });
  for (const [index, text] of [oddText, longText, longText, 'short'].entries()) {
    const id = `resp_${index}`;
    const output = [{ id: `msg_${index}`, type: 'message', text }];
    const previousId = index === 0 ? null : `resp_${index - 1}`;
    const input = [{ role: 'user', content: text }];
    await history.save({ id, accountId, previousId, upstream: 'east', createdAt: 1_000, input, response: { id, output } });
  }
  const idempotency = idempotencyStoreDefinition.onSqlite({ connection, steps: runInline(connection, idempotencyStoreDefinition.steps) });
  for (const key of ['answered', 'running']) await idempotency.claim(claimOf(accountId, key));
  const bytes = Uint8Array.from({ length: 512 }, (_, index) => index % 256);
  await idempotency.saveResult(claimOf(accountId, 'answered'), { contentType: 'application/json', bytes });
}

async function addCalls({ connection }: Database, accountId: string): Promise<void> {
  const activity = activityStoreDefinition.onSqlite({ connection, steps: runInline(connection, activityStoreDefinition.steps) });
  const nobody = { account_id: null, key_id: null, operation: null, model: null };
  const details = { param: oddText, message: oddText };
  await activity.add(
    rowsOf(
      rejectedCall('req_rejected', { ...nobody, details }),
      rejectedCall('req_wrong', { account_id: accountId, ended_at: noon, details }),
      paidCall('req_paid', { account_id: accountId, ended_at: noon }),
    ),
  );
  await activity.closeDay(noon + 86_400_000);
  await activity.noteCheck({ hour: noon - (noon % 3_600_000), firstEntry: 1, posted: 1, summed: 2 });
}

async function addAlerts({ connection }: Database, subject: string): Promise<void> {
  const alerts = alertStoreDefinition.onSqlite({ connection, steps: runInline(connection, alertStoreDefinition.steps) });
  const told = { subject, name: oddText, message: oddText, value: '1.000000', threshold: null, openedAt: noon };
  await alerts.open({ id: 'alert_1', kind: 'balance_low', ...told }, [{ channel: 'ops', body: oddText }]);
  await alerts.acknowledge('alert_1', noon + 1, { actor: 'test', action: 'alert.acknowledge', target: 'alert_1', details: {}, at: noon });
  await alerts.resolve('alert_1', noon, [{ channel: 'ops', body: oddText }]);
  const [claimed] = await alerts.claim({ channels: ['ops'], now: noon, until: noon + 1, limit: 1 });
  if (!claimed) throw new TypeError('nothing is due');
  await alerts.finish({ ...claimed, state: 'failed', nextAt: null, status: 410, failure: oddText });
}

export const claimOf = (accountId: string, key: string) => ({
  accountId,
  key,
  fingerprint: 'print',
  requestId: `req_of_${key}`,
  node: 'node_1',
  at: noon,
});
