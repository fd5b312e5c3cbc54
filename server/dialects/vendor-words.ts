/** The wording of vendors' errors: what a message is about, and which parts a caller may read. */

/** Messages of vendors without a code for an input that exceeds the context window. */
const tooLong =
  /prompt is too long|exceeds? (the )?(model'?s )?(context|maximum (number of tokens|context))|context (window|length)|input token count|too many (input |prompt )?tokens/i;

export const isTooLong = (message: string): boolean => tooLong.test(message);

/** Messages about the gateway's own key, credit or account; some come with status 400. The caller is not told of them. */
const aboutGateway = new RegExp(
  [
    'credit balance|purchase credits|insufficient balance|billing[ _](hard|error|details|account|not)|(enable|your) billing',
    'failed_precondition|user location is not supported',
    'api[ _-]?key (is )?(not valid|invalid|expired|not found)|(organization|workspace|account) has been (disabled|suspended)',
    'reached your specified (api )?usage limits',
  ].join('|'),
  'i',
);

export const isAboutGateway = (words: string): boolean => aboutGateway.test(words);

/** Some vendors quote keys in their messages. */
const secrets = /\b(?:(?:sk|gsk|key|org|proj|xai)[-_]|AIza)[\w*-]{6,}|\b(?:Bearer|key) [\w*.-]{12,}/g;

export const withoutSecrets = (message: string): string => message.replace(secrets, '…');

/** `retry-after` in whole seconds, from 1 to 3600, which every client reads; `retry-after-ms` for clients that read that first. */
export function waitHeaders(waitSeconds: number | null): Record<string, string> {
  const seconds = waitSeconds !== null && waitSeconds > 0 ? Math.min(Math.ceil(waitSeconds), 3600) : 1;
  return { 'retry-after': String(seconds), 'retry-after-ms': String(seconds * 1000) };
}

/** The seconds of a `retry-after` header; null for a date or an invalid value. */
export function readWait(retryAfter: string | undefined): number | null {
  const seconds = retryAfter === undefined ? Number.NaN : Number(retryAfter);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}
