/** The ledger on PostgreSQL, which many processes share: orders of many callers are decided together, under the locks of their accounts (promises G1 to G4). */

import { driveOn } from '../storage/plan.ts';
import type { Asked, Value } from '../storage/postgres/connections.ts';
import type { Postgres } from '../storage/postgres/pool.ts';
import { batched } from '../storage/postgres/statements.ts';
import { integer, type Row, text } from '../storage/rows.ts';
import { BALANCE, type Charge, type Closing, capOf, expiring, type Move, postingOf, Sheet, toOrphan, voiding } from './decide.ts';
import { isFree } from './idempotency.ts';
import { countInFlight, type InFlightCalls } from './in-flight.ts';
import { accountLock, assembleLedger, CHARGE_FACTS, ledgerRoom, rulingSql, toCharge, toSubscription } from './plans.ts';
import { reconciling } from './reconcile.ts';
import {
  type HoldOrder,
  type HoldResult,
  type LedgerStore,
  type Orphan,
  type Period,
  type Posting,
  periodStart,
  type SettleResult,
  type SubscriptionRecord,
} from './store.ts';

/** Years of entries take their time. */
const MAX_RECONCILE_MS = 1_800_000;

export function openPostgresLedger(postgres: Postgres): LedgerStore {
  const inFlight: InFlightCalls = { count: 0 };
  const expected = (): number => inFlight.count;
  return assembleLedger(
    { ...ledgerRoom.onPostgres(postgres), activeSubscription: openActive(postgres) },
    {
      ...countInFlight(inFlight, { reserve: openReserve(postgres, expected), ...openSettles(postgres, expected) }),
      dryRunHold: async (order) => only(await reserveAll(postgres, [order], { isDryRun: true })),
      expire: ({ ids, at }) => expire(postgres, ids, at),
      reconcile: (extent = {}) => postgres.transaction('read', (queries) => driveOn(reconciling(extent), queries), MAX_RECONCILE_MS),
    },
  );
}

/** The accounts, then the IDs, each in one order everywhere, so that no two steps wait for each other. */
const LOCK_HOLDS = {
  name: 'lock_holds',
  text: `
    SELECT pg_advisory_xact_lock(key) FROM (SELECT DISTINCT ${accountLock('account')} AS key FROM unnest($1::TEXT[]) AS account ORDER BY 1) AS accounts
    UNION ALL
    SELECT pg_advisory_xact_lock(7301, key) FROM (SELECT DISTINCT hashtext(request) AS key FROM unnest($2::TEXT[]) AS request ORDER BY 1) AS requests`,
};
/** No EXISTS: PostgreSQL could read the whole table for that once, and look in its memory. */
const LOOK = {
  name: 'look',
  text: `
    SELECT (SELECT request_id FROM charges WHERE request_id = o.request) IS NOT NULL
        OR (SELECT request_id FROM barred_requests WHERE request_id = o.request) IS NOT NULL AS is_known,
      b.balance - b.held AS free, b.held AS balance_held, s.*
    FROM unnest($1::TEXT[], $2::TEXT[], $3::BIGINT[]) WITH ORDINALITY AS o (request, account, at, place)
    LEFT JOIN LATERAL (SELECT * FROM balances WHERE account_id = o.account OFFSET 0) AS b ON TRUE
    LEFT JOIN LATERAL (${rulingSql('o.account', 'o.at')}) AS s ON TRUE
    ORDER BY o.place`,
};
/** Reads the allowances of caps and of the accounts' subscriptions. */
const LOOK_AT_ALLOWANCES = {
  name: 'look_at_allowances',
  text: `
    SELECT owner, period_start, used + held AS taken, held FROM allowances
    WHERE period_start = ANY ($1::BIGINT[]) AND owner = ANY ($2::TEXT[] || ARRAY(SELECT 'sub:' || id FROM subscriptions WHERE account_id = ANY ($3::TEXT[])))`,
};
/** Checks whether idempotency keys are taken, in the order of the orders. */
const LOOK_AT_KEYS = {
  name: 'look_at_keys',
  text: `
    SELECT EXISTS (
      SELECT 1 FROM idempotency AS i
      WHERE i.account_id = o.account AND i.idempotency_key = o.key AND NOT (i.fingerprint = o.fingerprint AND ${isFree('i')})) AS is_taken
    FROM unnest($1::TEXT[], $2::TEXT[], $3::TEXT[]) WITH ORDINALITY AS o (account, key, fingerprint, place) ORDER BY o.place`,
};
const CLAIMED = `
    claimed AS (
      INSERT INTO idempotency AS i (account_id, idempotency_key, fingerprint, request_id, node, created_at)
      SELECT * FROM unnest($20::TEXT[], $21::TEXT[], $22::TEXT[], $23::TEXT[], $24::TEXT[], $25::BIGINT[])
      ON CONFLICT (account_id, idempotency_key) DO UPDATE SET request_id = excluded.request_id, node = excluded.node, created_at = excluded.created_at
    ),`;
