/** Types of checks and outcomes, and the assertions that checks use. */

import type { z } from 'zod';
import { type ErrorCode, errorTable } from '../../contract/errors.ts';
import { ErrorBody } from '../../contract/shared/error-bodies.ts';
import { eachFrame, eventName, frameData, frameObject, isDone } from '../dialects/wire/frames.ts';
import { type Fields, isFields } from '../primitives/fields.ts';

/** Field names of input and output tokens in chat, and in responses and images. */
const names = [
  ['prompt_tokens', 'completion_tokens'],
  ['input_tokens', 'output_tokens'],
] as const;

/** Returns a sentence for each token total that is wrong. */
export function usageFaults(value: unknown, what: string): string[] {
  if (!isFields(value)) return [];
  return [value, value.response].flatMap((holder) => (isFields(holder) && isFields(holder.usage) ? faultsOf(holder.usage, what) : []));
}

const faultsOf = (usage: Fields, what: string): string[] =>
  names.flatMap(([input, output]) => {
    const [given, made, total] = [usage[input], usage[output], usage.total_tokens];
    if (typeof given !== 'number' || typeof made !== 'number' || total === given + made) return [];
    return [`total_tokens of ${what} is ${String(total)}, not ${given} + ${made}`];
  });

export type Group = 'operations' | 'streams' | 'errors' | 'limits' | 'tools' | 'state';

/** Areas that can be checked separately with `--only`, by the start of the path. */
export const areas = ['models', 'chat', 'responses', 'images', 'usage', 'catalog'] as const;
export type Area = (typeof areas)[number];

/** Paths outside `/usage` that also belong to the area `usage`. */
const OWN = /^\/(?:account|key)\b/;
export const areaOf = (path: string): Area | null =>
  OWN.test(path) ? 'usage' : (areas.find((area) => path.replace('/..', '').startsWith(`/${area}`)) ?? null);

export interface Check {
  readonly group: Group;
  /** Area that the check calls. Null if it calls no operation. */
  readonly area: Area | null;
  /** Describes what a correct deployment does. */
  readonly name: string;
  readonly run: (caller: Caller) => Promise<void>;
}

export interface Outcome {
  readonly group: Group;
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  /** Why the check failed or was skipped. Empty if it passed. */
  readonly detail: string;
  /** The mismatches as separate texts. */
  readonly mismatches: readonly string[];
  /** Duration in milliseconds. */
  readonly ms: number;
}

function demandJson({ headers }: Answer): void {
  const type = headers.get('content-type') ?? 'nothing';
  assert(/^application\/json\b/.test(type), `the content type is ${type}, not application/json`);
}

/** Asserts status 200 and returns the body, parsed by its schema. */
export function goodBody<S extends z.ZodType>(answer: Answer, schema: S): z.infer<S> {
  const isGood = answer.status === 200;
  const [, , body] = assertAll<unknown>([
    () => assert(isGood, `the status is ${answer.status}, not 200: ${beginningOf(answer)}`),
    () => demandJson(answer),
    // With another status, the body has another schema.
    () => (isGood ? fitting(schema, answer.json(), 'the response') : undefined),
  ]);
  // `as`: all three passed, so this is the result of the schema.
  return body as z.infer<S>;
}

/** Returns the value, parsed by its schema. Its token totals must be correct, too. */
export function fitting<S extends z.ZodType>(schema: S, value: unknown, what: string): z.infer<S> {
  const issues = schema.safeParse(value).error?.issues ?? [];
  if (issues.length > 0)
    throw new Violation(...issues.map(({ path, message }) => `${what} doesn't match the contract at '${path.join('.')}': ${message}`));
  const faults = usageFaults(value, what);
  if (faults.length > 0) throw new Violation(...faults);
  // `as`: response schemas have no defaults or transforms, so the value already has the parsed type.
  return value as z.infer<S>;
}

/** Asserts an error with the status and type of its code, and exactly the four fields. */
export function demandRefusal(answer: Answer, code: ErrorCode, param?: string): void {
  const { status, type } = errorTable[code];
  assertAll([
    () => assert(answer.status === status, `the status is ${answer.status}, not ${status}: ${beginningOf(answer)}`),
    () => demandJson(answer),
    () => {
      const { error } = fitting(ErrorBody, answer.json(), 'the error body');
      assertAll([
        () => assert(error.code === code, `the code is ${error.code}, not ${code}`),
        () => assert(error.type === type, `the type is ${error.type}, not ${type}`),
        () => assert(param === undefined || error.param === param, `param is ${String(error.param)}, not ${param}`),
      ]);
    },
  ]);
}

/** Returns the start of the body, which is enough to recognize it. */
const beginningOf = ({ text }: Answer): string => text.slice(0, 120).replace(/\s+/g, ' ');

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  json(): unknown;
}

export interface Ask {
  readonly method?: string;
  /** Body that is sent as JSON. */
  readonly json?: unknown;
  /** Body that is sent unchanged. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the key under test. Null to send no key. */
  readonly key?: string | null;
}

