/** Shows everything known about one request, for `modelgate usage show` and `modelgate explain --request`. */

import type { Check, ExplainedRequest, LoggedRequest } from '../../../contract/admin/requests.ts';
import type { Receipt } from '../../../contract/admin/usage.ts';
import { type AdminOptions, withAdmin } from './admin-command.ts';
import { formatRows, printResult } from './print-result.ts';

export const RETENTION_HELP = 'Requests are kept for 30 days (activity.days), charges permanently';

export async function explainRequest(id: string, options: AdminOptions): Promise<void> {
  await withAdmin(options, async (client) => {
    const explanation = await client.call('getRequest', { request_id: id });
    printResult(options, explanation, formatRequest(explanation));
  });
}

export function formatRequest({ request_id: id, request, error, usage, ...details }: ExplainedRequest): string {
  const rejectedCheck = details.checks.find(({ result }) => result === 'rejected');
  return formatRows([
    ['Request', id],
    ['Time', error?.created_at ?? usage?.created_at ?? request?.at],
    ['Status', formatStatus(request, error)],
    ['Message', error?.message],
    ['Field', error?.param],
    ['Rejected by', rejectedCheck && formatRule(rejectedCheck)],
    ['Operation', error?.operation ?? usage?.operation ?? request?.operation],
    ['Model', error?.model ?? usage?.model ?? request?.model],
    ['Account', error?.account_id ?? usage?.account_id ?? request?.account_id],
    ['Key', error?.key_id ?? usage?.key_id ?? request?.key_id],
    ['End user', request?.end_user],
    ['Tag', request?.tag],
    ['Attempts', details.attempts.map(formatAttempt).join(', ') || null],
    ['Provider', details.attempts.flatMap(formatProviderError).join(', ') || null],
    ['Duration', request && formatTimes(request)],
    ['Dropped fields', details.dropped.join(', ') || null],
    ['Ledger', details.entries.map(({ ledger_account: book, amount }) => `${book} ${amount}`).join(', ') || null],
    ['Charge', usage && `${usage.state}${usage.outcome === null ? '' : `, ${usage.outcome}`}: ${usage.charged} of ${usage.held} held`],
  ]);
}

export const formatAttempt = ({ upstream, protocol, status, code, ms }: Receipt['attempts'][number]): string =>
  `${upstream} ${[protocol && `over ${protocol}`, status ?? 'no response', code].filter((part) => part !== null).join(' ')} (${ms} ms)`;

/** Formats the provider's own error code and message of a failed attempt. */
function formatProviderError({ upstream, provider_code: code, provider_message: message }: ExplainedRequest['attempts'][number]): string[] {
  const parts = [code, message].filter((part) => part !== null);
  return parts.length === 0 ? [] : [`${upstream}: ${parts.join(': ')}`];
}

function formatStatus(request: ExplainedRequest['request'], error: ExplainedRequest['error']): string | null {
  if (error) return `${error.status} ${error.code}${error.status === 200 ? ', in the stream' : ''}`;
  return request && `${request.status} ${request.outcome}`;
}

const formatRule = ({ rule, scope, limit }: Check): string =>
  [rule, scope && `per ${scope}`, limit !== null && `limit ${limit}`].filter(Boolean).join(', ');

const formatTimes = ({ first_ms: first, total_ms: total }: LoggedRequest): string =>
  first === null ? `${total} ms` : `${total} ms, time to first event ${first} ms`;
