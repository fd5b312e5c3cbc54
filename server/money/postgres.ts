/**
 * The ledger on PostgreSQL, which many processes share. Orders of many callers are decided together, under the locks of their accounts (promises G1 to G4).
 */

import { runPlanOn } from '../store/plan.ts';
import { createBatcher } from '../store/postgres/batcher.ts';
import type { BoundStatement, Value } from '../store/postgres/connections.ts';
import type { Postgres } from '../store/postgres/postgres.ts';
import { type Row, readInteger, readText } from '../store/rows.ts';
import { buildCanClaimSql, buildIsFreeSql } from './idempotency.ts';
import { countInFlight, type InFlightCalls } from './in-flight.ts';
import { BALANCE_SOURCE, type FundChange, LedgerBatch, listCapFunds } from './ledger-batch.ts';
import { getPeriodStart, type Period } from './period.ts';
import {
  assembleLedger,
  buildAccountLockSql,
  buildCurrentSubscriptionSql,
  CHARGE_FACTS,
  ledgerStoreDefinition,
  toCharge,
  toFund,
  toSubscription,
} from './plans.ts';
import { planReconciliation } from './reconcile.ts';
import { type Charge, type Closing, toClosing, toExpiredClosing, toOrphan, toVoidClosing } from './settle-charge.ts';
import type { HoldOrder, HoldResult, LedgerStore, Orphan, Posting, SettleResult, SubscriptionRecord } from './store.ts';

/** Reconciling years of entries takes long. */
const MAX_RECONCILE_MS = 1_800_000;

export function openPostgresLedger(postgres: Postgres): LedgerStore {
  const inFlight: InFlightCalls = { count: 0 };
  const getExpectedCount = (): number => inFlight.count;
  return assembleLedger(
    { ...ledgerStoreDefinition.onPostgres(postgres), findActiveSubscription: openSubscriptionBatcher(postgres) },
    {
      ...countInFlight(inFlight, {
        reserve: openReserveBatcher(postgres, getExpectedCount),
        ...openSettleBatcher(postgres, getExpectedCount),
      }),
      dryRunHold: async (order) => getSingleResult(await reserveAll(postgres, [order], { isDryRun: true })),
      expire: ({ ids, at }) => expire(postgres, ids, at),
      reconcile: (extent = {}) =>
        postgres.transaction('read', (queries) => runPlanOn(planReconciliation(extent), queries), MAX_RECONCILE_MS),
    },
  );
}

/** Locks the accounts, then the request IDs, each in sorted order everywhere, so that steps can't deadlock. */
const LOCK_HOLDS = {
  name: 'lock_holds',
  text: `
    SELECT pg_advisory_xact_lock(key) FROM (SELECT DISTINCT ${buildAccountLockSql('account')} AS key FROM unnest($1::TEXT[]) AS account ORDER BY 1) AS accounts
    UNION ALL
    SELECT pg_advisory_xact_lock(7301, key) FROM (SELECT DISTINCT hashtext(request) AS key FROM unnest($2::TEXT[]) AS request ORDER BY 1) AS requests`,
};
/** Avoids EXISTS, because PostgreSQL could read the full table for it and probe a hash table. */
const READ_HOLD_FACTS = {
  name: 'look',
  text: `
    SELECT (SELECT request_id FROM charges WHERE request_id = o.request) IS NOT NULL
        OR (SELECT request_id FROM barred_requests WHERE request_id = o.request) IS NOT NULL AS is_known,
      b.balance - b.held AS free, b.held AS balance_held, s.*
    FROM unnest($1::TEXT[], $2::TEXT[], $3::BIGINT[]) WITH ORDINALITY AS o (request, account, at, place)
    LEFT JOIN LATERAL (SELECT * FROM balances WHERE account_id = o.account OFFSET 0) AS b ON TRUE
    LEFT JOIN LATERAL (${buildCurrentSubscriptionSql('o.account', 'o.at')}) AS s ON TRUE
    ORDER BY o.place`,
};
/** Reads the allowances of caps and of the accounts' subscriptions. */
const READ_ALLOWANCES = {
  name: 'look_at_allowances',
  text: `
    SELECT owner, period_start, used + held AS taken, held FROM allowances
    WHERE period_start = ANY ($1::BIGINT[]) AND owner = ANY ($2::TEXT[] || ARRAY(SELECT 'sub:' || id FROM subscriptions WHERE account_id = ANY ($3::TEXT[])))`,
};
/** Checks whether idempotency keys are claimed, in the order of the orders. */
const READ_KEYS = {
  name: 'look_at_keys',
  text: `
    SELECT EXISTS (
      SELECT 1 FROM idempotency AS i
      WHERE i.account_id = o.account AND i.idempotency_key = o.key AND NOT ${buildCanClaimSql('i', 'o.fingerprint')}) AS is_taken
    FROM unnest($1::TEXT[], $2::TEXT[], $3::TEXT[]) WITH ORDINALITY AS o (account, key, fingerprint, place) ORDER BY o.place`,
};
const CLAIM_KEYS_CTE = `
    claimed AS (
      INSERT INTO idempotency AS i (account_id, idempotency_key, fingerprint, request_id, node, created_at)
      SELECT * FROM unnest($23::TEXT[], $24::TEXT[], $25::TEXT[], $26::TEXT[], $27::TEXT[], $28::BIGINT[])
      ON CONFLICT (account_id, idempotency_key) DO UPDATE
        SET fingerprint = excluded.fingerprint, request_id = excluded.request_id, node = excluded.node, created_at = excluded.created_at
    ),`;
