/** Registers the routes of a contract with Fastify. The only importer of @ts-rest/fastify: handlers know their contract, not the library. */
import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import type { AppRoute, ServerInferRequest, ServerInferResponseBody, ServerInferResponses } from '@ts-rest/core';
import { type AppRouteImplementation, type AppRouteImplementationOrOptions, initServer, type RouterImplementation } from '@ts-rest/fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Contract, contract, type RouteMetadata } from '../../contract/index.ts';
import type { Written } from '../../contract/written.ts';
import { eachFrame, frameObject } from '../dialects/wire/frames.ts';
import { type AnyCode, GatewayError } from '../errors.ts';
import { type HandedOn, handOn, type JsonOf } from '../request/answer.ts';
import { explainIssues } from './validation-errors.ts';

type NameOf<C> = Extract<keyof C, string>;
/** A contract without nested routers. */
type Routes<C> = { readonly [Name in keyof C]: AppRoute };

/** The answer of a route as ts-rest types it: a status of the contract and its body. */
type Answer<R extends AppRoute> = ServerInferResponses<R>;
type Body<R extends AppRoute> = ServerInferResponseBody<R, 200 & keyof R['responses']>;

/** The ways in which a handler answers: with a value of the contract's type, or with bytes of a marked type. */
interface Answers<R extends AppRoute> {
  /** Answers with a value, whose type has exactly the contract's fields. */
  ok(value: Written<Body<R>>): Answer<R>;
  /** Answers with such a value that is serialised already. */
  okJson(reply: FastifyReply, json: JsonOf<Body<R>>): Answer<R>;
  /** Answers with a table, written line by line. */
  csv(reply: FastifyReply, lines: AsyncIterable<string> | Iterable<string>): Answer<R>;
  /** Answers with the bytes of an upstream or of a stored answer, unchanged. */
  pass(reply: FastifyReply, answer: HandedOn): Answer<R>;
}

/** What a handler receives: the request as ts-rest has parsed and typed it, and the ways to answer. */
export type RouteContext<R extends AppRoute> = ServerInferRequest<R, FastifyRequest['headers']> & Door & Answers<R>;
interface Door {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}
type Handler<R extends AppRoute> = (context: RouteContext<R>) => Promise<Answer<R>>;

/** Handlers of some routes of a contract. */
export type HandlersOf<C extends Routes<C>, N extends NameOf<C> = NameOf<C>> = { readonly [K in N]: Handler<C[K]> };
export type Handlers<N extends NameOf<Contract>> = HandlersOf<Contract, N>;

export interface AdapterOptions {
  /** Whether every answer and every event is validated against the contract; for tests and development. */
  readonly checkAnswers: boolean;
  /** Whether operations without a query refuse query fields. The callers' operations do not: SDKs add fields of their own. */
  readonly refusesQueries?: boolean;
  /** Runs before the contract checks a request. */
  readonly beforeCheck?: (request: FastifyRequest) => void;
  /** May say more about a refusal of the contract. */
  readonly explain?: (refusal: GatewayError, request: FastifyRequest) => GatewayError;
}

type Register<C extends Routes<C>> = <N extends NameOf<C>>(
  app: FastifyInstance,
  handlers: HandlersOf<C, N>,
  options: AdapterOptions,
) => Promise<void>;

/** Registers the given routes of the callers' contract on this scope of the app. */
export const registerRoutes: Register<Contract> = registrarOf(contract);

/** Makes such a function for any contract without nested routers. */
export function registrarOf<C extends Routes<C>>(routes: C): Register<C> {
  return async (app, handlers, options) => {
    const server = initServer();
    for (const name in handlers) {
      const route = routes[name];
      const implementation = bind(route, handlers[name], options);
      // ts-rest's type allows an entry to be a router. None is, but the compiler cannot know that for a name known at run time only.
      const router = { route: implementation } as RouterImplementation<{ readonly route: typeof route }>;
      await app.register(server.plugin(server.router({ route }, router)), {
        logInitialization: false,
        jsonQuery: false,
        responseValidation: false,
        requestValidationErrorHandler: (error, request) => {
          const refusal = invalidRequest(error, request);
          throw options.explain?.(refusal, request) ?? refusal;
        },
      });
    }
  };
}

type Invalid = Readonly<Record<'pathParams' | 'query' | 'body', unknown>>;

function invalidRequest({ pathParams, query, body }: Invalid, request: FastifyRequest): GatewayError {
  if (pathParams) return explainIssues(issuesOf(pathParams), request.params);
  if (query) return explainIssues(issuesOf(query), request.query);
  return explainIssues(issuesOf(body), request.body);
}

// ts-rest passes on the validator's error: a list of issues without the value that they are about.
const issuesOf = (error: unknown) => (error as { issues?: readonly z.core.$ZodIssue[] } | null)?.issues ?? [];