export interface Caller {
  readonly model: string;
  /** Null if images aren't tested. */
  readonly imageModel: string | null;
  /** A key with a limit of one request per minute. Null if none was specified. */
  readonly limitedKey: string | null;
  /** Sends a request to a path below the base URL, such as `/models`. */
  ask(path: string, ask?: Ask): Promise<Answer>;
}

export interface Target {
  /** Base URL, which ends in `/v1`. */
  readonly baseUrl: string;
  readonly key: string;
  /** Maximum time per response, in milliseconds. */
  readonly timeoutMs: number;
  /** Sends the requests. Omitted: Node's own, which uses no proxy. */
  readonly fetch?: typeof fetch;
}

export async function askTarget(
  { baseUrl, key: ownKey, timeoutMs, fetch: send = fetch }: Target,
  path: string,
  ask: Ask = {},
): Promise<Answer> {
  const { json, headers, key = ownKey } = ask;
  const body = json === undefined ? ask.body : JSON.stringify(json);
  const answer = await send(`${baseUrl}${path}`, {
    method: ask.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, json: () => parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Violation(`the response isn't JSON: ${text.slice(0, 120)}`);
  }
}

/** Maximum number of mismatches to report, because every event of a wrong stream may have one. */
const MOST = 20;

/** Thrown if the deployment breaks the contract, with one or more mismatches. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly mismatches: readonly string[];

  constructor(...found: readonly string[]) {
    const mismatches = found.length > MOST ? [...found.slice(0, MOST), `and ${found.length - MOST} more`] : found;
    super(mismatches.join('; '));
    this.mismatches = mismatches;
  }
}

/** Thrown if the check can't run here. */
export class LeftOut extends Error {
  override readonly name = 'LeftOut';
}

export function assert(isSo: boolean, complaint: string): asserts isSo {
  if (!isSo) throw new Violation(complaint);
}

/** An assertion, or a step before it. */
type Demand<T> = () => T;

/** Runs all and returns their results in order; throws all their violations as one. Other errors pass through. */
export function assertAll<T>(demands: readonly Demand<T>[]): readonly T[] {
  const complaints: string[] = [];
  const given = demands.flatMap((each) => {
    try {
      return [each()];
    } catch (thrown) {
      if (!(thrown instanceof Violation)) throw thrown;
      complaints.push(...thrown.mismatches);
      return [];
    }
  });
  if (complaints.length > 0) throw new Violation(...complaints);
  return given;
}

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export function tallyOf(outcomes: readonly Outcome[]): Tally {
  const count = (state: Outcome['state']): number => outcomes.filter((outcome) => outcome.state === state).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}

export function writeJson(baseUrl: string, outcomes: readonly Outcome[]): string {
  const tally = tallyOf(outcomes);
  return `${JSON.stringify({ object: 'verification', base_url: baseUrl, ok: tally.failed === 0, ...tally, checks: outcomes }, null, 2)}\n`;
}

export function writeJunit(outcomes: readonly Outcome[]): string {
  const { failed, skipped } = tallyOf(outcomes);
  const seconds = outcomes.reduce((sum, { ms }) => sum + ms, 0) / 1_000;
  const head = `<testsuite name="modelgate verify" tests="${outcomes.length}" failures="${failed}" skipped="${skipped}" time="${seconds}">`;
  return ['<?xml version="1.0" encoding="UTF-8"?>', head, ...outcomes.map(caseOf), '</testsuite>', ''].join('\n');
}

function caseOf({ group, name, state, detail, ms }: Outcome): string {
  const open = `  <testcase classname="${escapeXml(group)}" name="${escapeXml(name)}" time="${ms / 1_000}"`;
  if (state === 'passed') return `${open}/>`;
  return `${open}><${state === 'failed' ? 'failure' : 'skipped'} message="${escapeXml(detail)}"/></testcase>`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML allows only three control characters, even if escaped. */
const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n\r]/gu, '?')
    .replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);

export interface StreamEvent {
  /** Value of the `event:` line. Null without one. */
  readonly name: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface EventStream {
  readonly events: readonly StreamEvent[];
  /** Whether the stream ended with `data: [DONE]`. */
  readonly isDone: boolean;
}

export function streamOf({ status, headers, text }: Answer): EventStream {
  assert(status === 200, `the status is ${status}, not 200: ${text.slice(0, 120)}`);
  const type = headers.get('content-type') ?? 'nothing';
  assert(/^text\/event-stream\b/.test(type), `the content type is ${type}, not text/event-stream`);
  const frames: Buffer[] = [];
  eachFrame(Buffer.from(text), (frame) => frames.push(frame));
  const said = frames.filter((frame) => frameData(frame) !== null);
  const last = said.at(-1);
  const events = said.flatMap((frame): StreamEvent[] => {
    const data = objectIn(frame);
    return data === null ? [] : [{ name: eventName(frame), data }];
  });
  return { events, isDone: last !== undefined && isDone(last) };
}

function objectIn(frame: Buffer): Readonly<Record<string, unknown>> | null {
  try {
    return frameObject(frame);
  } catch {
    throw new Violation(`an event isn't a JSON object: ${String(frame).slice(0, 120)}`);
  }
}
