/** What the error readers of foreign vendors share: from a status and a message to an error of the contract. */
import { type CallCode, type ErrorDetails, GatewayError, VendorError } from '../../errors.ts';
import { isAboutGateway, isTooLong, waitHeaders, withoutSecrets } from '../vendor-words.ts';

/** A vendor's error in a form without vendor terms. */
export interface VendorFailure {
  /** HTTP status, or the one that the vendor gives the same failure outside of a stream. */
  readonly status: number;
  /** The vendor's word for it; for the log. */
  readonly type: string | null;
  readonly message: string;
  /** Seconds to wait, where the vendor said so. */
  readonly waitSeconds: number | null;
}

/** The answer to a caller. The vendor's words are kept for the caller's own mistakes alone. */
export function asError(failure: VendorFailure): GatewayError {
  const { status, type, message } = failure;
  const words = { code: type, message: message === '' ? null : withoutSecrets(message) };
  const cause = new VendorError(`upstream error ${status}, type ${type?.slice(0, 64) ?? 'none'}`, words);
  const make = byStatus.get(status);
  if (make !== undefined) return make(failure, cause);
  return new GatewayError<CallCode>(status === 408 || status === 504 ? 'upstream_timeout' : 'upstream_error', { cause });
}

/** These vendors name the field at fault in their sentence alone: `max_tokens: 9000 > 8192`, `Invalid value at 'contents[0].parts'`. */
const place = /^\W*(?:GenerateContentRequest\.)?([a-z][\w.[\]]*): |\bat '([a-z][\w.[\]]*)'/;

function namedField(message: string): string | undefined {
  const [, leading, quoted] = place.exec(message) ?? [];
  return leading ?? quoted;
}

type Make = (failure: VendorFailure, cause: Error) => GatewayError;

/** `param` is the vendor's name of the field here; the translation replaces it by the caller's. */
const mistake: Make = ({ message, type }, cause) => {
  if (isAboutGateway(message) || isAboutGateway(type ?? '')) return new GatewayError<CallCode>('upstream_error', { cause });
  if (isTooLong(message)) return new GatewayError<CallCode>('context_length_exceeded', { cause });
  const words = withoutSecrets(message).slice(0, 500);
  const text = `The upstream of this model refused the request${words === '' ? '.' : `: ${words}`}`;
  const param = namedField(message);
  const details: ErrorDetails = { cause, message: text, ...(param !== undefined && { param }) };
  return new GatewayError<CallCode>('invalid_value', details);
};
const busy: Make = ({ waitSeconds }, cause) =>
  new GatewayError<CallCode>('rate_limit_exceeded', {
    message: 'The upstream of this model takes no more requests at the moment.',
    headers: waitHeaders(waitSeconds),
    cause,
  });
const overloaded: Make = ({ waitSeconds }, cause) => new GatewayError<CallCode>('overloaded', { headers: waitHeaders(waitSeconds), cause });
const tooLarge: Make = (_failure, cause) =>
  new GatewayError<CallCode>('request_too_large', { message: 'The upstream takes no body of this size.', cause });

const byStatus = new Map<number, Make>([
  [400, mistake],
  [422, mistake],
  [413, tooLarge],
  [429, busy],
  [503, overloaded],
  [529, overloaded],
]);
