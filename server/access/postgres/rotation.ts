/** Rotates a key on PostgreSQL: of two rotations at once, one succeeds. */
import { writeAudit } from '../../storage/postgres/audit.ts';
import type { Postgres, Queries } from '../../storage/postgres/pool.ts';
import type { AccessStore, Rotation } from '../store.ts';
import { locked } from './changes.ts';

const COPIED = 'account_id, name, permissions, ip_ranges, limits, cap_micros, cap_period, made_by';
const copy = {
  text: `
    INSERT INTO keys (id, hash, last_four, created_at, expires_at, cap_owner, ${COPIED})
    SELECT $2, $3, $4, $5, $6, coalesce(cap_owner, id), ${COPIED} FROM keys WHERE id = $1`,
};
/** An earlier expiry stays. */
const end = { text: 'UPDATE keys SET replaced_by = $2, expires_at = least(expires_at, $3) WHERE id = $1' };

export function openRotation(postgres: Postgres): Pick<AccessStore, 'rotateKey'> {
  return {
    rotateKey: (rotation, audit) =>
      postgres.transaction('write', async (queries) => {
        const state = await locked(queries, 'keys', rotation.id);
        if (!state) return 'unknown';
        if (state.revoked_at !== null) return 'revoked';
        if (state.replaced_by !== null) return 'replaced';
        await replace(queries, rotation);
        await writeAudit(queries, audit);
        return 'rotated';
      }),
  };
}

async function replace(queries: Queries, { id, until, successor }: Rotation): Promise<void> {
  const { id: newId, hash, lastFour, createdAt, expiresAt } = successor;
  await queries.query(copy, [id, newId, hash, lastFour, createdAt, expiresAt]);
  await queries.query(end, [id, newId, until]);
}
