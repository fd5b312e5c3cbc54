/** How vendors of every kind word their errors: what a message is about, and what of it a caller may read. */

/** A shortage of room for the input: those who have no code for it say it in a sentence. */
const tooLong =
  /prompt is too long|exceeds? (the )?(model'?s )?(context|maximum (number of tokens|context))|context (window|length)|input token count|too many (input )?tokens/i;

export const isTooLong = (message: string): boolean => tooLong.test(message);

/** Complaints about the gateway's own key, money or standing come as 400, too; they are not the caller's business. */
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

/** Vendors quote keys in some of their messages. */
const secrets = /\b(?:(?:sk|gsk|key|org|proj|xai)[-_]|AIza)[\w*-]{6,}|\b(?:Bearer|key) [\w*.-]{12,}/g;

export const withoutSecrets = (message: string): string => message.replace(secrets, '…');

/** Whole seconds, at least one: the form that every client reads; and the same in milliseconds for those that look there first. */
export function waitHeaders(waitSeconds: number | null): Record<string, string> {
  const seconds = waitSeconds !== null && waitSeconds > 0 ? Math.min(Math.ceil(waitSeconds), 3600) : 1;
  return { 'retry-after': String(seconds), 'retry-after-ms': String(seconds * 1000) };
}

/** The seconds of a `retry-after` header; null for a date or nonsense. */
export function readWait(retryAfter: string | undefined): number | null {
  const seconds = retryAfter === undefined ? Number.NaN : Number(retryAfter);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}
