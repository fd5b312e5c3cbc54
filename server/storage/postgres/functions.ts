/** Functions and triggers of PostgreSQL: the steps of money run in the database, where one statement holds or settles the calls of many callers (docs/decisions/0024). */
export const FUNCTIONS = `
  -- Ids that were given up before any hold of them was seen: a reservation that comes after that is too late.
  CREATE TABLE barred_requests (request_id TEXT COLLATE "C" PRIMARY KEY, created_at BIGINT NOT NULL);

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

  -- An order may accept less than its amount: then it gets a part of what is left, by the rule of server/ledger/charge.ts (docs/decisions/0035).
  CREATE FUNCTION share_of(free BIGINT, taken BIGINT, amount BIGINT, at_least BIGINT) RETURNS BIGINT LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN free >= at_least THEN least(amount, at_least + (free - at_least) / CASE WHEN coalesce(taken, 0) = 0 THEN 2 ELSE 16 END) END
  $$;

  -- One row for each order, in their order: the source of the hold and how much it is, or who refused it and what is left there.
  CREATE FUNCTION decide_holds(
    requests TEXT[], accounts TEXT[], keys TEXT[], models TEXT[], operations TEXT[], prices BIGINT[], multipliers BIGINT[], nodes TEXT[],
    amounts BIGINT[], leasts BIGINT[], times BIGINT[], cap_owners TEXT[], caps BIGINT[], cap_starts BIGINT[], most BIGINT
  ) RETURNS TABLE (source TEXT, granted BIGINT, refused_by TEXT, available BIGINT) LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET plan_cache_mode = force_generic_plan AS $$
  #variable_conflict use_variable
  DECLARE
    o RECORD;
    f RECORD;
    of_plan BIGINT;
    of_balance BIGINT;
  BEGIN
    PERFORM pg_advisory_xact_lock(key) FROM (SELECT DISTINCT account_lock(one) AS key FROM unnest(accounts) AS one ORDER BY 1) AS locks;
    PERFORM pg_advisory_xact_lock(7301, key) FROM (SELECT DISTINCT hashtext(one) AS key FROM unnest(requests) AS one ORDER BY 1) AS locks;
    FOR o IN
      SELECT * FROM unnest(requests, accounts, keys, models, operations, prices, multipliers, nodes, amounts, leasts, times, cap_owners, caps, cap_starts)
        AS asked (request, account, key, model, operation, price, multiplier, node, amount, at_least, at, cap_owner, cap, cap_start)
    LOOP
      SELECT * INTO f FROM look_before_hold(o.request, o.account, o.at, o.cap_owner, o.cap_start);
      source := NULL;
      refused_by := NULL;
      available := 0;
      of_balance := NULL;
      granted := o.amount;
      IF o.cap_owner IS NOT NULL THEN
        granted := share_of(o.cap - f.cap_taken,
          (SELECT a.held FROM allowances AS a WHERE a.owner = o.cap_owner AND a.period_start = o.cap_start), o.amount, o.at_least);
      END IF;
      IF f.is_known THEN
        refused_by := 'duplicate';
      ELSIF granted IS NULL THEN
        refused_by := 'cap';
        available := greatest(o.cap - f.cap_taken, 0);
      ELSIF granted < 0 OR granted > most THEN
        refused_by := 'balance';
        available := f.free;
      ELSE
        of_plan := CASE WHEN NOT f.is_over THEN share_of(f.plan_left,
          (SELECT a.held FROM allowances AS a WHERE a.owner = f.plan AND a.period_start = f.plan_start), granted, o.at_least) END;
        IF of_plan IS NOT NULL AND (f.is_stopping OR granted <= f.plan_left) THEN
          source := f.plan;
          granted := CASE WHEN f.is_stopping THEN of_plan ELSE granted END;
        ELSIF f.is_stopping THEN
          refused_by := 'subscription';
          available := greatest(f.plan_left, 0);
        ELSE
          of_balance := share_of(f.free, (SELECT b.held FROM balances AS b WHERE b.account_id = o.account), granted, o.at_least);
          IF of_plan IS NOT NULL AND (of_balance IS NULL OR of_plan >= of_balance) THEN
            source := f.plan;
            granted := of_plan;
          ELSIF of_balance IS NULL THEN
            refused_by := 'balance';
            available := f.free;
          ELSE
            source := 'balance';
            granted := of_balance;
          END IF;
        END IF;
      END IF;
      IF source IS NULL THEN
        granted := NULL;
      ELSE
        INSERT INTO charges (request_id, account_id, key_id, model, operation, price_version, multiplier, state, node, source, source_period,
          cap_owner, cap_period, held, created_at)
        VALUES (o.request, o.account, o.key, o.model, o.operation, o.price, o.multiplier, 'held', o.node, source,
          CASE source WHEN 'balance' THEN NULL ELSE f.plan_start END, o.cap_owner, o.cap_start, granted, o.at);
        IF source = 'balance' THEN
          UPDATE balances SET held = balances.held + granted WHERE account_id = o.account;
        END IF;
        IF source <> 'balance' OR o.cap_owner IS NOT NULL THEN
          INSERT INTO allowances AS a (owner, period_start, held)
          SELECT taken.owner, taken.start, granted
          FROM (VALUES (nullif(source, 'balance'), f.plan_start), (o.cap_owner, o.cap_start)) AS taken (owner, start) WHERE taken.owner IS NOT NULL
          ON CONFLICT (owner, period_start) DO UPDATE SET held = a.held + excluded.held;
        END IF;
      END IF;
      RETURN NEXT;
    END LOOP;
  END $$;

  CREATE FUNCTION reserve_holds(
    requests TEXT[], accounts TEXT[], keys TEXT[], models TEXT[], operations TEXT[], prices BIGINT[], multipliers BIGINT[], nodes TEXT[],
    amounts BIGINT[], leasts BIGINT[], times BIGINT[], cap_owners TEXT[], caps BIGINT[], cap_starts BIGINT[], most BIGINT
  ) RETURNS TABLE (source TEXT, granted BIGINT, refused_by TEXT, available BIGINT) LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET plan_cache_mode = force_generic_plan AS $$
  #variable_conflict use_column
  BEGIN
    IF cardinality(requests) > 1 THEN
      PERFORM pg_advisory_xact_lock(key) FROM (SELECT DISTINCT account_lock(one) AS key FROM unnest(accounts) AS one ORDER BY 1) AS locks;
      PERFORM pg_advisory_xact_lock(7301, key) FROM (SELECT DISTINCT hashtext(one) AS key FROM unnest(requests) AS one ORDER BY 1) AS locks;
      RETURN QUERY
      WITH looked AS (
        SELECT o.*, (SELECT balance - held FROM balances WHERE account_id = o.account) AS free,
          -- What has to be left so that the amount is no more than the part that one gets beside others.
          CASE WHEN at_least < amount THEN 16 * (amount::NUMERIC - at_least) + at_least - amount ELSE 0 END AS beside,
          'sub:' || s.id AS plan, s.start AS plan_start, s.on_exhaustion = 'stop' AS is_stopping,
          -- Of one that is over not even nothing can be taken.
          CASE WHEN least(s.ends_at, s.cancelled_at) <= o.at THEN -1
            ELSE s.included - coalesce((SELECT used + held FROM allowances WHERE owner = 'sub:' || s.id AND period_start = s.start), 0)
          END AS plan_left,
          o.cap - coalesce((SELECT used + held FROM allowances WHERE owner = o.cap_owner AND period_start = o.cap_start), 0) AS cap_left,
          (SELECT request_id FROM charges WHERE request_id = o.request) IS NULL
            AND (SELECT request_id FROM barred_requests WHERE request_id = o.request) IS NULL AS is_new
        FROM unnest(requests, accounts, keys, models, operations, prices, multipliers, nodes, amounts, leasts, times, cap_owners, caps, cap_starts)
          WITH ORDINALITY
          AS o (request, account, key, model, operation, price, multiplier, node, amount, at_least, at, cap_owner, cap, cap_start, place)
        LEFT JOIN LATERAL (SELECT *, period_start(period, o.at) AS start FROM ruling_subscription(o.account, o.at)) AS s ON TRUE
      ),
      -- Who is granted all that is asked of it together grants each of it, in whatever order.
      decided AS (
        SELECT *,
          CASE
            WHEN sum(amount) OVER of_account + CASE WHEN is_stopping THEN max(beside) OVER of_account ELSE 0 END <= plan_left THEN plan
            WHEN (plan IS NULL OR amount > plan_left AND at_least > plan_left AND NOT is_stopping)
              AND sum(amount) OVER of_account + max(beside) OVER of_account <= free THEN 'balance'
          END AS taken_from,
          is_new AND count(*) OVER (PARTITION BY request COLLATE "C") = 1 AND amount BETWEEN 0 AND most
            AND (cap_owner IS NULL OR sum(amount) OVER of_cap + max(beside) OVER of_cap <= cap_left) AS is_granted
        FROM looked
        WINDOW of_account AS (PARTITION BY account COLLATE "C"), of_cap AS (PARTITION BY cap_owner COLLATE "C", cap_start)
      ),
      granted AS (
        SELECT * FROM decided WHERE (SELECT bool_and(is_granted AND taken_from IS NOT NULL) FROM decided)
      ),
      held AS (
        INSERT INTO charges (request_id, account_id, key_id, model, operation, price_version, multiplier, state, node, source, source_period,
          cap_owner, cap_period, held, created_at)
        SELECT request, account, key, model, operation, price, multiplier, 'held', node, taken_from, CASE taken_from WHEN 'balance' THEN NULL ELSE plan_start END,
          cap_owner, cap_start, amount, at
        FROM granted ORDER BY place
      ),
      of_balances AS (
        UPDATE balances AS b SET held = b.held + g.amount
        FROM (SELECT account, sum(amount)::BIGINT AS amount FROM granted WHERE taken_from = 'balance' GROUP BY account) AS g
        WHERE b.account_id = g.account AND b.account_id = ANY (accounts)
      ),
      of_allowances AS (
        INSERT INTO allowances AS a (owner, period_start, held)
        SELECT owner, start, sum(amount)
        FROM (
          SELECT taken_from AS owner, plan_start AS start, amount FROM granted WHERE taken_from <> 'balance'
          UNION ALL SELECT cap_owner, cap_start, amount FROM granted WHERE cap_owner IS NOT NULL
        ) AS taken
        GROUP BY owner, start
        ON CONFLICT (owner, period_start) DO UPDATE SET held = a.held + excluded.held
      )
      SELECT taken_from, amount, NULL::TEXT, 0::BIGINT FROM granted ORDER BY place;
      IF FOUND THEN
        RETURN;
      END IF;
    END IF;
    RETURN QUERY SELECT * FROM decide_holds(requests, accounts, keys, models, operations, prices, multipliers, nodes,
      amounts, leasts, times, cap_owners, caps, cap_starts, most);
  END $$;

  -- A charge is still posted when its hold has expired because its process was silent for too long: it takes what is left of the source, and the
  -- operator bears the rest (docs/decisions/0036). Such charges are few and are posted one by one.
  -- Planned once per connection, since everything is found by its keys.
  CREATE FUNCTION settle_charges(
    requests TEXT[], states TEXT[], costs BIGINT[], usages TEXT[], estimates BOOLEAN[], outcomes TEXT[], times BIGINT[]
  ) RETURNS TABLE (came_to TEXT, account TEXT, node TEXT, held BIGINT, charged BIGINT, overrun BIGINT) LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET plan_cache_mode = force_generic_plan AS $$
  #variable_conflict use_column
  DECLARE
    lates TEXT[] := '{}';
    late RECORD;
    taken BIGINT;
  BEGIN
    PERFORM pg_advisory_xact_lock(key)
    FROM (
      SELECT DISTINCT account_lock(owner) AS key
      FROM (
        SELECT (SELECT account_id FROM charges WHERE request_id = one AND state || '' IN ('held', 'expired')) AS owner FROM unnest(requests) AS one
      ) AS owners
      WHERE owner IS NOT NULL ORDER BY 1
    ) AS locks;
    FOR late IN
      SELECT a.cost, a.usage, a.is_estimated, a.outcome, a.at, c.request_id, c.account_id, c.source, c.source_period, c.cap_owner, c.cap_period, c.held
      FROM unnest(requests, states, costs, usages, estimates, outcomes, times) WITH ORDINALITY
        AS a (request, state, cost, usage, is_estimated, outcome, at, place)
      -- Each by its id: a join could be planned as a look at all of them.
      CROSS JOIN LATERAL (SELECT * FROM charges AS one WHERE one.request_id = a.request AND one.state || '' = 'expired' OFFSET 0) AS c
      WHERE a.state = 'posted' ORDER BY a.place
    LOOP
      taken := least(late.cost, late.held, greatest(0, CASE late.source
        WHEN 'balance' THEN (SELECT b.balance - b.held FROM balances AS b WHERE b.account_id = late.account_id)
        ELSE (
          SELECT s.included - b.used - b.held FROM subscriptions AS s, allowances AS b
          WHERE s.id = substr(late.source, 5) AND b.owner = late.source AND b.period_start = late.source_period
        )
      END));
      UPDATE charges AS c SET state = 'posted', charged = taken, overrun = late.cost - taken, usage = late.usage, estimated = late.is_estimated,
        outcome = late.outcome, settled_at = late.at
      WHERE c.request_id = late.request_id;
      UPDATE balances AS b SET balance = b.balance - taken WHERE b.account_id = late.account_id AND late.source = 'balance';
      UPDATE allowances AS b SET used = b.used + taken WHERE b.owner = late.source AND b.period_start = late.source_period;
      UPDATE allowances AS b SET used = b.used + taken WHERE b.owner = late.cap_owner AND b.period_start = late.cap_period;
      INSERT INTO entries (transfer, kind, book, amount, note, created_at)
      SELECT late.request_id, move.kind, side.book, side.amount, 'late', late.at
      FROM (VALUES
        ('charge', CASE late.source WHEN 'balance' THEN 'account:' || late.account_id ELSE 'subscription:' || substr(late.source, 5) END, taken),
        ('overrun', 'overrun', late.cost - taken)
      ) AS move (kind, book, amount), LATERAL (VALUES (move.book, -move.amount), ('revenue', move.amount)) AS side (book, amount)
      WHERE move.amount > 0;
      lates := lates || late.request_id;
    END LOOP;
    RETURN QUERY
    WITH asked AS (
      SELECT * FROM unnest(requests, states, costs, usages, estimates, outcomes, times) WITH ORDINALITY
        AS asked (request, state, cost, usage, is_estimated, outcome, at, place)
    ),
    ended AS (
      UPDATE charges AS c SET state = a.state, charged = least(a.cost, c.held), overrun = greatest(a.cost - c.held, 0), usage = a.usage,
        estimated = a.is_estimated, outcome = a.outcome, settled_at = a.at
      FROM asked AS a WHERE c.request_id = a.request AND c.request_id = ANY (requests) AND c.state || '' = 'held'
      RETURNING c.*
    ),
    of_balances AS (
      UPDATE balances AS b SET balance = b.balance - e.charged, held = b.held - e.held
      FROM (
        SELECT account_id, sum(charged)::BIGINT AS charged, sum(held)::BIGINT AS held FROM ended WHERE source = 'balance' GROUP BY account_id
      ) AS e
      WHERE b.account_id = e.account_id AND b.account_id = ANY (ARRAY(SELECT account_id FROM ended))
    ),
    taken AS (
      SELECT source AS owner, source_period AS start, charged, held FROM ended WHERE source <> 'balance'
      UNION ALL SELECT cap_owner, cap_period, charged, held FROM ended WHERE cap_owner IS NOT NULL
    ),
    -- Against the period of the hold, though another may have begun since.
    of_allowances AS (
      UPDATE allowances AS b SET used = b.used + e.charged, held = b.held - e.held
      FROM (SELECT owner, start, sum(charged)::BIGINT AS charged, sum(held)::BIGINT AS held FROM taken GROUP BY owner, start) AS e
      WHERE b.owner = e.owner AND b.period_start = e.start AND b.owner = ANY (ARRAY(SELECT owner FROM taken))
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
    SELECT
      CASE WHEN e.request_id IS NOT NULL THEN 'settled' WHEN a.request = ANY (lates) THEN 'late'
        ELSE (SELECT c.state FROM charges AS c WHERE c.request_id = a.request) END,
      e.account_id, e.node, e.held,
      coalesce(e.charged, (SELECT c.charged FROM charges AS c WHERE c.request_id = a.request AND a.request = ANY (lates))),
      coalesce(e.overrun, (SELECT c.overrun FROM charges AS c WHERE c.request_id = a.request AND a.request = ANY (lates)))
    FROM asked AS a LEFT JOIN ended AS e ON e.request_id = a.request
    ORDER BY a.place;
  END $$;

  -- Settles charges of which some are of calls with an idempotency key. A late one is posted only if its call still has its key, and then the key is
  -- nobody's (node ''): no other request can take it over any more, so that one key is never charged twice. All under the locks of settle_charges,
  -- which takes them in the same order.
  CREATE FUNCTION settle_keyed(
    requests TEXT[], states TEXT[], costs BIGINT[], usages TEXT[], estimates BOOLEAN[], outcomes TEXT[], times BIGINT[], keyed BOOLEAN[]
  ) RETURNS TABLE (came_to TEXT, account TEXT, node TEXT, held BIGINT, charged BIGINT, overrun BIGINT) LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET plan_cache_mode = force_generic_plan AS $$
  #variable_conflict use_column
  DECLARE
    late RECORD;
  BEGIN
    PERFORM pg_advisory_xact_lock(key)
    FROM (
      SELECT DISTINCT account_lock(owner) AS key
      FROM (
        SELECT (SELECT account_id FROM charges WHERE request_id = one AND state || '' IN ('held', 'expired')) AS owner FROM unnest(requests) AS one
      ) AS owners
      WHERE owner IS NOT NULL ORDER BY 1
    ) AS locks;
    FOR late IN
      SELECT c.account_id, c.request_id, a.place
      FROM unnest(requests, states, keyed) WITH ORDINALITY AS a (request, state, is_keyed, place)
      CROSS JOIN LATERAL (SELECT * FROM charges AS one WHERE one.request_id = a.request AND one.state || '' = 'expired' OFFSET 0) AS c
      WHERE a.is_keyed AND a.state = 'posted'
    LOOP
      UPDATE idempotency AS i SET node = '' WHERE i.account_id = late.account_id AND i.request_id = late.request_id;
      IF NOT FOUND THEN states[late.place] := 'expired'; END IF;
    END LOOP;
    RETURN QUERY SELECT * FROM settle_charges(requests, states, costs, usages, estimates, outcomes, times);
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
    ELSIF EXISTS (SELECT 1 FROM entries AS e WHERE e.transfer = named AND e.kind <> 'charge' AND e.kind <> 'overrun') THEN
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

  CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
  END $$;
  CREATE TRIGGER entries_are_final BEFORE UPDATE OR DELETE ON entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
  CREATE TRIGGER entries_stay BEFORE TRUNCATE ON entries EXECUTE FUNCTION refuse_change();
  CREATE TRIGGER audit_is_final BEFORE UPDATE OR DELETE ON audit FOR EACH ROW EXECUTE FUNCTION refuse_change();
  CREATE TRIGGER audit_stays BEFORE TRUNCATE ON audit EXECUTE FUNCTION refuse_change();

  CREATE FUNCTION count_kept_bytes() RETURNS TRIGGER LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP <> 'INSERT' THEN
      PERFORM 1 FROM kept_bytes WHERE account_id IN (SELECT account_id FROM taken) ORDER BY account_id FOR UPDATE;
      UPDATE kept_bytes AS k SET bytes = k.bytes - t.bytes
      FROM (SELECT account_id, sum(octet_length(input)::BIGINT + octet_length(response)) AS bytes FROM taken GROUP BY account_id) AS t
      WHERE k.account_id = t.account_id;
    END IF;
    IF TG_OP <> 'DELETE' THEN
      INSERT INTO kept_bytes AS k (account_id, bytes)
      SELECT account_id, sum(octet_length(input)::BIGINT + octet_length(response)) FROM added GROUP BY account_id ORDER BY account_id
      ON CONFLICT (account_id) DO UPDATE SET bytes = k.bytes + excluded.bytes;
    END IF;
    RETURN NULL;
  END $$;

  CREATE TRIGGER responses_counted AFTER INSERT ON responses
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_kept_bytes();
  CREATE TRIGGER responses_recounted AFTER UPDATE ON responses
    REFERENCING OLD TABLE AS taken NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_kept_bytes();
  CREATE TRIGGER responses_uncounted AFTER DELETE ON responses
    REFERENCING OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION count_kept_bytes();
`;
