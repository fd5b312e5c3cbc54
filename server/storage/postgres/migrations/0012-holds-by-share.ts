/**
 * An order may accept less than its amount: then it gets a part of what is left, by the rule of `server/ledger/charge.ts` (docs/decisions/0035).
 * The old functions stay for processes of the previous version. Orders are taken together when each of them would get its whole amount in any
 * order. Planned like migration 9: once per connection, and everything is found by its keys.
 */
export const SQL = `
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
`;
