/** Registers the routes of a contract with Fastify. The only importer of @ts-rest/fastify: handlers know their contract, not the library. */
import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import type { AppRoute, ServerInferRequest, ServerInferResponseBody, ServerInferResponses } from '@ts-rest/core';
import { type AppRouteImplementation, type AppRouteImplementationOrOptions, initServer, type RouterImplementation } from '@ts-rest/fastify';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ErrorCode } from '../../contract/errors.ts';
import { type Contract, contract, type RouteMetadata } from '../../contract/index.ts';
import type { Exact } from '../../contract/shared/exact.ts';
import { eachFrame, frameObject } from '../dialects/wire/frames.ts';
import { type AnyCode, GatewayError, shown } from '../errors.ts';
import { type ForwardedResponse, forward, type JsonOf } from '../request/failover.ts';

type NameOf<C> = Extract<keyof C, string>;
/** A contract without nested routers. */
type Routes<C> = { readonly [Name in keyof C]: AppRoute };

/** The response of a route as ts-rest types it: a status of the contract and its body. */
type Answer<R extends AppRoute> = ServerInferResponses<R>;
type Body<R extends AppRoute> = ServerInferResponseBody<R, 200 & keyof R['responses']>;

/** The ways in which a handler answers: with a value of the contract's type, or with bytes of a marked type. */
interface Answers<R extends AppRoute> {
  /** Responds with a value, whose type has exactly the contract's fields. */
  ok(value: Exact<Body<R>>): Answer<R>;
  /** Responds with a value that is already serialized. */
  okJson(reply: FastifyReply, json: JsonOf<Body<R>>): Answer<R>;
  /** Responds with a table, written line by line. */
  csv(reply: FastifyReply, lines: AsyncIterable<string> | Iterable<string>): Answer<R>;
  /** Responds with the bytes of an upstream or of a stored response, unchanged. */
  pass(reply: FastifyReply, answer: ForwardedResponse): Answer<R>;
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
  /** Whether every response and every event is validated against the contract; for tests and development. */
  readonly checkAnswers: boolean;
  /** Whether operations without a query reject query fields. The callers' operations don't: SDKs add their own fields. */
  readonly rejectsQueries?: boolean;
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
      // ts-rest's type allows an entry to be a router. None is, but the compiler can't know that for a name known at run time only.
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

/** Wraps the handler for ts-rest, whose type checks that the response is one of the route. */
function bind<R extends AppRoute>(route: R, handler: Handler<R>, options: AdapterOptions): AppRouteImplementationOrOptions<R> {
  const { checkAnswers, rejectsQueries = false, beforeCheck } = options;
  const answers = answersOf(checkAnswers ? route : null);
  // ts-rest types Fastify's reply with the type parameters in an older order; nothing else differs.
  const implementation: AppRouteImplementation<R> = (input) => handler({ ...input, ...answers } as unknown as RouteContext<R>);
  const { query } = route;
  if (query instanceof z.ZodObject) return { handler: implementation, hooks: { preValidation: typeQueryOf(query) } };
  if (beforeCheck) return { handler: implementation, hooks: { preValidation: async (request) => beforeCheck(request) } };
  return rejectsQueries ? { handler: implementation, hooks: { preValidation: rejectQuery } } : implementation;
}

/** `checked`: the route whose contract validates the responses; null if they aren't validated. */
function answersOf<R extends AppRoute>(checked: R | null): Answers<R> {
  // The callers below type the body. The compiler can't derive the type for a route known at run time only.
  const answer = (body: unknown) => ({ status: 200, body }) as Answer<R>;
  const pass: Answers<R>['pass'] = (reply, handed) => {
    if (handed.kind === 'stream') {
      startStream(reply);
      return answer(checked ? checkedStream(handed.frames, checked, reply.log) : handed.frames);
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
    okJson: (reply, json) => pass(reply, forward(json)),
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

async function rejectQuery({ query }: FastifyRequest): Promise<void> {
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

/** A number that needn't be whole. */
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
  if (error) throw broken("The response doesn't match the API contract.", error);
}

/** Cuts the stream at an event that breaks the contract, and logs it. */
function checkedStream(frames: Readable, { metadata }: AppRoute, log: FastifyBaseLogger): Readable {
  // Only the callers' contract has metadata about events.
  const { sse: schema } = metadata as Partial<RouteMetadata>;
  if (!schema) return frames;
  async function* checked(events: z.ZodType) {
    for await (const block of frames as AsyncIterable<Buffer>) {
      try {
        eachFrame(block, (frame) => checkEvent(events, frame));
      } catch (err) {
        log.error({ err }, "stream event doesn't match the contract");
        throw err;
      }
      yield block;
    }
  }
  // A generator that never started doesn't run its cleanup, so destroy the frames here.
  return Readable.from(checked(schema), { objectMode: false }).once('close', () => frames.destroy());
}

function checkEvent(schema: z.ZodType, frame: Buffer): void {
  const event = frameObject(frame);
  if (event === null) return;
  // The error event of a chat stream is the contract's error body, not a chunk.
  if (typeof event.error === 'object' && event.error !== null && event.type === undefined) return;
  const { error } = schema.safeParse(event);
  if (error) throw broken(`The event doesn't match the API contract: ${z.prettifyError(error)}`, error);
}

const broken = (message: string, cause: z.ZodError) => new GatewayError<AnyCode>('internal_error', { message, cause });

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** `messages[2].content[0].image_url` */
export function pathText(path: Path): string {
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? String(step) : `.${String(step)}`)).join('');
}

/** Characters of a path in a message: a caller's field names may have any length. */
const MAX_PATH_LENGTH = 300;

interface Finding {
  readonly issue: Issue;
  readonly path: Path;
}

/** Of a union's branches, reports the one that matched the value furthest: the caller most probably meant it. */
function deepest(issue: Issue, before: Path = []): Finding {
  const path = [...before, ...issue.path];
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return { issue, path };
  const findings = issue.errors.flatMap((branch) => (branch[0] ? [deepest(branch[0], path)] : []));
  const best = findings.reduce((a, b) => (distance(b) > distance(a) ? b : a), findings[0] ?? { issue, path });
  return distance(best) > 2 * path.length ? withAllValues(best, findings) : { issue, path };
}

/** Several branches may expect each another value in the same place. */
function withAllValues(best: Finding, findings: readonly Finding[]): Finding {
  if (best.issue.code !== 'invalid_value') return best;
  const place = pathText(best.path);
  const values = findings.flatMap(({ issue, path }) => (issue.code === 'invalid_value' && pathText(path) === place ? issue.values : []));
  return { ...best, issue: { ...best.issue, values: [...new Set(values)] } };
}

/** How far a branch matched. At equal depth, a branch of the right type matched further than one of a wrong type. */
const distance = ({ issue, path }: Finding) => 2 * path.length + (issue.code === 'invalid_type' || issue.code === 'invalid_union' ? 0 : 1);

interface Explanation {
  readonly code: ErrorCode;
  readonly message: string;
}

/** Fields whose numbers may have a fraction: the validator reports only that a bound was exceeded. */
const decimals = new Set(['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'logit_bias', 'over']);
const bound = (kind: 'below_min' | 'above_max', origin: string, where: string): ErrorCode => {
  if (origin === 'array') return kind === 'below_min' ? 'empty_array' : 'array_above_max_length';
  if (origin === 'string') return kind === 'below_min' ? 'empty_string' : 'string_above_max_length';
  return `${decimals.has(where.split(/[.[']/)[1] ?? '') ? 'decimal' : 'integer'}_${kind}_value`;
};

const article = (type: string) => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);
/** JSON's name of a type, in place of the validator's. */
const typeName = (type: string) => ({ record: 'object', int: 'integer', nan: 'number' })[type] ?? type;

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  // JSON has no infinite numbers, but `1e999` parses to Infinity.
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number that is too large';
  return article(Array.isArray(value) ? 'array' : typeof value);
}

/** The value that the caller sent at this path; undefined if none was sent. */
function valueAt(body: unknown, path: Path): unknown {
  // An object from JSON can be read by name or index.
  return path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[step] : undefined),
    body,
  );
}

