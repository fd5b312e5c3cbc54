/** Routes of a contract → Fastify routes. The only importer of @ts-rest/fastify: handlers know their contract, not the library. */
import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import type { AppRoute, ServerInferRequest, ServerInferResponseBody, ServerInferResponses } from '@ts-rest/core';
import { type AppRouteImplementation, type AppRouteImplementationOrOptions, initServer, type RouterImplementation } from '@ts-rest/fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Contract, contract, type RouteMetadata } from '../../contract/index.ts';
import type { Written } from '../../contract/written.ts';
import { eachFrame, frameObject } from '../dialects/wire/frames.ts';
import { GatewayError } from '../errors.ts';
import { type HandedOn, handOn, type JsonOf } from '../request/answer.ts';
import { explainIssues } from './validation-errors.ts';

type NameOf<C> = Extract<keyof C, string>;
/** A contract of one level: routes and no routers. */
type Routes<C> = { readonly [Name in keyof C]: AppRoute };

/** The answer of a route, as ts-rest types it: a status of the contract and the body that belongs to it. */
type Answer<R extends AppRoute> = ServerInferResponses<R>;
type Body<R extends AppRoute> = ServerInferResponseBody<R, 200 & keyof R['responses']>;

/** How a handler answers: by a value of the contract's type, or by bytes that are marked as such. */
interface Answers<R extends AppRoute> {
  /** A value made here: its type is checked to the last field. */
  ok(value: Written<Body<R>>): Answer<R>;
  /** The same, written before. */
  okJson(reply: FastifyReply, json: JsonOf<Body<R>>): Answer<R>;
  /** What others wrote, as it came. */
  pass(reply: FastifyReply, answer: HandedOn): Answer<R>;
}

/** What a handler of this route is given: what ts-rest has parsed, by its own types, and the ways to answer. */
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
  /** Check every answer and every event against the contract; for tests and development. */
  readonly checkAnswers: boolean;
  /** Operations without a query refuse every field of one. SDKs send the callers' operations some of their own. */
  readonly refusesQueries?: boolean;
}

type Register<C extends Routes<C>> = <N extends NameOf<C>>(
  app: FastifyInstance,
  handlers: HandlersOf<C, N>,
  options: AdapterOptions,
) => Promise<void>;

/** Registers the given routes of the callers' contract on this scope of the app. */
export const registerRoutes: Register<Contract> = registrarOf(contract);

/** The same for any contract of one level. */
export function registrarOf<C extends Routes<C>>(routes: C): Register<C> {
  return async (app, handlers, options) => {
    const server = initServer();
    for (const name in handlers) {
      const route = routes[name];
      const implementation = bind(route, handlers[name], options);
      // ts-rest asks of each entry whether it is a router. None is, which the compiler cannot tell of a name that is known at run time.
      const router = { route: implementation } as RouterImplementation<{ readonly route: typeof route }>;
      await app.register(server.plugin(server.router({ route }, router)), {
        logInitialization: false,
        jsonQuery: false,
        responseValidation: false,
        requestValidationErrorHandler: (error, request) => {
          throw invalidRequest(error, request);
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

// What ts-rest collects is the validator's own error: a list of issues, and the value they are about is not in it.
const issuesOf = (error: unknown) => (error as { issues?: readonly z.core.$ZodIssue[] } | null)?.issues ?? [];

/** The handler as ts-rest takes it: whether it answers as its route promises, ts-rest's own type says. */
function bind<R extends AppRoute>(route: R, handler: Handler<R>, options: AdapterOptions): AppRouteImplementationOrOptions<R> {
  const { checkAnswers, refusesQueries = false } = options;
  const answers = answersOf(checkAnswers ? route : null);
  // ts-rest writes the parameters of Fastify's reply in the order of an older version; nothing else differs.
  const implementation: AppRouteImplementation<R> = (input) => handler({ ...input, ...answers } as unknown as RouteContext<R>);
  const { query } = route;
  if (query instanceof z.ZodObject) return { handler: implementation, hooks: { preValidation: typeQueryOf(query) } };
  return refusesQueries ? { handler: implementation, hooks: { preValidation: refuseQuery } } : implementation;
}

/** `checked`: the route whose answers are held against the contract; null where they are not. */
function answersOf<R extends AppRoute>(checked: R | null): Answers<R> {
  // What may stand in it, the callers below say by their types; of a route that is known at run time the compiler cannot work it out.
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

/** Node writes headers and a text in one piece, but headers and bytes in two; for a small answer that is a sixth of its cost. */
const inOnePiece = (bytes: Buffer): Buffer | string => (bytes.length <= SMALL_BYTES && isUtf8(bytes) ? bytes.toString() : bytes);

/** In an address everything is text; what the contract knows as a number or a truth value becomes one. */
function typeQuery({ shape }: z.ZodObject, query: unknown): Record<string, unknown> {
  const entries = Object.entries(query ?? {}).map(([name, value]) => {
    const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
    const isWord = typeof value === 'string' && /^(?:true|false|-?\d+)$/.test(value);
    // A field that takes text keeps its text, also where that looks like a number.
    return isWord && schema instanceof z.ZodType && !schema.safeParse(value).success ? [name, readWord(value)] : [name, value];
  });
  return Object.fromEntries(entries);
}

/** A number of any length is one, so that what is over the bound of its field is told that. */
const readWord = (word: string): boolean | number => (/^[tf]/.test(word) ? word === 'true' : Number(word));

function startStream(reply: FastifyReply): void {
  reply.header('content-type', 'text/event-stream; charset=utf-8');
  reply.header('cache-control', 'no-cache, no-transform');
  // Some proxies gather an answer before they pass it on, unless they are told not to.
  reply.header('x-accel-buffering', 'no');
}

function checkValue({ responses }: AppRoute, value: unknown): void {
  // Every route of ours has a zod schema for 200.
  const { error } = (responses[200] as z.ZodType).safeParse(value);
  if (error) throw new GatewayError('internal_error', { message: 'The answer does not keep the contract.', cause: error });
}

function checkedStream(frames: Readable, { metadata }: AppRoute): Readable {
  // Only the callers' contract has metadata of events.
  const { sse: schema } = metadata as Partial<RouteMetadata>;
  if (!schema) return frames;
  async function* checked(events: z.ZodType) {
    for await (const block of frames as AsyncIterable<Buffer>) {
      eachFrame(block, (frame) => checkEvent(events, frame));
      yield block;
    }
  }
  // A reader that never began has nothing to end: the frames are told by themselves.
  return Readable.from(checked(schema), { objectMode: false }).once('close', () => frames.destroy());
}

function checkEvent(schema: z.ZodType, frame: Buffer): void {
  const event = frameObject(frame);
  if (event === null) return;
  // The error frame of a chat stream is the contract's error body, not a chunk.
  if (typeof event.error === 'object' && event.error !== null && event.type === undefined) return;
  const { error } = schema.safeParse(event);
  if (error) throw new GatewayError('internal_error', { message: `The event does not keep the contract: ${error.message}`, cause: error });
}