const writeHolds = (name: string, claims: string) => ({
  name,
  text: `
    WITH ${claims} held AS (
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
    )
    INSERT INTO allowances AS a (owner, period_start, held) SELECT * FROM unnest($17::TEXT[], $18::BIGINT[], $19::BIGINT[])
    ON CONFLICT (owner, period_start) DO UPDATE SET held = a.held + excluded.held`,
});
const WRITE_HOLDS = writeHolds('write_holds', '');
const WRITE_KEYED_HOLDS = writeHolds('write_keyed_holds', CLAIMED);

function openReserve(postgres: Postgres, expected: () => number): (order: HoldOrder) => Promise<HoldResult> {
  return batched(postgres, {
    expected,
    lockOf: ({ accountId }: HoldOrder) => accountId,
    send: (orders: readonly HoldOrder[]) => reserveAll(postgres, orders),
  });
}

const PERIODS: readonly Period[] = ['never', 'day', 'week', 'month'];

function reserveAll(postgres: Postgres, orders: readonly HoldOrder[], { isDryRun = false } = {}): Promise<readonly HoldResult[]> {
  const ids = orders.map(({ requestId }) => requestId);
  const accounts = orders.map(({ accountId }) => accountId);
  const starts = new Set(orders.flatMap(({ at }) => PERIODS.map((period) => periodStart(period, at))));
  const caps = orders.flatMap((order) => capOf(order)?.owner ?? []);
  const looks: Asked[] = [
    [LOCK_HOLDS, [accounts, ids]],
    [LOOK, [ids, accounts, orders.map(({ at }) => at)]],
    [LOOK_AT_ALLOWANCES, [[...starts], caps, accounts]],
  ];
  const isKeyed = orders.some(({ claim }) => claim !== undefined);
  if (isKeyed)
    looks.push([
      LOOK_AT_KEYS,
      [accounts, orders.map(({ claim }) => claim?.key ?? ''), orders.map(({ claim }) => claim?.fingerprint ?? '')],
    ]);
  return postgres.step(looks, ([, facts = [], allowances = [], keys = []]) => {
    const sheet = new Sheet();
    for (const [index, row] of facts.entries())
      if (row.free !== null) sheet.set({ owner: accounts[index] ?? '', start: null }, integer(row.free), integer(row.balance_held));
    for (const { owner, period_start: start, taken, held } of allowances)
      sheet.set({ owner: text(owner), start: Number(start) }, -integer(taken), integer(held));
    const result = orders.map((order, index) => {
      const isTaken = order.claim !== undefined && keys[index]?.is_taken === true;
      return sheet.reserve(order, { isKnown: facts[index]?.is_known === true, isTaken, plan: planIn(facts[index]) });
    });
    if (isDryRun || sheet.holds.length === 0) return { result, write: null };
    return {
      result,
      write: isKeyed ? [WRITE_KEYED_HOLDS, [...holdColumns(sheet), ...claimColumns(sheet)]] : [WRITE_HOLDS, holdColumns(sheet)],
    };
  });
}

