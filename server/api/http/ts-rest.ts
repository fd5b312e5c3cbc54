/** Registers the routes of a contract with Fastify. Only this file imports @ts-rest/fastify, so handlers depend on the contract and not on the library. */

import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import type { AppRoute, ServerInferRequest, ServerInferResponseBody, ServerInferResponses } from '@ts-rest/core';
import { type AppRouteImplementation, type AppRouteImplementationOrOptions, initServer, type RouterImplementation } from '@ts-rest/fastify';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Contract, contract, type RouteMetadata } from '../../../contract/index.ts';
import type { Exact } from '../../../contract/shared/exact.ts';
import type { ForwardedResponse, JsonText } from '../../call/forwarded-response.ts';
import { type AnyCode, GatewayError } from '../../primitives/errors.ts';
import { forEachFrame, parseFrame } from '../../protocols/wire/frames.ts';
import { explainIssues } from './explain-issues.ts';

type RouteName<C> = Extract<keyof C, string>;
/** A contract without nested routers. */
type Routes<C> = { readonly [Name in keyof C]: AppRoute };

/** A route's response as ts-rest types it: a status of the contract and its body. */
type RouteResponse<R extends AppRoute> = ServerInferResponses<R>;
type Body<R extends AppRoute> = ServerInferResponseBody<R, 200 & keyof R['responses']>;

/** The ways a handler can respond: with a value of the contract's type, or with bytes of a branded type. */
interface Responder<R extends AppRoute> {
  /** Responds with a value that has exactly the contract's fields. */
  ok(value: Exact<Body<R>>): RouteResponse<R>;
  /** Responds with a serialized value. */
  okJson(reply: FastifyReply, json: JsonText<Body<R>>): RouteResponse<R>;
  /** Responds with a table, written line by line. */
  csv(reply: FastifyReply, lines: AsyncIterable<string> | Iterable<string>): RouteResponse<R>;
  /** Responds with unchanged bytes of an upstream or of a stored response. */
  pass(reply: FastifyReply, answer: ForwardedResponse): RouteResponse<R>;
}

/** A handler's argument: the request as ts-rest parsed and typed it, and the ways to respond. */
type RouteContext<R extends AppRoute> = ServerInferRequest<R, FastifyRequest['headers']> & {
  request: FastifyRequest;
  reply: FastifyReply;
} & Responder<R>;
type Handler<R extends AppRoute> = (context: RouteContext<R>) => Promise<RouteResponse<R>>;

/** Handlers for some routes of a contract. */
export type ContractHandlers<C extends Routes<C>, N extends RouteName<C> = RouteName<C>> = { readonly [K in N]: Handler<C[K]> };
export type Handlers<N extends RouteName<Contract>> = ContractHandlers<Contract, N>;

export interface AdapterOptions {
  /** Whether to validate every response and event against the contract. For tests and development. */
  readonly checkAnswers: boolean;
  /** Whether operations without a query reject query fields. The callers' operations accept them, because SDKs add their own fields. */
  readonly rejectsQueries?: boolean;
  /** Runs before the contract validates a request. */
  readonly beforeCheck?: (request: FastifyRequest) => void;
  /** Can add details to a validation error. */
  readonly explain?: (refusal: GatewayError, request: FastifyRequest) => GatewayError;
}

type Register<C extends Routes<C>> = <N extends RouteName<C>>(
  app: FastifyInstance,
  handlers: ContractHandlers<C, N>,
  options: AdapterOptions,
) => Promise<void>;

/** Registers routes of the callers' contract on this scope of the app. */
export const registerRoutes: Register<Contract> = createRegistrar(contract);

/** Creates a register function for any contract without nested routers. */
export function createRegistrar<C extends Routes<C>>(routes: C): Register<C> {
  return async (app, handlers, options) => {
    const server = initServer();
    for (const name in handlers) {
      const route = routes[name];
      const implementation = bindHandler(route, handlers[name], options);
      // ts-rest's type allows an entry to be a router. Ours never are, but the compiler can't know that for a runtime name.
      const router = { route: implementation } as RouterImplementation<{ readonly route: typeof route }>;
      await app.register(server.plugin(server.router({ route }, router)), {
        logInitialization: false,
        jsonQuery: false,
        responseValidation: false,
        requestValidationErrorHandler: (error, request) => {
          const requestError = toRequestError(error, request);
          throw options.explain?.(requestError, request) ?? requestError;
        },
      });
    }
  };
}

type RequestIssues = Readonly<Record<'pathParams' | 'query' | 'body', unknown>>;

function toRequestError({ pathParams, query, body }: RequestIssues, request: FastifyRequest): GatewayError {
  if (pathParams) return explainIssues(listIssues(pathParams), request.params);
  if (query) return explainIssues(listIssues(query), request.query);
  return explainIssues(listIssues(body), request.body);
}

// `as`: ts-rest passes the validator's error on, which lists issues without their value.
const listIssues = (error: unknown) => (error as { issues?: readonly z.core.$ZodIssue[] } | null)?.issues ?? [];

/** Wraps the handler for ts-rest, whose type requires the response to be one of the route's. */
function bindHandler<R extends AppRoute>(route: R, handler: Handler<R>, options: AdapterOptions): AppRouteImplementationOrOptions<R> {
  const { checkAnswers, rejectsQueries = false, beforeCheck } = options;
  const responder = createResponder(checkAnswers ? route : null);
  // `as`: ts-rest types Fastify's reply with an older parameter order; nothing else differs.
  const implementation: AppRouteImplementation<R> = (input) => handler({ ...input, ...responder } as unknown as RouteContext<R>);
  const { query } = route;
  if (query instanceof z.ZodObject) return { handler: implementation, hooks: { preValidation: createQueryConverter(query) } };
  if (beforeCheck) return { handler: implementation, hooks: { preValidation: async (request) => beforeCheck(request) } };
  return rejectsQueries ? { handler: implementation, hooks: { preValidation: rejectQuery } } : implementation;
}

