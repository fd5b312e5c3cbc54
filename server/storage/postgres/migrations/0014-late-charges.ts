/**
 * A charge is still posted when its hold has expired because its process was silent for too long: it takes what is left of the source, and the
 * operator bears the rest (docs/decisions/0036). Such charges are few and are posted one by one. Everything else is as in migration 9.
 */
export const SQL = `
  CREATE OR REPLACE FUNCTION settle_charges(
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
`;
