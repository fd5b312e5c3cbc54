/** `modelgate explain --request <id>`: shows the result of a request, by its request id. */
import type { ExplainedRequest } from '../../contract/admin/requests.ts';
import { type AdminOptions, describe, print, withAdmin } from './administration.ts';
import { attemptText } from './usage.ts';

export const KEPT_HELP =
  'Requests that were refused or failed are kept for 7 days, the newest 50,000 of them (refusals.days and refusals.most in the configuration); paid ones permanently';

export async function explainRequest(id: string, options: AdminOptions): Promise<void> {
  await withAdmin(options, async (client) => {
    const explained = await client.call('getRequest', { params: { request_id: id } });
    print(options, explained, requestText(explained));
  });
}

function requestText({ request_id: id, refusal, usage }: ExplainedRequest): string {
  return describe([
    ['Request', id],
    ['Time', refusal?.created_at ?? usage?.created_at],
    ['Answer', refusal && `${refusal.status} ${refusal.code}${refusal.status === 200 ? ', in the stream' : ''}`],
    ['Message', refusal?.message],
    ['Field', refusal?.param],
    ['Operation', refusal?.operation ?? usage?.operation],
    ['Model', refusal?.model ?? usage?.model],
    ['Account', refusal?.account_id ?? usage?.account_id],
    ['Key', refusal?.key_id ?? usage?.key_id],
    ['Attempts', refusal?.attempts.map(attemptText).join(', ') || null],
    ['Charge', usage && `${usage.state}${usage.outcome === null ? '' : `, ${usage.outcome}`}: ${usage.charged} of ${usage.held} held`],
  ]);
}