const createHoldStatement = (name: string, claimsCte: string) => ({
  name,
  text: `
    WITH ${claimsCte} held AS (
      INSERT INTO charges (request_id, account_id, key_id, model, operation, price_version, multiplier, state, node, source, source_period,
        cap_owner, cap_period, held, created_at)
      SELECT request, account, key, model, operation, price, multiplier, 'held', node, source, start, cap, cap_start, amount, at
      FROM unnest($1::TEXT[], $2::TEXT[], $3::TEXT[], $4::TEXT[], $5::TEXT[], $6::BIGINT[], $7::BIGINT[], $8::TEXT[], $9::TEXT[], $10::BIGINT[],
        $11::TEXT[], $12::BIGINT[], $13::BIGINT[], $14::BIGINT[])
        AS o (request, account, key, model, operation, price, multiplier, node, source, start, cap, cap_start, amount, at)
    ),
    of_balances AS (
      UPDATE balances AS b SET held = b.held + m.held FROM unnest($15::TEXT[], $16::BIGINT[]) AS m (owner, held)
      WHERE b.account_id = m.owner AND b.account_id = ANY ($15::TEXT[])
    ),
    further_caps AS (INSERT INTO charge_caps (request_id, owner, period_start) SELECT * FROM unnest($20::TEXT[], $21::TEXT[], $22::BIGINT[]))
    INSERT INTO allowances AS a (owner, period_start, held) SELECT * FROM unnest($17::TEXT[], $18::BIGINT[], $19::BIGINT[])
    ON CONFLICT (owner, period_start) DO UPDATE SET held = a.held + excluded.held`,
});
const WRITE_HOLDS = createHoldStatement('write_holds', '');
const WRITE_KEYED_HOLDS = createHoldStatement('write_keyed_holds', CLAIM_KEYS_CTE);

function openReserveBatcher(postgres: Postgres, getExpectedCount: () => number): (order: HoldOrder) => Promise<HoldResult> {
  return createBatcher(postgres, {
    expected: getExpectedCount,
    getLock: ({ accountId }: HoldOrder) => accountId,
    send: (orders: readonly HoldOrder[]) => reserveAll(postgres, orders),
  });
}

const PERIODS: readonly Period[] = ['never', 'day', 'week', 'month'];

