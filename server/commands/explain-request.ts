/** `modelgate explain --request <id>`: shows the result of a request, by its request id. */
import type { Check, ExplainedRequest, LoggedRequest } from '../../contract/admin/requests.ts';
import { type AdminOptions, describe, print, withAdmin } from './administration.ts';
import { attemptText } from './usage.ts';

export const KEPT_HELP = 'Requests are kept for 30 days (activity.days in the configuration); paid ones permanently';

export async function explainRequest(id: string, options: AdminOptions): Promise<void> {
  await withAdmin(options, async (client) => {
    const explained = await client.call('getRequest', { params: { request_id: id } });
    print(options, explained, requestText(explained));
  });
}

function requestText({ request_id: id, request, refusal, usage, ...explained }: ExplainedRequest): string {
  const refusing = explained.checks.find(({ result }) => result === 'refused');
  return describe([
    ['Request', id],
    ['Time', refusal?.created_at ?? usage?.created_at ?? request?.at],
    ['Answer', answerText(request, refusal)],
    ['Message', refusal?.message],
    ['Field', refusal?.param],
    ['Refused by', refusing && ruleText(refusing)],
    ['Operation', refusal?.operation ?? usage?.operation ?? request?.operation],
    ['Model', refusal?.model ?? usage?.model ?? request?.model],
    ['Account', refusal?.account_id ?? usage?.account_id ?? request?.account_id],
    ['Key', refusal?.key_id ?? usage?.key_id ?? request?.key_id],
    ['Attempts', explained.attempts.map(attemptText).join(', ') || null],
    ['Time taken', request && timeText(request)],
    ['Left out', explained.ignored.join(', ') || null],
    ['Ledger', explained.entries.map(({ book, amount }) => `${book} ${amount}`).join(', ') || null],
    ['Charge', usage && `${usage.state}${usage.outcome === null ? '' : `, ${usage.outcome}`}: ${usage.charged} of ${usage.held} held`],
  ]);
}

function answerText(request: ExplainedRequest['request'], refusal: ExplainedRequest['refusal']): string | null {
  if (refusal) return `${refusal.status} ${refusal.code}${refusal.status === 200 ? ', in the stream' : ''}`;
  return request && `${request.status} ${request.outcome}`;
}

const ruleText = ({ rule, scope, limit }: Check): string =>
  [rule, scope && `of the ${scope}`, limit !== null && `limit ${limit}`].filter(Boolean).join(', ');

const timeText = ({ first_ms: first, total_ms: total }: LoggedRequest): string =>
  first === null ? `${total} ms` : `${total} ms, the first event after ${first} ms`;
