/**
 * Settles charges of which some are of calls with an idempotency key. A late one is posted only if its call still has its key, and then the key is
 * nobody's (node ''): no other request can take it over any more, so that one key is never charged twice. All under the locks of settle_charges,
 * which takes them in the same order.
 */
export const SQL = `
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
`;
