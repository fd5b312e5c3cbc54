/** Maps an upstream's error to an error of the contract, with our codes. The upstream's body is never forwarded. */
import { type ErrorCode, errorTable } from '../../contract/errors.ts';
import { type CallCode, type ErrorDetails, GatewayError, ProviderError, tryAgainIn } from '../errors.ts';
import { type Fields, isFields } from '../primitives/fields.ts';
import type { TurnStreamWriter } from './turn/turn.ts';
import type { Usage } from './usage.ts';
import type { WrittenStream } from './visible-output.ts';
import type { JsonBody } from './wire/json-body.ts';

const text = (value: unknown, limit: number): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, limit) : undefined;

/** Codes for an upstream without capacity; the caller may try again. */
const busy = new Set(['server_is_overloaded', 'overloaded', 'overloaded_error', 'slow_down', 'engine_overloaded']);
/** Codes about the gateway's own key or credit, which the caller isn't told. */
const ours = new Set([
  'insufficient_quota',
  'credit_balance_exhausted',
  'invalid_api_key',
  'account_deactivated',
  'billing_not_active',
  'usage_not_included',
]);

/** Codes about the upstream's own name of the model, which the operator chose: some providers send them with status 400. */
const aboutModel = new Set(['model_not_found', 'invalid_model', 'unknown_model', 'model_not_supported', 'model_not_available']);
/** Codes and types of providers for an input that exceeds the context window. */
const tooLongCodes = new Set(['too_many_prompt_tokens', 'context_length_exceeded', 'prompt_too_long', 'context_window_exceeded']);

const isMistake = (code: string | undefined): code is ErrorCode =>
  code !== undefined && Object.hasOwn(errorTable, code) && errorTable[code as ErrorCode].status === 400;

/** Details for operators: codes and classes, and the message without keys. */
function report(status: string, { code: word, type: given, message }: Fields, type: unknown = given): ProviderError {
  const [code, kind, words] = [text(word, 64), text(type, 64), text(message, 1000)];
  return new ProviderError(`upstream error ${status}, code ${code ?? 'none'}, type ${kind ?? 'none'}`, {
    code: code ?? kind ?? null,
    message: words === undefined ? null : withoutSecrets(words),
  });
}

/** An error object inside a response or a stream that began with status 200. Some providers put the status that it would have had into it. */
export function readFailure(error: unknown): GatewayError {
  const fields = isFields(error) ? error : {};
  const status = [fields.code, fields.status_code, fields.status].map(Number).find((one) => one >= 400 && one <= 599);
  if (status !== undefined) return readFailureStatus(status, JSON.stringify({ error: withoutStatus(fields) }), undefined);
  const code = text(fields.code, 64);
  if (isTooLongKind(fields))
    return new GatewayError<CallCode>('context_length_exceeded', mistakeDetails(fields, report('inside a 200', fields)));
  const cause = report('inside a 200', fields);
  const rejected = code === undefined ? undefined : filtered.get(code);
  if (rejected) return rejected(cause);
  if (isMistake(code)) return new GatewayError(code, mistakeDetails(fields, cause));
  if (code === 'rate_limit_exceeded') return new GatewayError<CallCode>('rate_limit_exceeded', { message: RATE_LIMITED, cause });
  if (code !== undefined && busy.has(code)) return new GatewayError<CallCode>('overloaded', { cause });
  return new GatewayError<CallCode>('upstream_error', { cause });
}

const isTooLongKind = ({ code, type }: Fields): boolean => [code, type].some((kind) => typeof kind === 'string' && tooLongCodes.has(kind));

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

/** Codes of a provider's content filter that rejected a prompt. The field that it names is none of the caller's. */
const blocked = (cause: unknown): GatewayError => new GatewayError<CallCode>('moderation_blocked', { cause });
const filtered: ReadonlyMap<string, (cause: unknown) => GatewayError> = new Map([
  [
    'content_filter',
    (cause) => new GatewayError<CallCode>('invalid_value', { message: "The upstream's content filter rejected the prompt.", cause }),
  ],
  ['contentFilter', blocked],
  ['content_policy_violation', blocked],
]);