/** Wraps the handler for ts-rest, whose type checks that the answer is one of the route. */
function bind<R extends AppRoute>(route: R, handler: Handler<R>, options: AdapterOptions): AppRouteImplementationOrOptions<R> {
  const { checkAnswers, refusesQueries = false, beforeCheck } = options;
  const answers = answersOf(checkAnswers ? route : null);
  // ts-rest types Fastify's reply with the type parameters in an older order; nothing else differs.
  const implementation: AppRouteImplementation<R> = (input) => handler({ ...input, ...answers } as unknown as RouteContext<R>);
  const { query } = route;
  if (query instanceof z.ZodObject) return { handler: implementation, hooks: { preValidation: typeQueryOf(query) } };
  if (beforeCheck) return { handler: implementation, hooks: { preValidation: async (request) => beforeCheck(request) } };
  return refusesQueries ? { handler: implementation, hooks: { preValidation: refuseQuery } } : implementation;
}

/** `checked`: the route whose contract validates the answers; null when they are not validated. */
function answersOf<R extends AppRoute>(checked: R | null): Answers<R> {
  // The callers below type the body. The compiler cannot derive the type for a route known at run time only.
  const answer = (body: unknown) => ({ status: 200, body }) as Answer<R>;
  const pass: Answers<R>['pass'] = (reply, handed) => {
    if (handed.kind === 'stream') {
      startStream(reply);
      return answer(checked ? checkedStream(handed.frames, checked) : handed.frames);
    }
    if (checked) checkValue(checked, JSON.parse(handed.bytes.toString()));
    reply.header('content-type', 'application/json; charset=utf-8');
    return answer(inOnePiece(handed.bytes));
  };
  return {
    ok(value) {
      if (checked) checkValue(checked, value);
      return answer(value);
    },
    okJson: (reply, json) => pass(reply, handOn(json)),
    pass,
    csv(reply, lines) {
      reply.header('content-type', 'text/csv; charset=utf-8');
      return answer(Readable.from(lines, { objectMode: false }));
    },
  };
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

/** Node writes headers and a string in one piece, but headers and a Buffer in two, which is a sixth of the cost of a small answer. */
const inOnePiece = (bytes: Buffer): Buffer | string => (bytes.length <= SMALL_BYTES && isUtf8(bytes) ? bytes.toString() : bytes);

/** Query values are text: converts those that the contract types as numbers or booleans. */
function typeQuery({ shape }: z.ZodObject, query: unknown): Record<string, unknown> {
  const entries = Object.entries(query ?? {}).map(([name, value]) => {
    const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
    const isWord = typeof value === 'string' && (takesFractions(schema) ? /^-?\d+(?:\.\d+)?$/ : /^(?:true|false|-?\d+)$/).test(value);
    // A text field keeps its text, even when it looks like a number.
    return isWord && schema instanceof z.ZodType && !schema.safeParse(value).success ? [name, readWord(value)] : [name, value];
  });
  return Object.fromEntries(entries);
}

/** A number that need not be whole. */
function takesFractions(schema: unknown): boolean {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return inner instanceof z.ZodNumber && !(inner instanceof z.ZodNumberFormat);
}

/** Converts digits of any length, so that a number over its field's bound is reported as such and not as a wrong type. */
const readWord = (word: string): boolean | number => (/^[tf]/.test(word) ? word === 'true' : Number(word));

function startStream(reply: FastifyReply): void {
  reply.header('content-type', 'text/event-stream; charset=utf-8');
  reply.header('cache-control', 'no-cache, no-transform');
  // Tells proxies such as nginx not to buffer the stream.
  reply.header('x-accel-buffering', 'no');
}

function checkValue({ responses }: AppRoute, value: unknown): void {
  // Each of our routes has a zod schema for 200.
  const { error } = (responses[200] as z.ZodType).safeParse(value);
  if (error) throw new GatewayError<AnyCode>('internal_error', { message: 'The answer does not keep the contract.', cause: error });
}

function checkedStream(frames: Readable, { metadata }: AppRoute): Readable {
  // Only the callers' contract has metadata about events.
  const { sse: schema } = metadata as Partial<RouteMetadata>;
  if (!schema) return frames;
  async function* checked(events: z.ZodType) {
    for await (const block of frames as AsyncIterable<Buffer>) {
      eachFrame(block, (frame) => checkEvent(events, frame));
      yield block;
    }
  }
  // A generator that never started does not run its cleanup, so destroy the frames here.
  return Readable.from(checked(schema), { objectMode: false }).once('close', () => frames.destroy());
}

function checkEvent(schema: z.ZodType, frame: Buffer): void {
  const event = frameObject(frame);
  if (event === null) return;
  // The error event of a chat stream is the contract's error body, not a chunk.
  if (typeof event.error === 'object' && event.error !== null && event.type === undefined) return;
  const { error } = schema.safeParse(event);
  if (error)
    throw new GatewayError<AnyCode>('internal_error', { message: `The event does not keep the contract: ${error.message}`, cause: error });
}
