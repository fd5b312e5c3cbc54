/** The router at `/trpc`, built from the contract: each procedure sends an inner request to its route. Only this file runs @trpc/server. */
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { initTRPC, type TRPCError } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import type { AppRoute } from '@ts-rest/core';
import { type ErrorCode, errorTable } from '../../contract/errors.ts';
import { contract, type RouteMetadata } from '../../contract/index.ts';
import { ErrorBody } from '../../contract/shared/error-bodies.ts';
import { eachFrame, FrameJoiner, frameObject } from '../dialects/wire/frames.ts';
import { GatewayError } from '../errors.ts';
import { type Failure, failureOf, secondsOf, shapeOf } from './errors.ts';
import type { ErrorShape } from './router-type.ts';

/** One request at `/trpc`, with the function that sends its inner requests. */
export interface Envelope {
  readonly id: string;
  send(asked: RouteRequest, signal: AbortSignal | undefined): Promise<IncomingMessage>;
  /** Called for requests that were rejected before any route, and for unexpected errors. */
  rejected(code: ErrorCode, error: Error): void;
}

export interface RouterOptions {
  readonly endpoint: string;
  readonly maxCalls: number;
  /** Silence in milliseconds after which a keep-alive is sent; read each time. */
  readonly heartbeatMs: () => number;
}

/** Answers a request; never rejects. */
export type HandleRequest = (request: Request, envelope: Envelope) => Promise<Response>;

export function openRouter({ endpoint, maxCalls, heartbeatMs }: RouterOptions): HandleRequest {
  const router = buildRouter(heartbeatMs);
  return (req, envelope) =>
    fetchRequestHandler({
      req,
      router,
      endpoint,
      createContext: () => envelope,
      maxBatchSize: maxCalls,
      // A query that is too long for a URL comes as a POST.
      allowMethodOverride: true,
      responseMeta: ({ data }) => ({ headers: waitOf(data.flatMap((one) => ('error' in one ? [one.error] : []))) }),
      onError: ({ error }) => {
        if (!(error.cause instanceof FailedCall)) envelope.rejected(codeOf(error), error);
      },
    });
}

function buildRouter(heartbeatMs: () => number) {
  const t = initTRPC.context<Envelope>().create({
    isServer: true,
    jsonl: {
      get pingMs() {
        return heartbeatMs();
      },
    },
    errorFormatter: ({ error, path, ctx }) => shapeOf(failureIn(error, ctx?.id ?? null), path),
  });
  const procedureOf = (route: AppRoute) => {
    const asked = t.procedure.input((value: unknown) => value);
    const answer: Parameters<typeof asked.mutation>[0] = async ({ input, ctx, signal }) =>
      await readValue(await ctx.send(requestOf(route, input, false), signal));
    return route.method === 'GET' ? asked.query(answer) : asked.mutation(answer);
  };
  const streamOf = (route: AppRoute) =>
    t.procedure
      .input((value: unknown) => value)
      .mutation(async ({ input, ctx, signal }) => await beginEvents(await ctx.send(requestOf(route, input, true), signal)));
  const routes: [string, AppRoute][] = Object.entries(contract);
  // `as`: every route of the contract has metadata of this type.
  const streaming = routes.filter(([, { metadata }]) => (metadata as RouteMetadata).sse !== undefined);
  return t.router({
    ...Object.fromEntries(routes.map(([name, route]) => [name, procedureOf(route)])),
    stream: t.router(Object.fromEntries(streaming.map(([name, route]) => [name, streamOf(route)]))),
  });
}

function failureIn(error: TRPCError, requestId: string | null): Failure {
  const { cause } = error;
  if (cause instanceof FailedCall) return cause.failure;
  if (cause instanceof GatewayError) return failureOf(cause, requestId);
  const code = codeOf(error);
  return failureOf(new GatewayError(code, code === 'internal_error' ? {} : { message: error.message }), requestId);
}

/** Errors of tRPC itself, as codes of the table. */
const codes: Readonly<Partial<Record<TRPCError['code'], ErrorCode>>> = {
  PARSE_ERROR: 'invalid_json',
  BAD_REQUEST: 'invalid_value',
  NOT_FOUND: 'unknown_url',
  METHOD_NOT_SUPPORTED: 'method_not_allowed',
  UNSUPPORTED_MEDIA_TYPE: 'unsupported_media_type',
};

function codeOf({ code, cause }: TRPCError): ErrorCode {
  if (cause instanceof FailedCall) return cause.failure.error.code;
  if (cause instanceof GatewayError) return cause.code;
  if (cause instanceof SyntaxError) return 'invalid_json';
  return codes[code] ?? 'internal_error';
}

/** For proxies and clients that do not read bodies; a streamed answer sends its headers before any error is known. */
function waitOf(errors: readonly unknown[]): Record<string, string> {
  // `as`: the formatter above wrote each of them.
  const waits = errors.map((error) => (error as ErrorShape).data.retryAfter ?? 0);
  const seconds = Math.max(0, ...waits);
  return seconds > 0 ? { 'retry-after': String(seconds), 'retry-after-ms': `${seconds}000` } : {};
}