/** Classifies a mistake by its code, or by its message for providers without codes. */
function mistake(error: Fields, cause: unknown): GatewayError {
  const code = text(error.code, 64);
  const message = text(error.message, 1000) ?? '';
  const isOurs = code !== undefined && (ours.has(code) || aboutModel.has(code));
  if (isOurs || isAboutGateway(message) || isAboutGateway(kindOf(error) ?? ''))
    return new GatewayError<CallCode>('upstream_error', { cause });
  const rejected = code === undefined ? undefined : filtered.get(code);
  if (rejected) return rejected(cause);
  if (isMistake(code)) return new GatewayError(code, mistakeDetails(error, cause));
  return new GatewayError<CallCode>(
    isTooLong(message) || isTooLongKind(error) ? 'context_length_exceeded' : 'invalid_value',
    mistakeDetails(error, cause),
  );
}

/** Reads a response with a status other than 2xx. `body` is the start of its body; `kind`: the word for the error that its headers have. */
export function readFailureStatus(told: number, body: string, retryAfter: string | undefined, kind?: string): GatewayError {
  const error = readErrorBody(body);
  const status = statusBy(kindOf(error, kind), told);
  const code = text(error.code, 64);
  const cause = report(String(told), error, kindOf(error, kind));
  if (status === 400 || status === 422) return mistake(error, cause);
  if (status === 413)
    return new GatewayError<CallCode>('request_too_large', { message: "The request is too large for this model's upstream.", cause });
  if (status === 408 || status === 504) return new GatewayError<CallCode>('upstream_timeout', { cause });
  const waitSeconds = readWait(retryAfter);
  const headers = waitHeaders(waitSeconds);
  if (status === 429 && !(code !== undefined && ours.has(code))) {
    return new GatewayError<CallCode>('rate_limit_exceeded', {
      message: rateLimitedMessage(waitSeconds),
      headers,
      cause,
    });
  }
  if (shortOfRoom.has(status)) return new GatewayError<CallCode>('overloaded', { headers, cause });
  return new GatewayError<CallCode>('upstream_error', { cause });
}

/** One provider answers 498 when its cheaper tier has no capacity. */
const shortOfRoom = new Set([498, 503, 529]);

export interface RequestOptions {
  /** The upstream's own ID of the model. */
  readonly model: string;
}

/** A complete response on its way to the caller. */
export interface WholeAnswer {
  readonly bytes: Buffer;
  readonly usage: Usage | null;
  /** The parsed value of `bytes`, set when we wrote them, so that they aren't parsed again. */
  readonly written?: Fields;
}

/** Reads the frames of one stream as they pass: takes complete frames, returns the bytes for the caller. It decodes only what it must. */
export interface StreamReader {
  /** Takes complete frames in one buffer, and returns those for the caller; it may be an empty buffer. When one holds a failure: the frames before it. */
  pass(frames: Buffer): Buffer;
  /** The failure that the upstream reported in its stream, or that made a frame unreadable; nothing is passed after it. */
  readonly failure: GatewayError | null;
  /** False while only the opening of the stream has come: a failure can still be answered by an HTTP status then. */
  readonly hasBegun: boolean;
  /** True after the upstream has marked the response as complete: nothing more is read. */
  readonly isComplete: boolean;
  /** The last bytes of a complete stream, for example `[DONE]`. */
  closing(): Buffer;
  /** The frames that end a broken stream, so that it doesn't look complete. */
  failing(error: GatewayError): Buffer;
  /** A heartbeat event, for clients that ignore comments; null if the protocol allows none at this point. */
  keepAlive?(): Buffer | null;
  readonly usage: Usage | null;
  /** Set when we write the frames ourselves; absent when they are forwarded. */
  readonly written?: WrittenStream | undefined;
}