function reserveAll(postgres: Postgres, orders: readonly HoldOrder[], { isDryRun = false } = {}): Promise<readonly HoldResult[]> {
  const ids = orders.map(({ requestId }) => requestId);
  const accounts = orders.map(({ accountId }) => accountId);
  const starts = new Set(orders.flatMap(({ at }) => PERIODS.map((period) => getPeriodStart(period, at))));
  const caps = orders.flatMap((order) => listCapFunds(order).map(({ owner }) => owner));
  const reads: BoundStatement[] = [
    [LOCK_HOLDS, [accounts, ids]],
    [READ_HOLD_FACTS, [ids, accounts, orders.map(({ at }) => at)]],
    [READ_ALLOWANCES, [[...starts], caps, accounts]],
  ];
  const isKeyed = orders.some(({ claim }) => claim !== undefined);
  if (isKeyed)
    reads.push([READ_KEYS, [accounts, orders.map(({ claim }) => claim?.key ?? ''), orders.map(({ claim }) => claim?.fingerprint ?? '')]]);
  return postgres.step(reads, ([, facts = [], allowances = [], keys = []]) => {
    const batch = new LedgerBatch();
    for (const [index, row] of facts.entries())
      if (row.free !== null) batch.set({ owner: accounts[index] ?? '', start: null }, readInteger(row.free), readInteger(row.balance_held));
    for (const { owner, period_start: start, taken, held } of allowances)
      batch.set({ owner: readText(owner), start: Number(start) }, -readInteger(taken), readInteger(held));
    const result = orders.map((order, index) => {
      const isKeyTaken = order.claim !== undefined && keys[index]?.is_taken === true;
      return batch.reserve(order, { isKnown: facts[index]?.is_known === true, isTaken: isKeyTaken, plan: toPlan(facts[index]) });
    });
    if (isDryRun || batch.holds.length === 0) return { result, write: null };
    return {
      result,
      write: isKeyed ? [WRITE_KEYED_HOLDS, [...toHoldColumns(batch), ...toClaimColumns(batch)]] : [WRITE_HOLDS, toHoldColumns(batch)],
    };
  });
}

const toPlan = (row: Row | undefined): SubscriptionRecord | null => (row === undefined || row.id === null ? null : toSubscription(row));

function toHoldColumns({ holds, fundChanges }: LedgerBatch): readonly Value[] {
  const toColumn = <T extends Value>(pick: (order: HoldOrder) => T) => holds.map(({ order }) => pick(order)) as Value;
  const [balances, allowances] = splitChanges(fundChanges);
  const furtherCaps = holds.flatMap(({ order: { requestId }, caps: [, ...further] }) => further.map((fund) => ({ requestId, ...fund })));
  return [
    toColumn(({ requestId }) => requestId),
    toColumn(({ accountId }) => accountId),
    toColumn(({ keyId }) => keyId),
    toColumn(({ model }) => model),
    toColumn(({ operation }) => operation),
    toColumn(({ priceVersion }) => priceVersion),
    toColumn(({ multiplier }) => multiplier),
    toColumn(({ node }) => node),
    holds.map(({ source }) => (source.start === null ? BALANCE_SOURCE : source.owner)),
    holds.map(({ source }) => source.start),
    holds.map(({ caps: [cap] }) => cap?.owner ?? null),
    holds.map(({ caps: [cap] }) => cap?.start ?? null),
    holds.map(({ amount }) => amount),
    toColumn(({ at }) => at),
    balances.map(({ owner }) => owner),
    balances.map(({ held }) => held),
    allowances.map(({ owner }) => owner),
    allowances.map(({ start }) => start),
    allowances.map(({ held }) => held),
    furtherCaps.map(({ requestId }) => requestId),
    furtherCaps.map(({ owner }) => owner),
    furtherCaps.map(({ start }) => start),
  ];
}

function toClaimColumns({ holds }: LedgerBatch): readonly Value[] {
  const claims = holds.flatMap(({ order }) => (order.claim ? [{ ...order, ...order.claim }] : []));
  return [
    claims.map(({ accountId }) => accountId),
    claims.map(({ key }) => key),
    claims.map(({ fingerprint }) => fingerprint),
    claims.map(({ requestId }) => requestId),
    claims.map(({ node }) => node),
    claims.map(({ at }) => at),
  ];
}

const splitChanges = (
  fundChanges: readonly FundChange[],
): readonly [balances: readonly FundChange[], allowances: readonly FundChange[]] => [
  fundChanges.filter(({ start }) => start === null),
  fundChanges.filter(({ start }) => start !== null),
];

