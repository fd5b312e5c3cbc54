/** Routes of a contract → Fastify routes. The only importer of @ts-rest/fastify: handlers know their contract, not the library. */
import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import type { AppRoute, AppRouter } from '@ts-rest/core';
import { initServer } from '@ts-rest/fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Contract, contract, type RouteMetadata } from '../contract/index.ts';
import { eachFrame, frameObject } from './dialects/frames.ts';
import { GatewayError } from './errors.ts';
import { explainIssues } from './invalid-body.ts';

type Part<R, K extends string> = R extends { readonly [P in K]: infer S extends z.ZodType } ? z.infer<S> : undefined;
type Success<R> = R extends { readonly responses: { readonly 200: infer S extends z.ZodType } } ? z.infer<S> : never;
type NameOf<C> = Extract<keyof C, string>;

/** What a handler of this route is given. */
export interface RouteContext<R> {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Approved by the schema of the route. */
  readonly body: Part<R, 'body'>;
  readonly params: Part<R, 'pathParams'>;
  readonly query: Part<R, 'query'>;
  /** An answer made here: its type is checked to the last field. */
  ok(value: Success<R>): Result;
}
export type Context<N extends NameOf<Contract>> = RouteContext<Contract[N]>;

/** An answer: a value of ours, or an upstream's bytes or frames on their way through. */
export type Result =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  | { readonly kind: 'stream'; readonly frames: Readable };

/** Handlers of some routes of a contract. */
export type HandlersOf<C, N extends NameOf<C> = NameOf<C>> = { readonly [K in N]: (context: RouteContext<C[K]>) => Promise<Result> };
export type Handlers<N extends NameOf<Contract>> = HandlersOf<Contract, N>;

export interface AdapterOptions {
  /** Check every answer and every event against the contract; for tests and development. */
  readonly checkAnswers: boolean;
  /** Operations without a query refuse every field of one. SDKs send the callers' operations some of their own. */
  readonly refusesQueries?: boolean;
}

type Register<C> = <N extends NameOf<C>>(app: FastifyInstance, handlers: HandlersOf<C, N>, options: AdapterOptions) => Promise<void>;

/** Registers the given routes of the callers' contract on this scope of the app. */
export const registerRoutes: Register<Contract> = registrarOf(contract);

/** The same for any contract of one level. */
export function registrarOf<C extends AppRouter>(routes: C): Register<C> {
  return async (app, handlers, options) => {
    const server = initServer();
    // The handlers say which routes are meant; their type has no others.
    const names = Object.keys(handlers) as (keyof typeof handlers)[];
    const part = Object.fromEntries(names.map((name) => [name, routes[name]]));
    // A contract of one level has routes and no routers; which handler belongs to which route, `HandlersOf` has checked.
    const bound = names.map((name) => [name, bind(routes[name] as AppRoute, handlers[name] as Handle, options)]);
    // ts-rest types a router by its literal keys; a part chosen at run time has none.
    const router = server.router(part as never, Object.fromEntries(bound) as never);
    await app.register(server.plugin(router), {
      logInitialization: false,
      jsonQuery: false,
      responseValidation: false,
      requestValidationErrorHandler: (error, request) => {
        throw invalidRequest(error, request);
      },
    });
  };
}

type Invalid = Readonly<Record<'pathParams' | 'query' | 'body', unknown>>;

function invalidRequest({ pathParams, query, body }: Invalid, request: FastifyRequest): GatewayError {
  if (pathParams) return explainIssues(issuesOf(pathParams), request.params);
  if (query) return explainIssues(issuesOf(query), request.query);
  return explainIssues(issuesOf(body), request.body);
}

// What ts-rest collects is the validator's own error: a list of issues, and the value they are about is not in it.
const issuesOf = (error: unknown) => (error as { issues?: readonly z.core.$ZodIssue[] } | null)?.issues ?? [];

interface Arguments {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly body: unknown;
  readonly params: unknown;
  readonly query: unknown;
}

/** A handler whose route is known at run time only. */
type Handle = (context: RouteContext<unknown>) => Promise<Result>;