const planIn = (row: Row | undefined): SubscriptionRecord | null => (row === undefined || row.id === null ? null : toSubscription(row));

function holdColumns({ holds, moves }: Sheet): readonly Value[] {
  const of = <T extends Value>(pick: (order: HoldOrder) => T) => holds.map(({ order }) => pick(order)) as Value;
  const [balances, allowances] = split(moves);
  return [
    of(({ requestId }) => requestId),
    of(({ accountId }) => accountId),
    of(({ keyId }) => keyId),
    of(({ model }) => model),
    of(({ operation }) => operation),
    of(({ priceVersion }) => priceVersion),
    of(({ multiplier }) => multiplier),
    of(({ node }) => node),
    holds.map(({ source }) => (source.start === null ? BALANCE : source.owner)),
    holds.map(({ source }) => source.start),
    holds.map(({ cap }) => cap?.owner ?? null),
    holds.map(({ cap }) => cap?.start ?? null),
    holds.map(({ amount }) => amount),
    of(({ at }) => at),
    balances.map(({ owner }) => owner),
    balances.map(({ held }) => held),
    allowances.map(({ owner }) => owner),
    allowances.map(({ start }) => start),
    allowances.map(({ held }) => held),
  ];
}

function claimColumns({ holds }: Sheet): readonly Value[] {
  const claimed = holds.flatMap(({ order }) => (order.claim ? [{ ...order, ...order.claim }] : []));
  return [
    claimed.map(({ accountId }) => accountId),
    claimed.map(({ key }) => key),
    claimed.map(({ fingerprint }) => fingerprint),
    claimed.map(({ requestId }) => requestId),
    claimed.map(({ node }) => node),
    claimed.map(({ at }) => at),
  ];
}

const split = (moves: readonly Move[]): readonly [balances: readonly Move[], allowances: readonly Move[]] => [
  moves.filter(({ start }) => start === null),
  moves.filter(({ start }) => start !== null),
];

/** Finds the IDs of charges whose accounts it has locked. */
const LOCK_CHARGES = {
  name: 'lock_charges',
  text: `
    SELECT ids, pg_advisory_xact_lock(key)
    FROM (
      SELECT ${accountLock('account')} AS key, array_agg(request) AS ids
      FROM (
        SELECT request, (SELECT account_id FROM charges WHERE request_id = request AND state || '' IN ('held', 'expired')) AS account
        FROM unnest($1::TEXT[]) AS request
      ) AS owners
      WHERE account IS NOT NULL GROUP BY 1 ORDER BY 1
    ) AS locks`,
};
/** Each by its ID: a join could be planned as a look at all of them. */
const LOOK_AT_CHARGES = {
  name: 'look_at_charges',
  text: `
    SELECT f.* FROM unnest($1::TEXT[]) WITH ORDINALITY AS a (request, place)
    LEFT JOIN LATERAL (${CHARGE_FACTS} WHERE c.request_id = a.request OFFSET 0) AS f ON TRUE ORDER BY a.place`,
};
/** The expired charges whose keys other requests have now: both need the lock of the account. */
const KEYS_OF_OTHERS = {
  name: 'keys_of_others',
  text: `
    SELECT o.request FROM unnest($1::TEXT[], $2::TEXT[]) AS o (request, key)
    JOIN charges AS c ON c.request_id = o.request AND c.state = 'expired'
    JOIN idempotency AS i ON i.account_id = c.account_id AND i.idempotency_key = o.key AND i.request_id <> o.request AND NOT (${isFree('i')})`,
};
const KEPT = `
    kept AS (
      UPDATE idempotency AS i
      SET request_id = k.request, content_type = coalesce(k.content_type, i.content_type), answer = coalesce(k.answer, i.answer)
      FROM unnest($24::TEXT[], $25::TEXT[], $26::TEXT[], $27::TEXT[], $28::BYTEA[]) AS k (account, key, request, content_type, answer)
      WHERE i.account_id = k.account AND i.idempotency_key = k.key AND (i.request_id = k.request OR ${isFree('i')})
    ),`;
