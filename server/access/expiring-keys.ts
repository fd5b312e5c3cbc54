/** How many keys expire soon. */
import { number } from '../storage/postgres/rows.ts';
import type { Read } from '../storage/shared-reads.ts';

/** Of the keys that work now, those that expire before `until`; a key that was rotated has its successor. Times in milliseconds since 1970. */
export async function countExpiring(read: Read, now: number, until: number): Promise<number> {
  const [row] = await read(
    'SELECT count(*) AS keys FROM keys WHERE expires_at > ?1 AND expires_at < ?2 AND revoked_at IS NULL AND replaced_by IS NULL',
    [now, until],
  );
  return number(row?.keys);
}
