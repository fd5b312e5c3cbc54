/** Lists the checks that a logged request passed, and the one that rejected it. */
import { type Check, checkRules } from '../../../contract/admin/requests.ts';
import { type CallDetails, type LimitFigures, type LogRow, parseDetails } from '../../records/call-record.ts';

type Rule = Check['rule'];

const ruleByQuantity: Readonly<Record<string, Rule>> = { requests: 'requests', tokens: 'tokens', concurrency: 'concurrency' };

const ruleByCode: Readonly<Record<string, Rule>> = {
  invalid_api_key: 'key',
  rate_limit_exceeded: 'requests',
  token_limit_exceeded: 'tokens',
  concurrency_limit_exceeded: 'concurrency',
  model_not_found: 'model',
  permission_denied: 'permission',
  insufficient_balance: 'balance',
  subscription_inactive: 'subscription',
};

const ruleByStatus: Readonly<Record<number, Rule>> = { 401: 'key', 403: 'permission', 404: 'model', 429: 'requests' };

const MIN_SERVER_ERROR = 500;

/** Returns the rule that rejected the call, or null. A call that reached an upstream passed all rules. */
function findRejectingRule({ code, status, attempts }: LogRow, { rejectedBy, message }: CallDetails): Rule | null {
  if (rejectedBy) return ruleByQuantity[rejectedBy.quantity] ?? null;
  if (code === null || attempts > 0 || status >= MIN_SERVER_ERROR) return null;
  // Spending caps and balances share an error code, so only the message shows which one was too low.
  if (code === 'insufficient_balance' && message?.includes(' spending cap ')) return 'spending_cap';
  return ruleByCode[code] ?? ruleByStatus[status] ?? 'body';
}

export function writeChecks(row: LogRow): Check[] {
  const details = parseDetails(row);
  const rejectingRule = findRejectingRule(row, details);
  const rejectingIndex = rejectingRule === null ? null : checkRules.indexOf(rejectingRule);
  // After a failure before any upstream was called, it's unknown which checks the request reached.
  const isUnknown = rejectingIndex === null && row.attempts === 0 && row.outcome === 'failed';
  return checkRules.map((rule, index) => {
    const result =
      isUnknown || (rejectingIndex !== null && index > rejectingIndex) ? 'not_reached' : index === rejectingIndex ? 'rejected' : 'passed';
    const limitFigures = result === 'not_reached' ? undefined : findLimitFigures(rule, details);
    const isRejecting = result === 'rejected' && details.rejectedBy !== undefined;
    return {
      rule,
      result,
      scope: isRejecting ? (details.rejectedBy?.scope ?? null) : null,
      limit: isRejecting ? (details.rejectedBy?.most ?? null) : (limitFigures?.limit ?? null),
      remaining: isRejecting ? 0 : (limitFigures?.remaining ?? null),
    };
  });
}

function findLimitFigures(rule: Rule, { requests, tokens }: CallDetails): LimitFigures | undefined {
  if (rule === 'requests') return requests;
  return rule === 'tokens' ? tokens : undefined;
}