const writeEnds = (name: string, answers: string) => ({
  name,
  text: `
    WITH ${answers} ended AS (
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
const WRITE_ENDS = writeEnds('write_ends', '');
const WRITE_ANSWERED_ENDS = writeEnds('write_answered_ends', KEPT);

function closeAll(postgres: Postgres, closings: readonly Closing[]): Promise<readonly Closed[]> {
  const ids = closings.map(({ requestId }) => requestId);
  const keyed = closings.flatMap(({ requestId, key, state }) => (key !== undefined && state === 'posted' ? [{ requestId, key }] : []));
  const looks: Asked[] = [
    [LOCK_CHARGES, [ids]],
    [LOOK_AT_CHARGES, [ids]],
    ...(keyed.length > 0 ? [[KEYS_OF_OTHERS, [keyed.map(({ requestId }) => requestId), keyed.map(({ key }) => key)]] as const] : []),
  ];
  return postgres.step(looks, ([locks = [], rows = [], taken = []]) => {
    const others = new Set(taken.map((row) => row.request));
    // `as`: a list of texts by the statement.
    const locked = new Set(locks.flatMap((row) => row.ids as readonly string[]));
    // A hold that came after the locks were taken isn't known yet: another process could end it, too.
    const isSafe = (row: Row): boolean => locked.has(text(row.request_id)) || row.state === 'posted' || row.state === 'voided';
    const charges = rows.map((row) => (row.request_id !== null && isSafe(row) ? toCharge(row, !others.has(row.request_id)) : undefined));
    const sheet = new Sheet();
    for (const [index, charge] of charges.entries())
      if (charge?.state === 'expired') sheet.set(charge.source, integer(rows[index]?.free), 0n);
    const result = closings.map((closing, index) => ({ charge: charges[index], result: sheet.close(charges[index], closing) }));
    if (sheet.ended.length === 0) return { result, write: null };
    const answers = sheet.ended.flatMap(({ requestId, accountId = '', key, keep }) =>
      key === undefined ? [] : [{ requestId, accountId, key, keep }],
    );
    if (answers.length === 0) return { result, write: [WRITE_ENDS, endColumns(sheet)] };
    return { result, write: [WRITE_ANSWERED_ENDS, [...endColumns(sheet), ...answerColumns(answers)]] };
  });
}

const answerColumns = (answers: readonly Answered[]): readonly Value[] => [
  answers.map(({ accountId }) => accountId),
  answers.map(({ key }) => key),
  answers.map(({ requestId }) => requestId),
  answers.map(({ keep }) => keep?.contentType ?? null),
  answers
    .map(({ keep }) => keep && Buffer.from(keep.bytes.buffer, keep.bytes.byteOffset, keep.bytes.byteLength))
    .map((bytes) => bytes ?? null),
];

interface Answered extends Pick<Closing, 'requestId' | 'keep'> {
  readonly accountId: string;
  readonly key: string;
}

interface Closed {
  readonly charge: Charge | undefined;
  readonly result: SettleResult;
}

function endColumns({ ended, moves, transfers }: Sheet): readonly Value[] {
  const [balances, allowances] = split(moves);
  const attempted = ended.filter(({ attempts }) => attempts !== undefined);
  return [
    ended.map(({ requestId }) => requestId),
    ended.map(({ state }) => state),
    ended.map(({ charged }) => charged),
    ended.map(({ overrun }) => overrun),
    ended.map(({ usage }) => usage),
    ended.map(({ isEstimated }) => isEstimated),
    ended.map(({ outcome }) => outcome),
    ended.map(({ at }) => at),
    balances.map(({ owner }) => owner),
    balances.map(({ spent }) => spent),
    balances.map(({ held }) => held),
    allowances.map(({ owner }) => owner),
    allowances.map(({ start }) => start),
    allowances.map(({ spent }) => spent),
    allowances.map(({ held }) => held),
    attempted.map(({ requestId }) => requestId),
    attempted.map(({ attempts }) => JSON.stringify(attempts)),
    transfers.map(({ transfer }) => transfer),
    transfers.map(({ kind }) => kind),
    transfers.map(({ from }) => from),
    transfers.map(({ amount }) => amount),
    transfers.map(({ note }) => note),
    transfers.map(({ at }) => at),
  ];
}

/** For an ID that is given up though no hold of it is known: one that is still on its way comes to nothing. */
const LOCK_REQUEST = { name: 'lock_request', text: 'SELECT pg_advisory_xact_lock(7301, hashtext($1))' };
const FIND_CHARGE = { name: 'find_charge', text: 'SELECT 1 FROM charges WHERE request_id = $1' };
const BAR = { name: 'bar', text: 'INSERT INTO barred_requests (request_id, created_at) VALUES ($1, $2) ON CONFLICT DO NOTHING' };
/** Each time a hold has come in the meantime, and it is the one that ends next. */
const MAX_VOIDS = 2;

/** False if a hold has come in the meantime. */
const bar = (postgres: Postgres, requestId: string, at: number): Promise<boolean> =>
  postgres.step(
    [
      [LOCK_REQUEST, [requestId]],
      [FIND_CHARGE, [requestId]],
    ],
    ([, found = []]) => (found.length > 0 ? { result: false, write: null } : { result: true, write: [BAR, [requestId, at]] }),
  );

function openSettles(postgres: Postgres, expected: () => number): Pick<LedgerStore, 'post' | 'void'> {
  const close = batched(postgres, {
    expected,
    send: async (closings: readonly Closing[]) => (await closeAll(postgres, closings)).map(({ result }) => result),
    nameOf: ({ requestId }) => requestId,
    lockOf: ({ accountId }) => accountId ?? '',
  });
  return {
    post: (posting: Posting) => close(postingOf(posting)),
    /** An unknown ID stays unknown: its reservation may still arrive over an abandoned connection, and must have no effect. */
    async void(...args) {
      for (let tries = 1; ; tries++) {
        const result = await close(voiding(...args));
        if (result.kind !== 'unknown' || tries > MAX_VOIDS || (await bar(postgres, args[0], args[1]))) return result;
      }
    },
  };
}

/** Those of them that were held until now. */
async function expire(postgres: Postgres, ids: readonly string[], at: number): Promise<readonly Orphan[]> {
  const closed = await closeAll(
    postgres,
    ids.map((id) => expiring(id, at)),
  );
  return closed.flatMap(({ charge, result }) => (charge && result.kind === 'settled' ? [toOrphan(charge)] : []));
}

/** One row for each account that is asked for, in their order. */
const RUNNING = {
  name: 'running_subscriptions',
  text: `
    SELECT s.* FROM unnest($1::TEXT[], $2::BIGINT[]) WITH ORDINALITY AS o (account, at, place)
    LEFT JOIN LATERAL (${rulingSql('o.account', 'o.at')}) AS s ON (s.ends_at IS NULL OR s.ends_at > o.at) AND (s.cancelled_at IS NULL OR s.cancelled_at > o.at)
    ORDER BY o.place`,
};

/** Every paid call asks. */
function openActive(postgres: Postgres): LedgerStore['activeSubscription'] {
  const active = batched(postgres, {
    async send(asked: readonly { readonly accountId: string; readonly at: number }[]) {
      const rows = await postgres.query(RUNNING, [asked.map(({ accountId }) => accountId), asked.map(({ at }) => at)]);
      return rows.map((row) => planIn(row) ?? undefined);
    },
  });
  return (accountId, at) => active({ accountId, at });
}

function only<T>([first]: readonly T[]): T {
  if (first === undefined) throw new TypeError('an order has no result');
  return first;
}