function expected(issue: Issue): string[] {
  if (issue.code === 'invalid_type') return [article(typeName(issue.expected))];
  if (issue.code === 'invalid_value') return issue.values.map((value) => `'${String(value)}'`);
  if (issue.code === 'invalid_union') return [...new Set(issue.errors.flatMap((branch) => (branch[0] ? expected(branch[0]) : [])))];
  return [];
}

const oneOf = (choices: readonly string[]) => (choices.length > 24 ? `${choices.slice(0, 24).join(', ')}, …` : choices.join(', '));

type Explain = (issue: Issue, where: string, value: unknown) => Explanation;

const explainType: Explain = (issue, where, value) => ({
  code: 'invalid_type',
  message: `Invalid type for ${where}: expected ${expected(issue).join(' or ')}, got ${typeOf(value)}.`,
});

/** Explains an unknown field. Only strict schemas report one. */
function unknownField(issue: Issue, before: Path): GatewayError | undefined {
  if (issue.code !== 'unrecognized_keys') return undefined;
  const param = pathText([...before, issue.keys[0] ?? '']);
  return new GatewayError('unknown_parameter', { param, message: `Unknown parameter: '${shown(param)}'.` });
}

interface BoundIssue {
  readonly origin: string;
  readonly bound: number | bigint;
  readonly relation: string;
}

