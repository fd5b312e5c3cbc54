/** Builds the router at `/trpc` from the contract: each procedure sends an inner request to its route. Only this file runs @trpc/server. */

import type { IncomingMessage } from 'node:http';
import { initTRPC, type TRPCError } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import type { AppRoute } from '@ts-rest/core';
import type { ErrorCode } from '../../../contract/errors.ts';
import { contract, type RouteMetadata } from '../../../contract/index.ts';
import { GatewayError } from '../../primitives/errors.ts';
import { type CallFailure, toCallFailure, toErrorShape } from './errors.ts';
import { type RouteRequest, toRouteRequest } from './request.ts';
import { FailedCall, openEvents, readValue } from './response.ts';
import type { ErrorShape } from './router-type.ts';

/** One request at `/trpc`, with the function that sends its inner requests. */
export interface Envelope {
  readonly id: string;
  send(request: RouteRequest, signal: AbortSignal | undefined): Promise<IncomingMessage>;
  /** Called for requests rejected before any route, and for unexpected errors. */
  rejected(code: ErrorCode, error: Error): void;
}

interface RouterOptions {
  readonly endpoint: string;
  readonly maxCalls: number;
  /** Milliseconds of silence before a keep-alive is sent. Read each time. */
  readonly heartbeatMs: () => number;
}

/** Handles a request. Never rejects. */
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
      // A query that is too long for a URL is sent as a POST.
      allowMethodOverride: true,
      responseMeta: ({ data }) => ({ headers: toRetryHeaders(data.flatMap((one) => ('error' in one ? [one.error] : []))) }),
      onError: ({ error }) => {
        if (!(error.cause instanceof FailedCall)) envelope.rejected(getErrorCode(error), error);
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
    errorFormatter: ({ error, path, ctx }) => toErrorShape(getFailure(error, ctx?.id ?? null), path),
  });
  const createProcedure = (route: AppRoute) => {
    const procedure = t.procedure.input((value: unknown) => value);
    const resolveCall: Parameters<typeof procedure.mutation>[0] = async ({ input, ctx, signal }) =>
      await readValue(await ctx.send(toRouteRequest(route, input, false), signal));
    return route.method === 'GET' ? procedure.query(resolveCall) : procedure.mutation(resolveCall);
  };
  const createStreamProcedure = (route: AppRoute) =>
    t.procedure
      .input((value: unknown) => value)
      .mutation(async ({ input, ctx, signal }) => await openEvents(await ctx.send(toRouteRequest(route, input, true), signal)));
  const routes: [string, AppRoute][] = Object.entries(contract);
  // `as`: every route of the contract has metadata of this type.
  const streamRoutes = routes.filter(([, { metadata }]) => (metadata as RouteMetadata).sse !== undefined);
  return t.router({
    ...Object.fromEntries(routes.map(([name, route]) => [name, createProcedure(route)])),
    stream: t.router(Object.fromEntries(streamRoutes.map(([name, route]) => [name, createStreamProcedure(route)]))),
  });
}

function getFailure(error: TRPCError, requestId: string | null): CallFailure {
  const { cause } = error;
  if (cause instanceof FailedCall) return cause.failure;
  if (cause instanceof GatewayError) return toCallFailure(cause, requestId);
  const code = getErrorCode(error);
  return toCallFailure(new GatewayError(code, code === 'internal_error' ? {} : { message: error.message }), requestId);
}

/** tRPC's own errors, mapped to codes of the error table. */
const errorCodes: Readonly<Partial<Record<TRPCError['code'], ErrorCode>>> = {
  PARSE_ERROR: 'invalid_json',
  BAD_REQUEST: 'invalid_value',
  NOT_FOUND: 'unknown_url',
  METHOD_NOT_SUPPORTED: 'method_not_allowed',
  UNSUPPORTED_MEDIA_TYPE: 'unsupported_media_type',
};

function getErrorCode({ code, cause }: TRPCError): ErrorCode {
  if (cause instanceof FailedCall) return cause.failure.error.code;
  if (cause instanceof GatewayError) return cause.code;
  if (cause instanceof SyntaxError) return 'invalid_json';
  return errorCodes[code] ?? 'internal_error';
}

/** For proxies and clients that don't read bodies. A streamed response sends its headers before any error is known. */
function toRetryHeaders(errors: readonly unknown[]): Record<string, string> {
  // `as`: the formatter above wrote each error.
  const waitSeconds = errors.map((error) => (error as ErrorShape).data.retryAfter ?? 0);
  const seconds = Math.max(0, ...waitSeconds);
  return seconds > 0 ? { 'retry-after': String(seconds), 'retry-after-ms': `${seconds}000` } : {};
}
