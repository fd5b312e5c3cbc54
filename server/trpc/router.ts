/** The router at `/trpc`, built from the contract: each procedure sends an inner request to its route. Only this file runs @trpc/server. */
import type { IncomingMessage } from 'node:http';
import { initTRPC, type TRPCError } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import type { AppRoute } from '@ts-rest/core';
import type { ErrorCode } from '../../contract/errors.ts';
import { contract, type RouteMetadata } from '../../contract/index.ts';
import { GatewayError } from '../errors.ts';
import { type Failure, failureOf, shapeOf } from './errors.ts';
import { beginEvents, FailedCall, readValue } from './inner-answer.ts';
import { type RouteRequest, requestOf } from './input.ts';
import type { ErrorShape } from './router-type.ts';

/** One request at `/trpc`, with the function that sends its inner requests. */
export interface Envelope {
  readonly id: string;
  send(asked: RouteRequest, signal: AbortSignal | undefined): Promise<IncomingMessage>;
  /** Called for requests that were refused before any route, and for unexpected errors. */
  refused(code: ErrorCode, error: Error): void;
}

export interface RouterOptions {
  readonly endpoint: string;
  readonly mostCalls: number;
  /** Silence in milliseconds after which a keep-alive is sent; read each time. */
  readonly heartbeatMs: () => number;
}

/** Answers a request; never rejects. */
export type HandleRequest = (request: Request, envelope: Envelope) => Promise<Response>;

export function openRouter({ endpoint, mostCalls, heartbeatMs }: RouterOptions): HandleRequest {
  const router = buildRouter(heartbeatMs);
  return (req, envelope) =>
    fetchRequestHandler({
      req,
      router,
      endpoint,
      createContext: () => envelope,
      maxBatchSize: mostCalls,
      // A query that is too long for a URL comes as a POST.
      allowMethodOverride: true,
      responseMeta: ({ data }) => ({ headers: waitOf(data.flatMap((one) => ('error' in one ? [one.error] : []))) }),
      onError: ({ error }) => {
        if (!(error.cause instanceof FailedCall)) envelope.refused(codeOf(error), error);
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