/** Locks the accounts of charges, and returns the IDs of the charges whose accounts it has locked. */
const LOCK_CHARGES = {
  name: 'lock_charges',
  text: `
    SELECT ids, pg_advisory_xact_lock(key)
    FROM (
      SELECT ${buildAccountLockSql('account')} AS key, array_agg(request) AS ids
      FROM (
        SELECT request, (SELECT account_id FROM charges WHERE request_id = request AND state || '' IN ('held', 'expired')) AS account
        FROM unnest($1::TEXT[]) AS request
      ) AS owners
      WHERE account IS NOT NULL GROUP BY 1 ORDER BY 1
    ) AS locks`,
};
/** Looks up each charge by ID, because a join could be planned as a scan of all charges. */
const READ_CHARGES = {
  name: 'look_at_charges',
  text: `
    SELECT f.* FROM unnest($1::TEXT[]) WITH ORDINALITY AS a (request, place)
    LEFT JOIN LATERAL (${CHARGE_FACTS} WHERE c.request_id = a.request OFFSET 0) AS f ON TRUE ORDER BY a.place`,
};
const READ_FURTHER_CAPS = {
  name: 'further_caps',
  text: 'SELECT request_id, owner, period_start FROM charge_caps WHERE request_id = ANY ($1::TEXT[])',
};
/** Finds expired charges whose keys now belong to other requests. Both need the account's lock. */
const READ_RECLAIMED_KEYS = {
  name: 'keys_of_others',
  text: `
    SELECT o.request FROM unnest($1::TEXT[], $2::TEXT[]) AS o (request, key)
    JOIN charges AS c ON c.request_id = o.request AND c.state = 'expired'
    JOIN idempotency AS i ON i.account_id = c.account_id AND i.idempotency_key = o.key AND i.request_id <> o.request AND NOT (${buildIsFreeSql('i')})`,
};
const SAVE_RESULTS_CTE = `
    kept AS (
      UPDATE idempotency AS i
      SET request_id = k.request, content_type = coalesce(k.content_type, i.content_type), answer = coalesce(k.answer, i.answer)
      FROM unnest($24::TEXT[], $25::TEXT[], $26::TEXT[], $27::TEXT[], $28::BYTEA[]) AS k (account, key, request, content_type, answer)
      WHERE i.account_id = k.account AND i.idempotency_key = k.key AND (i.request_id = k.request OR ${buildIsFreeSql('i')})
    ),`;
const createEndStatement = (name: string, resultsCte: string) => ({
  name,
  text: `
    WITH ${resultsCte} ended AS (
      UPDATE charges AS c SET state = e.state, charged = e.charged, overrun = e.overrun, usage = e.usage, estimated = e.estimated, outcome = e.outcome,
        settled_at = e.at
      FROM unnest($1::TEXT[], $2::TEXT[], $3::BIGINT[], $4::BIGINT[], $5::TEXT[], $6::BOOLEAN[], $7::TEXT[], $8::BIGINT[])
        AS e (request, state, charged, overrun, usage, estimated, outcome, at)
      WHERE c.request_id = e.request AND c.request_id = ANY ($1::TEXT[])
    ),
    of_balances AS (
      UPDATE balances AS b SET balance = b.balance - m.spent, held = b.held + m.held FROM unnest($9::TEXT[], $10::BIGINT[], $11::BIGINT[]) AS m (owner, spent, held)
      WHERE b.account_id = m.owner AND b.account_id = ANY ($9::TEXT[])
    ),
    of_allowances AS (
      UPDATE allowances AS b SET used = b.used + m.spent, held = b.held + m.held
      FROM unnest($12::TEXT[], $13::BIGINT[], $14::BIGINT[], $15::BIGINT[]) AS m (owner, start, spent, held)
      WHERE b.owner = m.owner AND b.period_start = m.start AND b.owner = ANY ($12::TEXT[])
    ),
    attempted AS (INSERT INTO attempts (request_id, attempts) SELECT * FROM unnest($16::TEXT[], $17::TEXT[]))
    INSERT INTO entries (transfer, kind, book, amount, note, created_at)
    SELECT t.transfer, t.kind, side.book, side.amount, t.note, t.at
    FROM unnest($18::TEXT[], $19::TEXT[], $20::TEXT[], $21::BIGINT[], $22::TEXT[], $23::BIGINT[]) WITH ORDINALITY
      AS t (transfer, kind, book, amount, note, at, place), LATERAL (VALUES (t.book, -t.amount), ('revenue', t.amount)) AS side (book, amount)
    ORDER BY t.place`,
});
const WRITE_ENDS = createEndStatement('write_ends', '');
const WRITE_ENDS_WITH_RESULTS = createEndStatement('write_answered_ends', SAVE_RESULTS_CTE);