/** `validatedRoute`: the route whose contract validates the responses. Null if they aren't validated. */
function createResponder<R extends AppRoute>(validatedRoute: R | null): Responder<R> {
  // `as`: the callers below type the body. The compiler can't derive the type for a route known only at runtime.
  const toResponse = (body: unknown) => ({ status: 200, body }) as RouteResponse<R>;
  const pass: Responder<R>['pass'] = (reply, forwarded) => {
    if (forwarded.kind === 'stream') {
      startStream(reply);
      return toResponse(validatedRoute ? validateStream(forwarded.frames, validatedRoute, reply.log) : forwarded.frames);
    }
    if (validatedRoute) checkValue(validatedRoute, JSON.parse(forwarded.bytes.toString()));
    reply.header('content-type', 'application/json; charset=utf-8');
    return toResponse(toWritable(forwarded.bytes));
  };
  return {
    ok(value) {
      if (validatedRoute) checkValue(validatedRoute, value);
      return toResponse(value);
    },
    okJson: (reply, json) => pass(reply, { kind: 'whole', bytes: json }),
    pass,
    csv(reply, lines) {
      reply.header('content-type', 'text/csv; charset=utf-8');
      return toResponse(Readable.from(lines, { objectMode: false }));
    },
  };
}

const createQueryConverter = (schema: z.ZodObject) => async (request: FastifyRequest) => {
  request.query = convertQuery(schema, request.query);
};

const emptyQuerySchema = z.strictObject({});

async function rejectQuery({ query }: FastifyRequest): Promise<void> {
  const { error } = emptyQuerySchema.safeParse(query);
  if (error) throw explainIssues(error.issues, query);
}

const MAX_TEXT_BYTES = 16 * 1024;

/** Node writes headers and a string at once, but headers and a Buffer separately, which is a sixth of the cost of a small response. */
const toWritable = (bytes: Buffer): Buffer | string => (bytes.length <= MAX_TEXT_BYTES && isUtf8(bytes) ? bytes.toString() : bytes);

/** Query values are strings. Converts those that the contract types as numbers or booleans. */
function convertQuery({ shape }: z.ZodObject, query: unknown): Record<string, unknown> {
  const entries = Object.entries(query ?? {}).map(([name, value]) => {
    const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
    const isLiteral = typeof value === 'string' && (acceptsFractions(schema) ? /^-?\d+(?:\.\d+)?$/ : /^(?:true|false|-?\d+)$/).test(value);
    // A string field keeps its text, even if it looks like a number.
    return isLiteral && schema instanceof z.ZodType && !schema.safeParse(value).success ? [name, parseLiteral(value)] : [name, value];
  });
  return Object.fromEntries(entries);
}

/** Whether the schema is a number that can have a fraction. */
function acceptsFractions(schema: unknown): boolean {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return inner instanceof z.ZodNumber && !(inner instanceof z.ZodNumberFormat);
}

/** Converts any number of digits, so that a value over its bound is reported as such, not as a wrong type. */
const parseLiteral = (literal: string): boolean | number => (/^[tf]/.test(literal) ? literal === 'true' : Number(literal));

function startStream(reply: FastifyReply): void {
  reply.header('content-type', 'text/event-stream; charset=utf-8');
  reply.header('cache-control', 'no-cache, no-transform');
  // Prevents proxies such as nginx from buffering the stream.
  reply.header('x-accel-buffering', 'no');
}

function checkValue({ responses }: AppRoute, value: unknown): void {
  // `as`: each of our routes has a zod schema for 200.
  const { error } = (responses[200] as z.ZodType).safeParse(value);
  if (error) throw createContractMismatchError("The response doesn't match the API contract.", error);
}

/** Cuts the stream at an event that violates the contract, and logs it. */
function validateStream(frames: Readable, { metadata }: AppRoute, log: FastifyBaseLogger): Readable {
  // `as`: only the callers' contract has event metadata.
  const { sse: schema } = metadata as Partial<RouteMetadata>;
  if (!schema) return frames;
  async function* validateEvents(events: z.ZodType) {
    for await (const block of frames as AsyncIterable<Buffer>) {
      try {
        forEachFrame(block, (frame) => checkEvent(events, frame));
      } catch (err) {
        log.error({ err }, "stream event doesn't match the contract");
        throw err;
      }
      yield block;
    }
  }
  // A generator that never started doesn't run its cleanup, so destroy the frames here.
  return Readable.from(validateEvents(schema), { objectMode: false }).once('close', () => frames.destroy());
}

function checkEvent(schema: z.ZodType, frame: Buffer): void {
  const event = parseFrame(frame);
  if (event === null) return;
  // The error event of a chat stream is the contract's error body, not a chunk.
  if (typeof event.error === 'object' && event.error !== null && event.type === undefined) return;
  const { error } = schema.safeParse(event);
  if (error) throw createContractMismatchError(`The event doesn't match the API contract: ${z.prettifyError(error)}`, error);
}

const createContractMismatchError = (message: string, cause: z.ZodError) => new GatewayError<AnyCode>('internal_error', { message, cause });
