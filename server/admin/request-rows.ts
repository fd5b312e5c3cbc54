/** Rows of the request log in the shapes of the contract: the row, the rules it was checked by, and its refusal. */
import type { Check, ExplainedRequest, LoggedRequest } from '../../contract/admin/requests.ts';
import { rules } from '../../contract/admin/requests.ts';
import { type Details, detailsOf, type Figures, type LogRow } from '../activity/record.ts';
import { formatDollars } from '../ledger/money.ts';
import { writeTime } from './values.ts';

export function writeRow(row: LogRow): LoggedRequest {
  return {
    object: 'request',
    request_id: row.request_id,
    at: writeTime(row.ended_at),
    account_id: row.account_id,
    key_id: row.key_id,
    model: row.model,
    operation: row.operation,
    upstream: row.upstream,
    status: row.status,
    code: row.code,
    outcome: row.outcome,
    is_stream: row.is_stream === 1,
    attempts: row.attempts,
    first_ms: row.first_ms,
    total_ms: row.total_ms,
    tokens: { input: row.input, cached_input: row.cached_input, cache_write: row.cache_write, output: row.output },
    images: row.images,
    charged: row.charged === null ? null : formatDollars(BigInt(row.charged)),
    repeats: row.repeats,
  };
}

export const writeKeptAttempts = ({ attempts = [] }: Details) =>
  attempts.map(({ ms, said: _, ...attempt }) => ({ ...attempt, ms: Math.round(ms) }));

/** For operators: callers never read what the vendor said. */
export const writeOperatorAttempts = (details: Details): ExplainedRequest['attempts'] =>
  writeKeptAttempts(details).map((attempt, index) => {
    const { code = null, message = null } = details.attempts?.[index]?.said ?? {};
    return { ...attempt, vendor_code: code, vendor_message: message };
  });

/** Null for a call that its caller got no error for. */
export function writeRefusal(row: LogRow): ExplainedRequest['refusal'] {
  const details = detailsOf(row);
  if (row.code === null || details.message === undefined) return null;
  return {
    status: row.status,
    code: row.code,
    param: details.param ?? null,
    message: details.message,
    operation: row.operation,
    model: row.model ?? details.asked ?? null,
    account_id: row.account_id,
    key_id: row.key_id,
    attempts: writeKeptAttempts(details),
    created_at: writeTime(row.ended_at - row.total_ms),
  };
}

type Rule = Check['rule'];
const byQuantity: Readonly<Record<string, Rule>> = { requests: 'requests', tokens: 'tokens', concurrency: 'concurrency' };
const byCode: Readonly<Record<string, Rule>> = {
  invalid_api_key: 'key',
  rate_limit_exceeded: 'requests',
  token_limit_exceeded: 'tokens',
  concurrency_limit_exceeded: 'concurrency',
  model_not_found: 'model',
  permission_denied: 'permission',
  insufficient_balance: 'money',
  subscription_inactive: 'money',
};
const byStatus: Readonly<Record<number, Rule>> = { 401: 'key', 403: 'permission', 404: 'model', 429: 'requests' };
const FIRST_FAULT = 500;

/** The rule that said no; null when none did. A call that an upstream was asked for had passed them all. */
function refusingRule({ code, status, attempts }: LogRow, { refusedBy }: Details): Rule | null {
  if (refusedBy) return byQuantity[refusedBy.quantity] ?? null;
  if (code === null || attempts > 0 || status >= FIRST_FAULT) return null;
  return byCode[code] ?? byStatus[status] ?? 'body';
}

export function writeChecks(row: LogRow): Check[] {
  const details = detailsOf(row);
  const refusing = refusingRule(row, details);
  const place = refusing === null ? null : rules.indexOf(refusing);
  // A failure before any upstream was asked says not how far the call came.
  const isUnknown = place === null && row.attempts === 0 && row.outcome === 'failed';
  return rules.map((rule, index) => {
    const result = isUnknown || (place !== null && index > place) ? 'not_reached' : index === place ? 'refused' : 'passed';
    const figures = result === 'not_reached' ? undefined : figuresOf(rule, details);
    const isRefusing = result === 'refused' && details.refusedBy !== undefined;
    return {
      rule,
      result,
      scope: isRefusing ? (details.refusedBy?.scope ?? null) : null,
      limit: isRefusing ? (details.refusedBy?.most ?? null) : (figures?.limit ?? null),
      remaining: isRefusing ? 0 : (figures?.remaining ?? null),
    };
  });
}

function figuresOf(rule: Rule, { requests, tokens }: Details): Figures | undefined {
  if (rule === 'requests') return requests;
  return rule === 'tokens' ? tokens : undefined;
}