function closeCharges(
  postgres: Postgres,
  closings: readonly Closing[],
): Promise<readonly { charge: Charge | undefined; result: SettleResult }[]> {
  const ids = closings.map(({ requestId }) => requestId);
  const keyedClosings = closings.flatMap(({ requestId, key, state }) =>
    key !== undefined && state === 'posted' ? [{ requestId, key }] : [],
  );
  const reads: BoundStatement[] = [
    [LOCK_CHARGES, [ids]],
    [READ_CHARGES, [ids]],
    [READ_FURTHER_CAPS, [ids]],
    ...(keyedClosings.length > 0
      ? [[READ_RECLAIMED_KEYS, [keyedClosings.map(({ requestId }) => requestId), keyedClosings.map(({ key }) => key)]] as const]
      : []),
  ];
  return postgres.step(reads, ([locks = [], rows = [], capRows = [], reclaimedRows = []]) => {
    const furtherCaps = Map.groupBy(capRows, (row) => row.request_id);
    const reclaimedRequestIds = new Set(reclaimedRows.map((row) => row.request));
    // `as`: the statement returns a list of texts.
    const lockedIds = new Set(locks.flatMap((row) => row.ids as readonly string[]));
    // Ignores a hold made after the locks were acquired, because another process could also end it.
    const isSafe = (row: Row): boolean => lockedIds.has(readText(row.request_id)) || row.state === 'posted' || row.state === 'voided';
    const charges = rows.map((row) =>
      row.request_id !== null && isSafe(row)
        ? toCharge(row, {
            hasKey: !reclaimedRequestIds.has(row.request_id),
            furtherCaps: (furtherCaps.get(row.request_id) ?? []).map(toFund),
          })
        : undefined,
    );
    const batch = new LedgerBatch();
    for (const [index, charge] of charges.entries())
      if (charge?.state === 'expired') batch.set(charge.source, readInteger(rows[index]?.free), 0n);
    const result = closings.map((closing, index) => ({ charge: charges[index], result: batch.close(charges[index], closing) }));
    if (batch.ended.length === 0) return { result, write: null };
    const keyedResults = batch.ended.flatMap(({ requestId, accountId = '', key, keep }) =>
      key === undefined ? [] : [{ requestId, accountId, key, keep }],
    );
    if (keyedResults.length === 0) return { result, write: [WRITE_ENDS, toEndColumns(batch)] };
    return { result, write: [WRITE_ENDS_WITH_RESULTS, [...toEndColumns(batch), ...toResultColumns(keyedResults)]] };
  });
}

const toResultColumns = (
  keyedResults: readonly (Pick<Closing, 'requestId' | 'keep'> & { accountId: string; key: string })[],
): readonly Value[] => [
  keyedResults.map(({ accountId }) => accountId),
  keyedResults.map(({ key }) => key),
  keyedResults.map(({ requestId }) => requestId),
  keyedResults.map(({ keep }) => keep?.contentType ?? null),
  keyedResults
    .map(({ keep }) => keep && Buffer.from(keep.bytes.buffer, keep.bytes.byteOffset, keep.bytes.byteLength))
    .map((bytes) => bytes ?? null),
];

function toEndColumns({ ended: settledClosings, fundChanges, transfers }: LedgerBatch): readonly Value[] {
  const [balances, allowances] = splitChanges(fundChanges);
  const closingsWithAttempts = settledClosings.filter(({ attempts }) => attempts !== undefined);
  return [
    settledClosings.map(({ requestId }) => requestId),
    settledClosings.map(({ state }) => state),
    settledClosings.map(({ charged }) => charged),
    settledClosings.map(({ overrun }) => overrun),
    settledClosings.map(({ usage }) => usage),
    settledClosings.map(({ isEstimated }) => isEstimated),
    settledClosings.map(({ outcome }) => outcome),
    settledClosings.map(({ at }) => at),
    balances.map(({ owner }) => owner),
    balances.map(({ spent }) => spent),
    balances.map(({ held }) => held),
    allowances.map(({ owner }) => owner),
    allowances.map(({ start }) => start),
    allowances.map(({ spent }) => spent),
    allowances.map(({ held }) => held),
    closingsWithAttempts.map(({ requestId }) => requestId),
    closingsWithAttempts.map(({ attempts }) => JSON.stringify(attempts)),
    transfers.map(({ transfer }) => transfer),
    transfers.map(({ kind }) => kind),
    transfers.map(({ from }) => from),
    transfers.map(({ amount }) => amount),
    transfers.map(({ note }) => note),
    transfers.map(({ at }) => at),
  ];
}

