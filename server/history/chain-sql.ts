/** SQL about chains of responses that is the same on both engines. */
import { MAX_CHAIN } from './store.ts';

/** Every link of a chain by its id, without its texts. The parameters, as the engine writes them, are the account and the newest response. */
export const chainOf = (account: string, id: string): string => `
  WITH RECURSIVE chain (depth, account_id, id, previous_id) AS (
    SELECT 0, account_id, id, previous_id FROM responses WHERE account_id = ${account} AND id = ${id}
    UNION ALL
    SELECT chain.depth + 1, r.account_id, r.id, r.previous_id
    FROM chain JOIN responses AS r ON r.account_id = chain.account_id AND r.id = chain.previous_id
    WHERE chain.depth < ${MAX_CHAIN}
  )`;
/** Reads no text: both engines store the length of a text beside it. */
export const BYTES = 'octet_length(r.input) + coalesce(o.output_bytes, octet_length(r.response))';
export const OUTLINE = 'LEFT JOIN response_outlines AS o ON o.account_id = r.account_id AND o.response_id = r.id';
