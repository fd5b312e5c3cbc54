/** Why a sign-in at an identity provider failed: whether the provider was reached at all, and a word for the audit log that nobody else chose. */

const TIMED_OUT: readonly unknown[] = ['OAUTH_TIMEOUT', 'OAUTH_ABORT'];

/** No connection, no answer in time, or an answer from 500. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isNoConnection = error instanceof TypeError && error.message === 'fetch failed';
  return isNoConnection || TIMED_OUT.includes(codeOf(error)) || statusOf(error) >= 500;
}

const WORD = /^[a-z_]{1,40}$/;

/** `access_denied` and the like of the provider, or the check that failed, with the claim: `OAUTH_JWT_CLAIM_COMPARISON_FAILED aud`. */
export function whyRefused(error: unknown): string {
  const told = fieldOf(error, 'error');
  if (typeof told === 'string') return WORD.test(told) ? told : 'refused';
  const claim = fieldOf(fieldOf(fieldOf(error, 'cause'), 'cause'), 'claim');
  const code = codeOf(error);
  return [typeof code === 'string' ? code : 'unknown', ...(typeof claim === 'string' && WORD.test(claim) ? [claim] : [])].join(' ');
}

const codeOf = (error: unknown): unknown => fieldOf(error, 'code');

function statusOf(error: unknown): number {
  const answer = fieldOf(error, 'cause');
  return answer instanceof Response ? answer.status : 0;
}

function fieldOf(value: unknown, name: string): unknown {
  // `as`: any object may be asked for a field.
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
