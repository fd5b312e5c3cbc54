/** Maps an upstream's error to an error of the contract, with our codes. The upstream's body is never forwarded. */
import { type ErrorCode, errorTable } from '../../contract/errors.ts';
import { type Fields, isFields } from '../../contract/rule.ts';
import { type CallCode, type ErrorDetails, GatewayError, VendorError } from '../errors.ts';
import { kindOf, readErrorBody, statusBy } from './vendor-envelope.ts';
import { isAboutGateway, isTooLong, readWait, waitHeaders, withoutSecrets } from './vendor-words.ts';

const text = (value: unknown, limit: number): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, limit) : undefined;

/** Codes for an upstream without capacity; the caller may try again. */
const busy = new Set(['server_is_overloaded', 'overloaded', 'overloaded_error', 'slow_down', 'engine_overloaded']);
/** Codes about the gateway's own key or credit, which the caller is not told. */
const ours = new Set([
  'insufficient_quota',
  'credit_balance_exhausted',
  'invalid_api_key',
  'account_deactivated',
  'billing_not_active',
  'usage_not_included',
]);

/** Codes about the upstream's own name of the model, which the operator chose: some vendors send them with status 400. */
const aboutModel = new Set(['model_not_found', 'invalid_model', 'unknown_model', 'model_not_supported', 'model_not_available']);
/** Codes and types of vendors for an input that exceeds the context window. */
const tooLong = new Set(['too_many_prompt_tokens', 'context_length_exceeded', 'prompt_too_long', 'context_window_exceeded']);

const isMistake = (code: string | undefined): code is ErrorCode =>
  code !== undefined && Object.hasOwn(errorTable, code) && errorTable[code as ErrorCode].status === 400;

/** For operators: codes and classes, and the message without keys. */
function report(status: string, { code: word, type: given, message }: Fields, type: unknown = given): VendorError {
  const [code, kind, words] = [text(word, 64), text(type, 64), text(message, 1000)];
  return new VendorError(`upstream error ${status}, code ${code ?? 'none'}, type ${kind ?? 'none'}`, {
    code: code ?? kind ?? null,
    message: words === undefined ? null : withoutSecrets(words),
  });
}

/** An error object inside an answer or a stream that began with status 200. Some vendors put the status that it would have had into it. */
export function readFailure(error: unknown): GatewayError {
  const fields = isFields(error) ? error : {};
  const status = [fields.code, fields.status_code, fields.status].map(Number).find((one) => one >= 400 && one <= 599);
  if (status !== undefined) return readFailureStatus(status, JSON.stringify({ error: withoutStatus(fields) }), undefined);
  const code = text(fields.code, 64);
  if (isTooLongKind(fields))
    return new GatewayError<CallCode>('context_length_exceeded', mistakeDetails(fields, report('inside a 200', fields)));
  const cause = report('inside a 200', fields);
  const refused = code === undefined ? undefined : filtered.get(code);
  if (refused) return refused(cause);
  if (isMistake(code)) return new GatewayError(code, mistakeDetails(fields, cause));
  if (code === 'rate_limit_exceeded')
    return new GatewayError<CallCode>('rate_limit_exceeded', { message: 'The upstream of this model is busy.', cause });
  if (code !== undefined && busy.has(code)) return new GatewayError<CallCode>('overloaded', { cause });
  return new GatewayError<CallCode>('upstream_error', { cause });
}

const isTooLongKind = ({ code, type }: Fields): boolean => [code, type].some((kind) => typeof kind === 'string' && tooLong.has(kind));

/** The error with a code only if it is a word. */
function withoutStatus({ code, ...rest }: Fields): Fields {
  return Number.isNaN(Number(code)) ? { ...rest, code } : rest;
}

/** A mistake of the caller keeps the upstream's message and field: they are about the request, and only the upstream knows them. */
function mistakeDetails(error: Fields, cause: unknown): ErrorDetails {
  const message = text(error.message, 1000);
  const param = text(error.param, 256);
  return { cause, ...(message !== undefined && { message: withoutSecrets(message) }), ...(param !== undefined && { param }) };
}

/** Codes of a vendor's content filter that refused a prompt. The field that it names is none of the caller's. */
const blocked = (cause: unknown): GatewayError => new GatewayError<CallCode>('moderation_blocked', { cause });
const filtered: ReadonlyMap<string, (cause: unknown) => GatewayError> = new Map([
  [
    'content_filter',
    (cause) => new GatewayError<CallCode>('invalid_value', { message: 'The content filter of the upstream refused the prompt.', cause }),
  ],
  ['contentFilter', blocked],
  ['content_policy_violation', blocked],
]);

/** Classifies a mistake by its code, or by its message for vendors without codes. */
function mistake(error: Fields, cause: unknown): GatewayError {
  const code = text(error.code, 64);
  const message = text(error.message, 1000) ?? '';
  const isOurs = code !== undefined && (ours.has(code) || aboutModel.has(code));
  if (isOurs || isAboutGateway(message) || isAboutGateway(kindOf(error) ?? ''))
    return new GatewayError<CallCode>('upstream_error', { cause });
  const refused = code === undefined ? undefined : filtered.get(code);
  if (refused) return refused(cause);
  if (isMistake(code)) return new GatewayError(code, mistakeDetails(error, cause));
  return new GatewayError<CallCode>(
    isTooLong(message) || isTooLongKind(error) ? 'context_length_exceeded' : 'invalid_value',
    mistakeDetails(error, cause),
  );
}

/** Reads an answer with a status other than 2xx. `body` is the start of its body; `kind`: the word for the error that its headers have. */
export function readFailureStatus(told: number, body: string, retryAfter: string | undefined, kind?: string): GatewayError {
  const error = readErrorBody(body);
  const status = statusBy(kindOf(error, kind), told);
  const code = text(error.code, 64);
  const cause = report(String(told), error, kindOf(error, kind));
  if (status === 400 || status === 422) return mistake(error, cause);
  if (status === 413)
    return new GatewayError<CallCode>('request_too_large', { message: 'The upstream takes no body of this size.', cause });
  if (status === 408 || status === 504) return new GatewayError<CallCode>('upstream_timeout', { cause });
  const headers = waitHeaders(readWait(retryAfter));
  if (status === 429 && !(code !== undefined && ours.has(code))) {
    return new GatewayError<CallCode>('rate_limit_exceeded', {
      message: 'The upstream of this model takes no more requests at the moment.',
      headers,
      cause,
    });
  }
  if (shortOfRoom.has(status)) return new GatewayError<CallCode>('overloaded', { headers, cause });
  return new GatewayError<CallCode>('upstream_error', { cause });
}

/** One vendor answers 498 when its cheaper tier has no capacity. */
const shortOfRoom = new Set([498, 503, 529]);
