/** The fingerprint of the pepper on the embedded database: one row, written once. */
import type { DatabaseSync } from 'node:sqlite';
import { bytesOrNone } from '../rows.ts';
import { prepare } from './rows.ts';

const ONE = 'SELECT fingerprint FROM pepper_fingerprint';

export function openFingerprintReads(connection: DatabaseSync) {
  const find = prepare(connection, ONE);
  return { findFingerprint: (): Uint8Array | undefined => bytesOrNone(find.get()?.fingerprint) };
}

export function openFingerprintSteps(connection: DatabaseSync) {
  const insert = prepare(connection, 'INSERT INTO pepper_fingerprint (id, fingerprint) VALUES (1, ?) ON CONFLICT DO NOTHING');
  const find = prepare(connection, ONE);
  return {
    /** The stored fingerprint, which may come from another process. */
    keepFingerprint({ fingerprint }: { readonly fingerprint: Uint8Array }): Uint8Array | undefined {
      insert.run(fingerprint);
      return bytesOrNone(find.get()?.fingerprint);
    },
  };
}
