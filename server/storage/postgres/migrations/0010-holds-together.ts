/**
 * When all holds of a batch are granted, one statement takes them: each account and allowance changes once, not once per hold. When one of them is
 * refused or uses up a subscription, or when there is only one, they are decided one after the other, as before. Planned like migration 9: once per
 * connection, and everything is found by its keys.
 */
export const SQL = `
  ALTER FUNCTION reserve_holds(TEXT[], TEXT[], TEXT[], TEXT[], TEXT[], BIGINT[], BIGINT[], TEXT[], BIGINT[], BIGINT[], TEXT[], BIGINT[], BIGINT[], BIGINT)
    RENAME TO decide_holds;

  -- One row for each order, in their order: the source of the hold, or who refused it and what is left there.
  CREATE FUNCTION reserve_holds(
    requests TEXT[], accounts TEXT[], keys TEXT[], models TEXT[], operations TEXT[], prices BIGINT[], multipliers BIGINT[], nodes TEXT[],
    amounts BIGINT[], times BIGINT[], cap_owners TEXT[], caps BIGINT[], cap_starts BIGINT[], most BIGINT
  ) RETURNS TABLE (source TEXT, refused_by TEXT, available BIGINT) LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET plan_cache_mode = force_generic_plan AS $$
  #variable_conflict use_column
  BEGIN
    IF cardinality(requests) > 1 THEN
      PERFORM pg_advisory_xact_lock(key) FROM (SELECT DISTINCT account_lock(one) AS key FROM unnest(accounts) AS one ORDER BY 1) AS locks;
      PERFORM pg_advisory_xact_lock(7301, key) FROM (SELECT DISTINCT hashtext(one) AS key FROM unnest(requests) AS one ORDER BY 1) AS locks;
      RETURN QUERY
      WITH looked AS (
        SELECT o.*, (SELECT balance - held FROM balances WHERE account_id = o.account) AS free,
          'sub:' || s.id AS plan, s.start AS plan_start, s.on_exhaustion = 'stop' AS is_stopping,
          -- Of one that is over not even nothing can be taken.
          CASE WHEN least(s.ends_at, s.cancelled_at) <= o.at THEN -1
            ELSE s.included - coalesce((SELECT used + held FROM allowances WHERE owner = 'sub:' || s.id AND period_start = s.start), 0)
          END AS plan_left,
          o.cap - coalesce((SELECT used + held FROM allowances WHERE owner = o.cap_owner AND period_start = o.cap_start), 0) AS cap_left,
          (SELECT request_id FROM charges WHERE request_id = o.request) IS NULL
            AND (SELECT request_id FROM barred_requests WHERE request_id = o.request) IS NULL AS is_new
        FROM unnest(requests, accounts, keys, models, operations, prices, multipliers, nodes, amounts, times, cap_owners, caps, cap_starts) WITH ORDINALITY
          AS o (request, account, key, model, operation, price, multiplier, node, amount, at, cap_owner, cap, cap_start, place)
        LEFT JOIN LATERAL (SELECT *, period_start(period, o.at) AS start FROM ruling_subscription(o.account, o.at)) AS s ON TRUE
      ),
      -- Who is granted all that is asked of it together grants each of it, in whatever order.
      decided AS (
        SELECT *,
          CASE
            WHEN sum(amount) OVER of_account <= plan_left THEN plan
            WHEN (plan IS NULL OR amount > plan_left AND NOT is_stopping) AND sum(amount) OVER of_account <= free THEN 'balance'
          END AS taken_from,
          is_new AND count(*) OVER (PARTITION BY request COLLATE "C") = 1 AND amount BETWEEN 0 AND most
            AND (cap_owner IS NULL OR sum(amount) OVER (PARTITION BY cap_owner COLLATE "C", cap_start) <= cap_left) AS is_granted
        FROM looked
        WINDOW of_account AS (PARTITION BY account COLLATE "C")
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
      SELECT taken_from, NULL::TEXT, 0::BIGINT FROM granted ORDER BY place;
      IF FOUND THEN
        RETURN;
      END IF;
    END IF;
    RETURN QUERY SELECT * FROM decide_holds(requests, accounts, keys, models, operations, prices, multipliers, nodes,
      amounts, times, cap_owners, caps, cap_starts, most);
  END $$;
`;
