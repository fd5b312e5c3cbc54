/**
 * Settlements find charges by their ids, whatever statistics PostgreSQL has when it plans them. When they were planned on an empty table, every
 * settlement read all charges, or all open ones, until the table was analyzed. So plans must not read whole tables, updated rows are also named by
 * their keys, since PostgreSQL may read a small table through a whole index, and the condition on the state is written so that the index of open
 * holds does not match it. The plan is made once per connection: custom plans look so much cheaper than the generic one that a few charges were
 * planned again each time, which took longer than settling them.
 */
export const SQL = `
  CREATE OR REPLACE FUNCTION settle_charges(
    requests TEXT[], states TEXT[], costs BIGINT[], usages TEXT[], estimates BOOLEAN[], outcomes TEXT[], times BIGINT[]
  ) RETURNS TABLE (came_to TEXT, account TEXT, node TEXT, held BIGINT, charged BIGINT, overrun BIGINT) LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET plan_cache_mode = force_generic_plan AS $$
  #variable_conflict use_column
  BEGIN
    PERFORM pg_advisory_xact_lock(key)
    FROM (
      SELECT DISTINCT account_lock(owner) AS key
      FROM (SELECT (SELECT account_id FROM charges WHERE request_id = one AND state || '' = 'held') AS owner FROM unnest(requests) AS one) AS owners
      WHERE owner IS NOT NULL ORDER BY 1
    ) AS locks;
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
    SELECT CASE WHEN e.request_id IS NULL THEN (SELECT c.state FROM charges AS c WHERE c.request_id = a.request) ELSE 'settled' END,
      e.account_id, e.node, e.held, e.charged, e.overrun
    FROM asked AS a LEFT JOIN ended AS e ON e.request_id = a.request
    ORDER BY a.place;
  END $$;
`;