function bind(route: AppRoute, handler: Handle, { checkAnswers, refusesQueries = false }: AdapterOptions) {
  // Every route of ours has a zod schema for 200; only the callers' contract has metadata of events.
  const schema = route.responses[200] as z.ZodType;
  const metadata = route.metadata as Partial<RouteMetadata>;
  const handle = async ({ request, reply, ...parsed }: Arguments) => {
    // ts-rest has parsed each part by the schema that the handler's own type is inferred from.
    const { body, params, query } = parsed as Pick<RouteContext<unknown>, 'body' | 'params' | 'query'>;
    const context = { request, reply, body, params, query, ok: (value: unknown): Result => ({ kind: 'value', value }) };
    const result = await handler(context);
    if (result.kind === 'stream') {
      startStream(reply);
      return { status: 200, body: checkAnswers && metadata.sse ? checkedStream(result.frames, metadata.sse) : result.frames };
    }
    if (checkAnswers) checkAnswer(schema, result);
    if (result.kind === 'value') return { status: 200, body: result.value };
    reply.header('content-type', 'application/json; charset=utf-8');
    return { status: 200, body: inOnePiece(result.bytes) };
  };
  const { query } = route;
  if (query instanceof z.ZodObject) return { handler: handle, hooks: { preValidation: typeQueryOf(query) } };
  return refusesQueries ? { handler: handle, hooks: { preValidation: refuseQuery } } : handle;
}

const typeQueryOf = (schema: z.ZodObject) => async (request: FastifyRequest) => {
  request.query = typeQuery(schema, request.query);
};

const noQuery = z.strictObject({});

async function refuseQuery({ query }: FastifyRequest): Promise<void> {
  const { error } = noQuery.safeParse(query);
  if (error) throw explainIssues(error.issues, query);
}

const SMALL_BYTES = 16 * 1024;

/** Node writes headers and a text in one piece, but headers and bytes in two; for a small answer that is a sixth of its cost. */
const inOnePiece = (bytes: Buffer): Buffer | string => (bytes.length <= SMALL_BYTES && isUtf8(bytes) ? bytes.toString() : bytes);

/** In an address everything is text; what the contract knows as a number or a truth value becomes one. */
function typeQuery({ shape }: z.ZodObject, query: unknown): Record<string, unknown> {
  const entries = Object.entries(query ?? {}).map(([name, value]) => {
    const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
    const isWord = typeof value === 'string' && /^(?:true|false|-?\d{1,15})$/.test(value);
    // A field that takes text keeps its text, also where that looks like a number.
    return isWord && schema instanceof z.ZodType && !schema.safeParse(value).success ? [name, JSON.parse(value)] : [name, value];
  });
  return Object.fromEntries(entries);
}

function startStream(reply: FastifyReply): void {
  reply.header('content-type', 'text/event-stream; charset=utf-8');
  reply.header('cache-control', 'no-cache, no-transform');
  // Some proxies gather an answer before they pass it on, unless they are told not to.
  reply.header('x-accel-buffering', 'no');
}

function checkAnswer(schema: z.ZodType, result: Exclude<Result, { kind: 'stream' }>): void {
  const value: unknown = result.kind === 'value' ? result.value : JSON.parse(result.bytes.toString());
  const { error } = schema.safeParse(value);
  if (error) throw new GatewayError('internal_error', { message: 'The answer does not keep the contract.', cause: error });
}

function checkedStream(frames: Readable, schema: z.ZodType): Readable {
  async function* checked() {
    for await (const block of frames as AsyncIterable<Buffer>) {
      eachFrame(block, (frame) => checkEvent(schema, frame));
      yield block;
    }
  }
  // A reader that never began has nothing to end: the frames are told by themselves.
  return Readable.from(checked(), { objectMode: false }).once('close', () => frames.destroy());
}

function checkEvent(schema: z.ZodType, frame: Buffer): void {
  const event = frameObject(frame);
  if (event === null) return;
  // The error frame of a chat stream is the contract's error body, not a chunk.
  if (typeof event.error === 'object' && event.error !== null && event.type === undefined) return;
  const { error } = schema.safeParse(event);
  if (error) throw new GatewayError('internal_error', { message: `The event does not keep the contract: ${error.message}`, cause: error });
}