/** `'temperature' must be at most 2. Got 2.5.`, `'tools' must have at most 128 items.` */
function boundText(where: string, value: unknown, { origin, bound, relation }: BoundIssue): string {
  const unit = { array: 'item', string: 'character' }[origin];
  if (unit !== undefined) return `${where} must have ${relation} ${bound} ${unit}${Number(bound) === 1 ? '' : 's'}.`;
  const got = typeof value === 'number' && Number.isFinite(value) ? ` Got ${value}.` : '';
  return `${where} must be ${relation} ${bound}.${got}`;
}

const explainers: Readonly<Record<string, Explain>> = {
  invalid_type: explainType,
  invalid_value: (issue, where) => ({
    code: 'invalid_value',
    message: `Invalid value for ${where}: expected ${choicesText(expected(issue))}.`,
  }),
  invalid_union: explainUnion,
  too_big: (issue, where, value) => {
    if (issue.code !== 'too_big') return explainRest(issue, where);
    return {
      code: bound('above_max', issue.origin, where),
      message: boundText(where, value, { ...issue, bound: issue.maximum, relation: issue.inclusive === false ? 'less than' : 'at most' }),
    };
  },
  too_small: (issue, where, value) => {
    if (issue.code !== 'too_small') return explainRest(issue, where);
    return {
      code: bound('below_min', issue.origin, where),
      message: boundText(where, value, {
        ...issue,
        bound: issue.minimum,
        relation: issue.inclusive === false ? 'greater than' : 'at least',
      }),
    };
  },
  custom: (issue, where) => {
    const code: unknown = issue.code === 'custom' ? issue.params?.code : undefined;
    // A rule of the contract carries a code of the table of errors; a plain refinement carries none.
    return {
      code: (code as ErrorCode | undefined) ?? 'invalid_value',
      message: code === undefined ? `${where}: ${issue.message}` : issue.message,
    };
  },
};

/** A field that may be missing has `undefined` among its values, which JSON can't write. */
function choicesText(choices: readonly string[]): string {
  const values = choices.filter((choice) => choice !== "'undefined'");
  return `one of ${oneOf(values)}${values.length < choices.length ? '. It can also be omitted' : ''}`;
}

function explainRest(issue: Issue, where: string): Explanation {
  // For a wrong name in a map, the inner issue says what is wrong.
  const said = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
  return { code: 'invalid_value', message: `Invalid value for ${where}: ${said}` };
}

function explainUnion(issue: Issue, where: string, value: unknown): Explanation {
  if (issue.code !== 'invalid_union') return explainRest(issue, where);
  if (issue.errors.length > 0) return explainType(issue, where, value);
  const options = 'options' in issue && Array.isArray(issue.options) ? issue.options.filter((option) => option !== null) : [];
  const choices = options.map((option) => `'${String(option)}'`);
  return { code: 'invalid_value', message: `Invalid value for ${where}: expected ${choicesText(choices)}.` };
}

function explain({ issue, path }: Finding, body: unknown): Explanation {
  const where = `'${pathText(path).slice(0, MAX_PATH_LENGTH)}'`;
  const value = valueAt(body, path);
  if (value === undefined && issue.code !== 'custom') {
    return { code: 'missing_required_parameter', message: `Missing required parameter: ${where}.` };
  }
  return (explainers[issue.code] ?? explainRest)(issue, where, value);
}

/** Codes of rules about a field that can't be used here. Such a field often causes other issues: the field that it replaces is missing. */
const unusable = new Set<unknown>(['unknown_parameter', 'unsupported_parameter']);

/** Explains the first issue; a field that can't be used comes before all others. */
export function explainIssues(issues: readonly Issue[], body: unknown): GatewayError {
  const first = issues.find((issue) => issue.code === 'custom' && unusable.has(issue.params?.code)) ?? issues[0];
  if (!first) return new GatewayError('invalid_json', { message: 'The request body must be a JSON object.' });
  const finding = deepest(first);
  const unknown = unknownField(finding.issue, finding.path);
  if (unknown) return unknown;
  if (finding.path.length === 0) return new GatewayError('invalid_json', { message: 'The request body must be a JSON object.' });
  const { code, message } = explain(finding, body);
  return new GatewayError(code, { message, param: pathText(finding.path) });
}
