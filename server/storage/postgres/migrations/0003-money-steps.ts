/**
 * The steps of the ledger as functions in PostgreSQL, each for many orders in one round trip (promises G1 to G4). A step first locks the accounts whose
 * money it changes, always in the same order: so there are no deadlocks, and reads after the lock see the latest data.
 */
export const SQL = `
  CREATE FUNCTION account_lock(account TEXT) RETURNS BIGINT LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT hashtextextended(account, 7301529464217)
  $$;

  -- By UTC: days, weeks from Monday, months; milliseconds since 1970, a Thursday.
  CREATE FUNCTION period_start(period TEXT, at BIGINT) RETURNS BIGINT LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE period
      WHEN 'day' THEN at / 86400000 * 86400000
      WHEN 'week' THEN ((at / 86400000 + 3) / 7 * 7 - 3) * 86400000
      WHEN 'month' THEN (extract(epoch FROM date_trunc('month', to_timestamp(at / 1000) AT TIME ZONE 'UTC')) * 1000)::BIGINT
    END
  $$;

  -- The last subscription that had begun, over or not; one that was cancelled before it began rules nothing.
  CREATE FUNCTION ruling_subscription(account TEXT, at BIGINT) RETURNS SETOF subscriptions LANGUAGE sql STABLE AS $$
    SELECT * FROM subscriptions
    WHERE account_id = account AND starts_at <= at AND (ends_at IS NULL OR ends_at > starts_at) AND (cancelled_at IS NULL OR cancelled_at > starts_at)
    ORDER BY starts_at DESC LIMIT 1
  $$;

  -- What most decisions need, in one look: the account without a balance has none.
  CREATE FUNCTION look_before_hold(request TEXT, account TEXT, at BIGINT, cap TEXT, cap_start BIGINT)
  RETURNS TABLE (is_known BOOLEAN, free BIGINT, cap_taken BIGINT, plan TEXT, plan_start BIGINT, is_stopping BOOLEAN, is_over BOOLEAN, plan_left BIGINT)
  LANGUAGE sql STABLE AS $$
    SELECT
      EXISTS (SELECT 1 FROM charges WHERE request_id = request) OR EXISTS (SELECT 1 FROM barred_requests WHERE request_id = request),
      coalesce((SELECT balance - held FROM balances WHERE account_id = account), 0),
      coalesce((SELECT used + held FROM allowances WHERE owner = cap AND period_start = cap_start), 0),
      'sub:' || p.id, p.start, p.on_exhaustion = 'stop', p.is_over, CASE WHEN p.is_over THEN 0 ELSE p.included - coalesce(a.used + a.held, 0) END
    FROM (VALUES (1)) AS one
    LEFT JOIN (
      SELECT id, included, on_exhaustion, period_start(period, at) AS start,
        coalesce(ends_at <= at, FALSE) OR coalesce(cancelled_at <= at, FALSE) AS is_over
      FROM ruling_subscription(account, at)
    ) AS p ON TRUE
    LEFT JOIN allowances AS a ON a.owner = 'sub:' || p.id AND a.period_start = p.start
  $$;

  -- One row for each order, in their order: the source of the hold, or who refused it and what is left there.
  CREATE FUNCTION reserve_holds(
    requests TEXT[], accounts TEXT[], keys TEXT[], models TEXT[], operations TEXT[], prices BIGINT[], multipliers BIGINT[], nodes TEXT[],
    amounts BIGINT[], times BIGINT[], cap_owners TEXT[], caps BIGINT[], cap_starts BIGINT[], most BIGINT
  ) RETURNS TABLE (source TEXT, refused_by TEXT, available BIGINT) LANGUAGE plpgsql AS $$
  #variable_conflict use_variable
  DECLARE
    o RECORD;
    f RECORD;
  BEGIN
    PERFORM pg_advisory_xact_lock(key) FROM (SELECT DISTINCT account_lock(one) AS key FROM unnest(accounts) AS one ORDER BY 1) AS locks;
    PERFORM pg_advisory_xact_lock(7301, key) FROM (SELECT DISTINCT hashtext(one) AS key FROM unnest(requests) AS one ORDER BY 1) AS locks;
    FOR o IN
      SELECT * FROM unnest(requests, accounts, keys, models, operations, prices, multipliers, nodes, amounts, times, cap_owners, caps, cap_starts)
        AS asked (request, account, key, model, operation, price, multiplier, node, amount, at, cap_owner, cap, cap_start)
    LOOP
      SELECT * INTO f FROM look_before_hold(o.request, o.account, o.at, o.cap_owner, o.cap_start);
      source := NULL;
      refused_by := NULL;
      available := 0;
      IF f.is_known THEN
        refused_by := 'duplicate';
      ELSIF o.amount > o.cap - f.cap_taken THEN
        refused_by := 'cap';
        available := greatest(o.cap - f.cap_taken, 0);
      ELSIF o.amount < 0 OR o.amount > most THEN
        refused_by := 'balance';
        available := f.free;
      ELSIF NOT f.is_over AND o.amount <= f.plan_left THEN
        source := f.plan;
      ELSIF f.is_stopping THEN
        refused_by := 'subscription';
        available := greatest(f.plan_left, 0);
      ELSIF o.amount > f.free THEN
        refused_by := 'balance';
        available := f.free;
      ELSE
        source := 'balance';
      END IF;
      IF source IS NOT NULL THEN
        INSERT INTO charges (request_id, account_id, key_id, model, operation, price_version, multiplier, state, node, source, source_period,
          cap_owner, cap_period, held, created_at)
        VALUES (o.request, o.account, o.key, o.model, o.operation, o.price, o.multiplier, 'held', o.node, source,
          CASE source WHEN 'balance' THEN NULL ELSE f.plan_start END, o.cap_owner, o.cap_start, o.amount, o.at);
        IF source = 'balance' THEN
          UPDATE balances SET held = balances.held + o.amount WHERE account_id = o.account;
        END IF;
        IF source <> 'balance' OR o.cap_owner IS NOT NULL THEN
          INSERT INTO allowances AS a (owner, period_start, held)
          SELECT taken.owner, taken.start, o.amount
          FROM (VALUES (nullif(source, 'balance'), f.plan_start), (o.cap_owner, o.cap_start)) AS taken (owner, start) WHERE taken.owner IS NOT NULL
          ON CONFLICT (owner, period_start) DO UPDATE SET held = a.held + excluded.held;
        END IF;
      END IF;
      RETURN NEXT;
    END LOOP;
  END $$;

  -- One row for each request, in their order: 'settled', the state that it had before, or nothing where it is unknown. No request may be named twice.
  CREATE FUNCTION settle_charges(
    requests TEXT[], states TEXT[], costs BIGINT[], usages TEXT[], estimates BOOLEAN[], outcomes TEXT[], times BIGINT[]
  ) RETURNS TABLE (came_to TEXT, account TEXT, node TEXT, held BIGINT, charged BIGINT, overrun BIGINT) LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  BEGIN
    PERFORM pg_advisory_xact_lock(key)
    FROM (SELECT DISTINCT account_lock(account_id) AS key FROM charges WHERE request_id = ANY (requests) AND state = 'held' ORDER BY 1) AS locks;
    RETURN QUERY
    WITH asked AS (
      SELECT * FROM unnest(requests, states, costs, usages, estimates, outcomes, times) WITH ORDINALITY
        AS asked (request, state, cost, usage, is_estimated, outcome, at, place)
    ),
    ended AS (
      UPDATE charges AS c SET state = a.state, charged = least(a.cost, c.held), overrun = greatest(a.cost - c.held, 0), usage = a.usage,
        estimated = a.is_estimated, outcome = a.outcome, settled_at = a.at
      FROM asked AS a WHERE c.request_id = a.request AND c.state = 'held'
      RETURNING c.*
    ),
    of_balances AS (
      UPDATE balances AS b SET balance = b.balance - e.charged, held = b.held - e.held
      FROM (
        SELECT account_id, sum(charged)::BIGINT AS charged, sum(held)::BIGINT AS held FROM ended WHERE source = 'balance' GROUP BY account_id
      ) AS e
      WHERE b.account_id = e.account_id
    ),
    -- Against the period of the hold, though another may have begun since.
    of_allowances AS (
      UPDATE allowances AS b SET used = b.used + e.charged, held = b.held - e.held
      FROM (
        SELECT owner, start, sum(charged)::BIGINT AS charged, sum(held)::BIGINT AS held
        FROM (
          SELECT source AS owner, source_period AS start, charged, held FROM ended WHERE source <> 'balance'
          UNION ALL SELECT cap_owner, cap_period, charged, held FROM ended WHERE cap_owner IS NOT NULL
        ) AS taken
        GROUP BY owner, start
      ) AS e
      WHERE b.owner = e.owner AND b.period_start = e.start
    ),
    moves AS (
      SELECT request_id, 'charge' AS kind, CASE source WHEN 'balance' THEN 'account:' || account_id ELSE 'subscription:' || substr(source, 5) END AS book,
        charged AS amount, settled_at AS at
      FROM ended WHERE charged > 0
      UNION ALL SELECT request_id, 'overrun', 'overrun', overrun, settled_at FROM ended WHERE overrun > 0
    ),
    written AS (
      INSERT INTO entries (transfer, kind, book, amount, created_at)
      SELECT request_id, kind, side.book, side.amount, at FROM moves, LATERAL (VALUES (book, -amount), ('revenue', amount)) AS side (book, amount)
    )
    SELECT CASE WHEN e.request_id IS NULL THEN c.state ELSE 'settled' END, e.account_id, e.node, e.held, e.charged, e.overrun
    FROM asked AS a LEFT JOIN ended AS e ON e.request_id = a.request LEFT JOIN charges AS c ON c.request_id = a.request
    ORDER BY a.place;
  END $$;

  -- For an id that is given up though no hold of it is known: one that is still on its way comes to nothing. False where it has come meanwhile.
  CREATE FUNCTION bar_request(request TEXT, at BIGINT) RETURNS BOOLEAN LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock(7301, hashtext(request));
    IF EXISTS (SELECT 1 FROM charges WHERE request_id = request) THEN
      RETURN FALSE;
    END IF;
    INSERT INTO barred_requests VALUES (request, at) ON CONFLICT DO NOTHING;
    RETURN TRUE;
  END $$;

  -- Neither below what is held nor above what adds up without error.
  CREATE FUNCTION adjust_balance(account TEXT, named TEXT, kind TEXT, amount BIGINT, note TEXT, at BIGINT, most BIGINT)
  RETURNS TABLE (came_to TEXT, balance BIGINT, held BIGINT) LANGUAGE plpgsql AS $$
  #variable_conflict use_variable
  BEGIN
    PERFORM pg_advisory_xact_lock(7302, hashtext(named));
    PERFORM pg_advisory_xact_lock(account_lock(account));
    SELECT coalesce(b.balance, 0), coalesce(b.held, 0) INTO balance, held
    FROM accounts AS a LEFT JOIN balances AS b ON b.account_id = a.id WHERE a.id = account;
    IF NOT FOUND THEN
      came_to := 'unknown_account';
    ELSIF EXISTS (SELECT 1 FROM entries AS e WHERE e.transfer = named AND e.kind IN ('top_up', 'refund', 'correction')) THEN
      came_to := 'repeated';
    ELSIF balance + amount < held OR balance + amount > most THEN
      came_to := 'refused';
    ELSE
      came_to := 'adjusted';
      balance := balance + amount;
      INSERT INTO balances AS b (account_id, balance) VALUES (account, balance) ON CONFLICT (account_id) DO UPDATE SET balance = excluded.balance;
      INSERT INTO entries (transfer, kind, book, amount, note, created_at)
      VALUES (named, kind, 'funding', -amount, note, at), (named, kind, 'account:' || account, amount, note, at);
    END IF;
    RETURN NEXT;
  END $$;

  -- 'added', or why not; of what it would run beside, the id.
  CREATE FUNCTION add_subscription(s subscriptions) RETURNS TABLE (came_to TEXT, other TEXT) LANGUAGE plpgsql AS $$
  DECLARE
    until BIGINT := least(s.ends_at, s.cancelled_at);
  BEGIN
    PERFORM pg_advisory_xact_lock(account_lock(s.account_id));
    other := (
      SELECT o.id FROM subscriptions AS o
      WHERE o.account_id = s.account_id AND (o.ends_at IS NULL OR o.ends_at > o.starts_at) AND (o.cancelled_at IS NULL OR o.cancelled_at > o.starts_at)
        AND (until IS NULL OR o.starts_at < until) AND coalesce(least(o.ends_at, o.cancelled_at) > s.starts_at, TRUE)
      ORDER BY o.starts_at LIMIT 1
    );
    IF NOT EXISTS (SELECT 1 FROM accounts WHERE id = s.account_id) THEN
      came_to := 'unknown_account';
    ELSIF EXISTS (SELECT 1 FROM subscriptions AS o WHERE o.id = s.id) THEN
      came_to := 'repeated';
    ELSIF other IS NOT NULL THEN
      came_to := 'overlaps';
    ELSE
      INSERT INTO subscriptions SELECT s.*;
      came_to := 'added';
    END IF;
    RETURN NEXT;
  END $$;
`;