/** The writer of a caller's stream, with what some protocols add. */
export interface CallerStreamWriter extends TurnStreamWriter {
  /** The failure with which the writer itself ended the stream; its last frames hold it already. */
  readonly failure?: GatewayError | null;
  /** As in StreamReader; an empty buffer when none is allowed. */
  keepAlive?(): Buffer;
}

/** A dialect for calls whose caller and upstream speak the same protocol. */
export interface Relay {
  writeRequest(body: JsonBody, options: RequestOptions): JsonBody;
  /** Throws GatewayError upstream_error if the bytes aren't a response in this format. */
  readWhole(bytes: Buffer, names: ModelNames, asked: Fields): WholeAnswer;
  readStream(body: JsonBody, names: ModelNames): StreamReader;
}

/** The caller's and the upstream's ID of the model. */
export interface ModelNames {
  readonly asked: string;
  readonly upstream: string;
}

/** The error of a body; empty for HTML, for no body, and for anything else that isn't an error. */
export function readErrorBody(body: string): Fields {
  try {
    return readEnvelope(JSON.parse(body));
  } catch {
    // The status decides.
    return {};
  }
}

/**
 * Reads `{error: {…}}`. Clouds send a list of one, or `{message}` with a capital letter, too; local servers send the error flat, as a
 * string, or as a list of faults with their places.
 */
export function readEnvelope(given: unknown): Fields {
  const value: unknown = Array.isArray(given) && given.length === 1 ? given[0] : given;
  if (!isFields(value) || Array.isArray(value)) return {};
  const { error, message = value.Message, detail } = value;
  if (isFields(error)) return error;
  if (typeof error === 'string') return { ...value, message: error };
  const inner = isFields(message) && !Array.isArray(message) ? message.detail : message;
  return { ...value, ...readDetail(detail ?? inner) };
}

function readDetail(detail: unknown): Fields {
  if (!Array.isArray(detail)) return { message: detail };
  const faults = detail.filter(isFields);
  const [first] = faults;
  const place = Array.isArray(first?.loc) ? first.loc.filter((part) => part !== 'body') : [];
  const param = place.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
  const told = faults.flatMap(({ msg }) => (typeof msg === 'string' ? [msg] : [])).join(' ');
  return { message: param === '' ? told : `${param.slice(1)}: ${told}`, param: param.slice(1) };
}

/** The provider's word for the error. `header`: where AWS says it, `Name:http://…`; in bodies it may follow a namespace and `#`. */
export function kindOf({ type, __type, status }: Fields, header?: string): string | null {
  const said = [header, type, __type, status].find((one): one is string => typeof one === 'string' && one !== '');
  return said?.split(':')[0]?.split('#').at(-1) ?? null;
}

/** Words of AWS that say more than the status alongside them: whose fault it is, and whether waiting helps. */
const statusOfKind = new Map([
  ...['UnrecognizedClientException', 'ExpiredTokenException', 'InvalidSignatureException', 'AccessDeniedException'].map(
    (kind) => [kind, 401] as const,
  ),
  ...['ThrottlingException', 'ServiceQuotaExceededException'].map((kind) => [kind, 429] as const),
  ...['ModelNotReadyException', 'ServiceUnavailableException'].map((kind) => [kind, 503] as const),
]);

/** The status by which the error is classified. */
export const statusBy = (kind: string | null, status: number): number => statusOfKind.get(kind ?? '') ?? status;