/** Thrown for a failed call: by its status, or in the middle of its stream. */
export class FailedCall extends Error {
  override readonly name = 'FailedCall';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.error.message);
    this.failure = failure;
  }
}

const requestIdOf = ({ headers }: IncomingMessage): string | null => String(headers['x-request-id'] ?? '') || null;

/** The JSON of a successful answer. */
export async function readValue(answer: IncomingMessage): Promise<unknown> {
  const body: unknown = JSON.parse(await text(answer));
  if (answer.statusCode === 200) return body;
  throw failed(answer, body);
}

/** Resolves when the stream has begun; rejects when the call failed with a status. */
export async function beginEvents(answer: IncomingMessage): Promise<AsyncIterable<unknown>> {
  if (answer.statusCode === 200) return readEvents(answer);
  throw failed(answer, JSON.parse(await text(answer)));
}

function failed(answer: IncomingMessage, body: unknown): FailedCall {
  const requestId = requestIdOf(answer);
  const { data } = ErrorBody.safeParse(body);
  if (!data) return new FailedCall(failureOf(new GatewayError('internal_error'), requestId));
  const retryAfter = secondsOf(answer.headers['retry-after']);
  return new FailedCall({ status: answer.statusCode ?? 500, error: data.error, requestId, retryAfter });
}

/** Every buffer needs a bound; no event of the gateway is larger than what it accepts from an upstream. */
const MAX_BYTES = 256 * 1_048_576;

async function* readEvents(answer: IncomingMessage): AsyncGenerator<unknown, void> {
  const joiner = new FrameJoiner(MAX_BYTES);
  let late: FailedCall | null = null;
  try {
    // `as`: a message without an encoding yields bytes. Leaving the loop destroys the message, like a caller of `/v1` who disconnects.
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      for (const event of eventsIn(joiner.push(chunk))) {
        if (isFailure(event)) late = failedLate(answer, event);
        else yield event;
      }
    }
  } catch (cause) {
    throw cutOff(answer, cause);
  }
  // Thrown after the end: leaving the loop at the failure would count as a disconnect.
  if (late) throw late;
}

function eventsIn(block: Buffer | null): Readonly<Record<string, unknown>>[] {
  const events: Readonly<Record<string, unknown>>[] = [];
  if (block)
    eachFrame(block, (frame) => {
      const event = frameObject(frame);
      if (event) events.push(event);
    });
  return events;
}

/** A stream of chat reports a failure with the error body, which is not an event; streams of responses and images have events for it. */
const isFailure = ({ type, error }: Readonly<Record<string, unknown>>): boolean => type === undefined && error !== undefined;

/** A failure after status 200 has the status of its code. */
function failedLate(answer: IncomingMessage, body: unknown): FailedCall {
  const { error } = ErrorBody.parse(body);
  return new FailedCall({ status: errorTable[error.code].status, error, requestId: requestIdOf(answer), retryAfter: null });
}

function cutOff(answer: IncomingMessage, cause: unknown): FailedCall {
  const error = new GatewayError('upstream_error', { message: 'The stream ended before it was complete.', cause });
  return new FailedCall(failureOf(error, requestIdOf(answer)));
}

export interface RouteRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** `isStream`: of the procedure under `stream`. */
export function requestOf(route: AppRoute, input: unknown, isStream: boolean): RouteRequest {
  const { method } = route;
  if (method === 'POST') return { method, path: route.path, body: JSON.stringify(chooseStream(input ?? {}, isStream)) };
  const rest = new Map(Object.entries(isFields(input) ? input : {}));
  const path = route.path.replace(/:(\w+)/g, (_whole, name: string) => takePart(rest, name));
  const query = queryOf(rest);
  return { method, path: query === '' ? path : `${path}?${query}`, body: undefined };
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

function takePart(rest: Map<string, unknown>, name: string): string {
  const value = rest.get(name);
  rest.delete(name);
  if (typeof value !== 'string' || value === '')
    throw new GatewayError('missing_required_parameter', { param: name, message: `'${name}' is required and must be a non-empty string.` });
  return encodeURIComponent(value);
}

/** In a URL every value is text; the route parses numbers and booleans again. */
function queryOf(fields: ReadonlyMap<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of fields) {
    if (value === undefined || value === null) continue;
    query.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return query.toString();
}

/** A field of the input must not change the kind of answer that the procedure's type declares. */
function chooseStream(input: unknown, isStream: boolean): unknown {
  if (!isFields(input)) return input;
  const { stream } = input;
  if (isStream && stream === false)
    throw new GatewayError('invalid_value', {
      param: 'stream',
      message: "Procedures under 'stream' return a stream. For a single response, call the procedure of the same name without 'stream'.",
    });
  if (isStream) return { ...input, stream: true };
  if (stream === true)
    throw new GatewayError('invalid_value', {
      param: 'stream',
      message: "To get a stream, call the procedure of the same name under 'stream'.",
    });
  return input;
}