/** For a released request ID without a known hold. A reservation still in flight must have no effect. */
const LOCK_REQUEST = { name: 'lock_request', text: 'SELECT pg_advisory_xact_lock(7301, hashtext($1))' };
const FIND_CHARGE = { name: 'find_charge', text: 'SELECT 1 FROM charges WHERE request_id = $1' };
const BAR_REQUEST = { name: 'bar', text: 'INSERT INTO barred_requests (request_id, created_at) VALUES ($1, $2) ON CONFLICT DO NOTHING' };
/** Each retry means that a hold was made at the same time. The next try ends that hold. */
const MAX_VOID_RETRIES = 2;

/** Returns false if a hold was made at the same time. */
const blockHold = (postgres: Postgres, requestId: string, at: number): Promise<boolean> =>
  postgres.step(
    [
      [LOCK_REQUEST, [requestId]],
      [FIND_CHARGE, [requestId]],
    ],
    ([, found = []]) => (found.length > 0 ? { result: false, write: null } : { result: true, write: [BAR_REQUEST, [requestId, at]] }),
  );

function openSettleBatcher(postgres: Postgres, getExpectedCount: () => number): Pick<LedgerStore, 'post' | 'void'> {
  const closeCharge = createBatcher(postgres, {
    expected: getExpectedCount,
    send: async (closings: readonly Closing[]) => (await closeCharges(postgres, closings)).map(({ result }) => result),
    nameOf: ({ requestId }) => requestId,
    getLock: ({ accountId }) => accountId ?? '',
  });
  return {
    post: (posting: Posting) => closeCharge(toClosing(posting)),
    /** An unknown ID stays unknown: its reservation may still arrive over an abandoned connection, and must have no effect. */
    async void(...args) {
      for (let tries = 1; ; tries++) {
        const result = await closeCharge(toVoidClosing(...args));
        if (result.kind !== 'unknown' || tries > MAX_VOID_RETRIES || (await blockHold(postgres, args[0], args[1]))) return result;
      }
    },
  };
}

/** Ends the holds with these IDs, and returns the ones that were still held. */
async function expire(postgres: Postgres, ids: readonly string[], at: number): Promise<readonly Orphan[]> {
  const results = await closeCharges(
    postgres,
    ids.map((id) => toExpiredClosing(id, at)),
  );
  return results.flatMap(({ charge, result }) => (charge && result.kind === 'settled' ? [toOrphan(charge)] : []));
}

/** Selects one row per requested account, in the requested order. */
const READ_ACTIVE_SUBSCRIPTIONS = {
  name: 'running_subscriptions',
  text: `
    SELECT s.* FROM unnest($1::TEXT[], $2::BIGINT[]) WITH ORDINALITY AS o (account, at, place)
    LEFT JOIN LATERAL (${buildCurrentSubscriptionSql('o.account', 'o.at')}) AS s ON (s.ends_at IS NULL OR s.ends_at > o.at) AND (s.cancelled_at IS NULL OR s.cancelled_at > o.at)
    ORDER BY o.place`,
};

/** Batched, because every paid call needs it. */
function openSubscriptionBatcher(postgres: Postgres): LedgerStore['findActiveSubscription'] {
  const findSubscription = createBatcher(postgres, {
    async send(queries: readonly { readonly accountId: string; readonly at: number }[]) {
      const rows = await postgres.query(READ_ACTIVE_SUBSCRIPTIONS, [
        queries.map(({ accountId }) => accountId),
        queries.map(({ at }) => at),
      ]);
      return rows.map((row) => toPlan(row) ?? undefined);
    },
  });
  return (accountId, at) => findSubscription({ accountId, at });
}

function getSingleResult<T>([first]: readonly T[]): T {
  if (first === undefined) throw new TypeError('an order has no result');
  return first;
}