/** Messages of providers without a code for an input that exceeds the context window. */
const saysTooLong =
  /prompt is too long|exceeds? (the )?(model'?s )?(context|maximum (number of tokens|context))|context (window|length)|input token count|too many (input |prompt )?tokens|input is too long for (the )?requested model|number of input tokens exceeds/i;

export const isTooLong = (message: string): boolean => saysTooLong.test(message);

/** Whether a provider's error says that the model takes such a request over the other protocol of OpenAI, whose address it names. */
export function namesOtherProtocol(status: number, body: string, operation: string): boolean {
  if (status !== 400 && status !== 404) return false;
  const { message } = readErrorBody(body);
  return typeof message === 'string' && (otherAddress[operation]?.test(message) ?? false);
}

const otherAddress: Readonly<Record<string, RegExp>> = {
  createChatCompletion: /\bv1\/responses\b/,
  createResponse: /\bv1\/chat\/completions\b/,
};

/** Messages about the gateway's own key, credit or account; some come with status 400. The caller isn't told of them. */
const aboutGateway = new RegExp(
  [
    'credit balance|purchase credits|insufficient balance|billing[ _](hard|error|details|account|not)|(enable|your) billing',
    'failed_precondition|user location is not supported',
    'api[ _-]?key (is )?(not valid|invalid|expired|not found)|(organization|workspace|account) has been (disabled|suspended)',
    'reached your specified (api )?usage limits',
    // The file of the gateway names the model, its address and its version; the caller doesn't.
    'provided model identifier is invalid|on-demand throughput isn.t supported|isn.t supported on this route|does not support the ./',
    'api version not supported|operation does not work with the specified model|not allowed to use publisher model',
    'security token included|signature (we calculated|expired)|scoped to correct|model access is denied|use case details',
  ].join('|'),
  'i',
);

export const isAboutGateway = (words: string): boolean => aboutGateway.test(words);

/** Some providers quote keys in their messages. */
const secrets = new RegExp(
  [
    '\\b(?:(?:mga?|sk|gsk|key|org|proj|xai)[-_]|AIza)[\\w*-]{6,}|\\b(?:Bearer|key) [\\w*.-]{12,}',
    // Of AWS, of Google, and tokens in three parts.
    '\\b(?:ASIA|AKIA)[A-Z0-9]{16}\\b|\\bABSK[\\w+/=]{8,}|\\bya29\\.[\\w.-]+|\\beyJ[\\w-]+\\.[\\w-]+\\.[\\w-]*',
  ].join('|'),
  'g',
);

export const withoutSecrets = (message: string): string => message.replace(secrets, '…');

const RATE_LIMITED = "This model's upstream is rate limited.";

const secondsToWait = (waitSeconds: number | null): number =>
  waitSeconds !== null && waitSeconds > 0 ? Math.min(Math.ceil(waitSeconds), 3600) : 1;

/** Names the same wait as `waitHeaders`. */
export const rateLimitedMessage = (waitSeconds: number | null): string => `${RATE_LIMITED} ${tryAgainIn(secondsToWait(waitSeconds))}`;

/** `retry-after` in whole seconds, from 1 to 3600, which every client reads; `retry-after-ms` for clients that read that first. */
export function waitHeaders(waitSeconds: number | null): Record<string, string> {
  const seconds = secondsToWait(waitSeconds);
  return { 'retry-after': String(seconds), 'retry-after-ms': String(seconds * 1000) };
}

/** The seconds of a `retry-after` header; null for a date or an invalid value. */
export function readWait(retryAfter: string | undefined): number | null {
  const seconds = retryAfter === undefined ? Number.NaN : Number(retryAfter);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}

/** It has no `keepAlive`: only the reader that counts the stream's sequence numbers can make that event. */
export class PassThroughReader implements StreamReader {
  protected readonly inner: StreamReader;

  constructor(inner: StreamReader) {
    this.inner = inner;
  }

  get hasBegun(): boolean {
    return this.inner.hasBegun;
  }
  get isComplete(): boolean {
    return this.inner.isComplete;
  }
  get failure(): GatewayError | null {
    return this.inner.failure;
  }
  get usage(): Usage | null {
    return this.inner.usage;
  }
  get written(): WrittenStream | undefined {
    return this.inner.written;
  }

  pass(frames: Buffer): Buffer {
    return this.inner.pass(frames);
  }
  closing(): Buffer {
    return this.inner.closing();
  }
  failing(error: GatewayError): Buffer {
    return this.inner.failing(error);
  }
}
