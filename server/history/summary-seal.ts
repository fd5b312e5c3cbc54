/** Seals the summary of a compacted conversation for its account, and opens it again. Only a gateway with the same pepper can do either. */

import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';

/** Marks a summary that a gateway sealed, and the version of its format. No provider's encrypted content starts like this. */
const PREFIX = 'mgsum1.';
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
/** The nonce length that AES-GCM is defined for (NIST SP 800-38D, 8.2). A random one per summary stays unique for far more summaries than a gateway seals. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export const isSealedSummary = (encrypted: unknown): encrypted is string => typeof encrypted === 'string' && encrypted.startsWith(PREFIX);

export class SummarySeal {
  readonly #key: KeyObject;

  /** `pepper`: the secret that the key is derived from. */
  constructor(pepper: KeyObject | Buffer) {
    this.#key = createSecretKey(Buffer.from(hkdfSync('sha256', pepper, '', 'sealed summaries, version 1', KEY_BYTES)));
  }

  seal(accountId: string, summary: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES }).setAAD(toBoundData(accountId));
    const encrypted = Buffer.concat([cipher.update(summary, 'utf8'), cipher.final()]);
    return PREFIX + Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url');
  }

  /** Returns null if the summary was changed, or sealed for another account or with another pepper. */
  open(accountId: string, sealed: string): string | null {
    const bytes = Buffer.from(sealed.slice(PREFIX.length), 'base64url');
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
    const decipher = createDecipheriv(CIPHER, this.#key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(toBoundData(accountId))
      .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
    } catch {
      return null;
    }
  }
}

const toBoundData = (accountId: string): Buffer => Buffer.from(PREFIX + accountId);
