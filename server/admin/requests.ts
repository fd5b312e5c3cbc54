/** GET /requests/{request_id}: the outcome of a request. Refusals are kept in a table of their own, charges in the ledger. */
import type { ExplainedRequest, requestRoutes } from '../../contract/admin/requests.ts';
import type { AdminContract } from '../../contract/admin.ts';
import { shown } from '../errors.ts';
import type { HandlersOf } from '../http/ts-rest.ts';
import type { Refusal } from '../refusals/store.ts';
import type { Operations } from './operations.ts';
import { writeUsage } from './usage.ts';
import { missing, writeTime } from './values.ts';

function writeRefusal(refusal: Refusal): NonNullable<ExplainedRequest['refusal']> {
  const { status, code, param, message, operation, model } = refusal;
  return {
    status,
    code,
    param,
    message,
    operation,
    model,
    account_id: refusal.accountId,
    key_id: refusal.keyId,
    attempts: refusal.attempts.map(({ ms, ...attempt }) => ({ ...attempt, ms: Math.round(ms) })),
    created_at: writeTime(refusal.createdAt),
  };
}

export function requestHandlers(operations: Operations): HandlersOf<AdminContract, keyof typeof requestRoutes> {
  return {
    async explainRequest({ params: { request_id: id }, ok }) {
      const { refusals, ledger } = operations;
      const [refusal, charge] = await Promise.all([refusals.find(id), ledger?.findCharge(id)]);
      if (!refusal && !charge) {
        const kept = 'Refused and failed requests are kept for some days (refusals.days and refusals.most), and paid ones permanently.';
        throw missing('request_id', `Nothing is known about a request '${shown(id)}'. ${kept}`);
      }
      return ok({
        object: 'explained_request',
        request_id: id,
        refusal: refusal ? writeRefusal(refusal) : null,
        usage: charge ? writeUsage(charge) : null,
      });
    },
  };
}
