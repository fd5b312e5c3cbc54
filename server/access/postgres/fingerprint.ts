/** The fingerprint of the pepper on PostgreSQL: one row, written once, by whichever process is the first. */
import type { Postgres } from '../../storage/postgres/pool.ts';
import { bytesOrNone } from '../rows.ts';
import type { AccessStore } from '../store.ts';

const one = { text: 'SELECT fingerprint FROM pepper_fingerprint' };
const insert = { text: 'INSERT INTO pepper_fingerprint (id, fingerprint) VALUES (1, $1) ON CONFLICT DO NOTHING' };

export function openFingerprint(postgres: Postgres): Pick<AccessStore, 'findFingerprint' | 'keepFingerprint'> {
  const findFingerprint = async () => bytesOrNone((await postgres.query(one))[0]?.fingerprint);
  return {
    findFingerprint,
    async keepFingerprint(fingerprint) {
      await postgres.query(insert, [fingerprint]);
      return await findFingerprint();
    },
  };
}
