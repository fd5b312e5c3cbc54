/** The wording of vendors' errors: what a message is about, and which parts a caller may read. */

/** Messages of vendors without a code for an input that exceeds the context window. */
const tooLong =
  /prompt is too long|exceeds? (the )?(model'?s )?(context|maximum (number of tokens|context))|context (window|length)|input token count|too many (input |prompt )?tokens|input is too long for (the )?requested model|number of input tokens exceeds/i;

export const isTooLong = (message: string): boolean => tooLong.test(message);

/** Messages about the gateway's own key, credit or account; some come with status 400. The caller is not told of them. */
const aboutGateway = new RegExp(
  [
    'credit balance|purchase credits|insufficient balance|billing[ _](hard|error|details|account|not)|(enable|your) billing',
    'failed_precondition|user location is not supported',
    'api[ _-]?key (is )?(not valid|invalid|expired|not found)|(organization|workspace|account) has been (disabled|suspended)',
    'reached your specified (api )?usage limits',
    // The file of the gateway names the model, its address and its version; the caller does not.
    'provided model identifier is invalid|on-demand throughput isn.t supported|isn.t supported on this route|does not support the ./',
    'api version not supported|operation does not work with the specified model|not allowed to use publisher model',
    'security token included|signature (we calculated|expired)|scoped to correct|model access is denied|use case details',
  ].join('|'),
  'i',
);

export const isAboutGateway = (words: string): boolean => aboutGateway.test(words);

/** Some vendors quote keys in their messages. */
const secrets = new RegExp(
  [
    '\\b(?:(?:mga?|sk|gsk|key|org|proj|xai)[-_]|AIza)[\\w*-]{6,}|\\b(?:Bearer|key) [\\w*.-]{12,}',
    // Of AWS, of Google, and tokens in three parts.
    '\\b(?:ASIA|AKIA)[A-Z0-9]{16}\\b|\\bABSK[\\w+/=]{8,}|\\bya29\\.[\\w.-]+|\\beyJ[\\w-]+\\.[\\w-]+\\.[\\w-]*',
  ].join('|'),
  'g',
);

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
