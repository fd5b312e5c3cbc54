/** Fresh ids in the habits of the wire: a prefix that tells the kind, then what nobody can guess. */
import { randomBytes } from 'node:crypto';

export function createId(prefix: 'chatcmpl-' | 'resp_' | 'msg_' | 'rs_' | 'fc_' | 'ctc_' | 'call_'): string {
  return prefix + randomBytes(16).toString('hex');
}
