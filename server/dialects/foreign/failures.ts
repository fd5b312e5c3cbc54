/** What the error readers of foreign vendors share: waiting times, and messages that are fit for a caller (specification part 7). */
import { type ErrorDetails, GatewayError } from '../../errors.ts';

/** What a vendor said, in the terms of no vendor. */
export interface VendorFailure {
  /** HTTP status, or the one that the vendor gives the same failure outside of a stream. */
  readonly status: number;
  /** The vendor's word for it; for the log. */
  readonly type: string | null;
  readonly message: string;
  /** Seconds to wait, where the vendor said so. */
  readonly waitSeconds: number | null;
}

/** A shortage of room for the input, in the words of these vendors. */
const tooLong = /prompt is too long|exceeds? (the )?(context|maximum number of tokens)|context (window|length)|input token count/i;
/** Complaints about the gateway's own key, money or standing come as 400, too; they are not the caller's business. */
const aboutUs = new RegExp(
  [
    'credit balance|purchase credits|billing|failed_precondition|user location is not supported',
    'api[ _-]?key (is )?(not valid|invalid|expired|not found)|(organization|workspace|account) has been (disabled|suspended)',
    'reached your specified (api )?usage limits',
  ].join('|'),
  'i',
);
/** Vendors quote keys in some of their messages. */
const secrets = /\b(sk|key|org|proj|Bearer|AIza)[-_ ]?[A-Za-z0-9_*-]{12,}/g;

export function waitHeaders(waitSeconds: number | null): Record<string, string> {
  const seconds = waitSeconds !== null && waitSeconds > 0 ? Math.min(Math.ceil(waitSeconds), 3600) : 1;
  return { 'retry-after': String(seconds), 'retry-after-ms': String(seconds * 1000) };
}

/** The header's seconds; null for a date or nonsense. */
export function readWait(retryAfter: string | undefined): number | null {
  const seconds = retryAfter === undefined ? Number.NaN : Number(retryAfter);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}

/** The answer to a caller. The vendor's words are kept for the caller's own mistakes alone. */
export function asError(failure: VendorFailure): GatewayError {
  const { status, type } = failure;
  const cause = new Error(`upstream error ${status}, type ${type?.slice(0, 64) ?? 'none'}`);
  const make = byStatus.get(status);
  if (make !== undefined) return make(failure, cause);
  return new GatewayError(status === 408 || status === 504 ? 'upstream_timeout' : 'upstream_error', { cause });
}

type Make = (failure: VendorFailure, cause: Error) => GatewayError;

const mistake: Make = ({ message, type }, cause) => {
  if (aboutUs.test(message) || aboutUs.test(type ?? '')) return new GatewayError('upstream_error', { cause });
  if (tooLong.test(message)) return new GatewayError('context_length_exceeded', { cause });
  const words = message.replace(secrets, '…').slice(0, 500);
  const details: ErrorDetails = { cause, message: `The upstream of this model refused the request${words === '' ? '.' : `: ${words}`}` };
  return new GatewayError('invalid_value', details);
};
const busy: Make = ({ waitSeconds }, cause) =>
  new GatewayError('rate_limit_exceeded', {
    message: 'The upstream of this model takes no more requests at the moment.',
    headers: waitHeaders(waitSeconds),
    cause,
  });
const overloaded: Make = ({ waitSeconds }, cause) => new GatewayError('overloaded', { headers: waitHeaders(waitSeconds), cause });
const tooLarge: Make = (_failure, cause) =>
  new GatewayError('request_too_large', { message: 'The upstream takes no body of this size.', cause });

const byStatus = new Map<number, Make>([
  [400, mistake],
  [422, mistake],
  [413, tooLarge],
  [429, busy],
  [503, overloaded],
  [529, overloaded],
]);
