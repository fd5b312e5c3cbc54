/** All scenarios of the simulator as one list, for the header and the phrases; a test compares the docs with it. */

import { createHash } from 'node:crypto';
import { type CallCode, GatewayError } from '../errors.ts';
import type { UpstreamRequest } from '../upstreams/upstream.ts';
import { type JsonRecord, joinText, toRecords, toText } from './schema.ts';

export type Scenario =
  | { readonly kind: 'error'; readonly status: number; readonly retryAfterSeconds: number | null }
  | { readonly kind: 'fail-twice'; readonly status: number }
  | { readonly kind: 'cut'; readonly events: number | null }
  | { readonly kind: 'stall' | 'slow' | 'late' | 'malformed-json' | 'malformed-sse' | 'tools' | 'refusal' | 'long' };

interface ScenarioRow {
  /** As written; words in capitals stand for values, brackets for optional parts. */
  readonly form: string;
  /** A sentence for the docs, without the full stop. */
  readonly does: string;
  /** Anchored at its beginning, and ends at the end of a word. */
  readonly pattern: RegExp;
  /** Whether it is only for text, not for images. */
  readonly isOfText?: boolean;
  read(values: readonly (string | undefined)[]): Scenario;
}

const row = (form: string, pattern: string, rest: Pick<ScenarioRow, 'does' | 'read' | 'isOfText'>): ScenarioRow => ({
  form,
  pattern: new RegExp(`^${pattern}(?![\\w-])`, 'i'),
  ...rest,
});

type Plain = Exclude<Scenario, { kind: 'error' | 'fail-twice' | 'cut' }>['kind'];
const plain = (
  kind: Plain,
  does: string,
  more: Partial<Pick<ScenarioRow, 'isOfText'>> & { readonly pattern?: string } = {},
): ScenarioRow => {
  const { pattern = kind, ...rest } = more;
  return row(kind, pattern, { does, read: () => ({ kind }), ...rest });
};

/** The status of a rate limit when the scenario names none. */
const TOO_MANY = 429;
/** A server error that clients retry without `retry-after`. */
const FAULT = 500;

/** The first one that matches wins. */
export const scenarios: readonly ScenarioRow[] = [
  row('error STATUS [retry-after SECONDS]', 'error ([45]\\d\\d)(?: retry-after (\\d{1,4}))?', {
    does: 'fails with this status, 400 to 599, and the matching headers',
    read: ([status, seconds]) => ({ kind: 'error', status: Number(status), retryAfterSeconds: toSeconds(seconds) }),
  }),
  row('retry-after SECONDS', 'retry-after (\\d{1,4})', {
    does: 'fails with 429 and this `retry-after`',
    read: ([seconds]) => ({ kind: 'error', status: TOO_MANY, retryAfterSeconds: toSeconds(seconds) }),
  }),
  row('fail-twice [STATUS]', 'fail-twice(?: ([45]\\d\\d))?', {
    does: 'fails twice with 500 or this status, then succeeds; requests with the same body and account are counted together',
    read: ([status]) => ({ kind: 'fail-twice', status: Number(status ?? FAULT) }),
  }),
  row('cut [EVENTS]', 'cut(?: (\\d{1,4}))?', {
    does: 'cuts a stream after this many events (default: 4), never after the last one; a call without a stream, or with 0 events, gets 502',
    read: ([events]) => ({ kind: 'cut', events: events === undefined ? null : Number(events) }),
  }),
  plain(
    'stall',
    'stops sending, in the middle of a stream, until you disconnect or `stallMs` has passed: then 504, or the error in the stream',
  ),
  plain('slow', 'waits `slowMs` before the response and, in a stream, a tenth of that between events'),
  plain('late', 'waits `slowMs` before the response or the first event; the remainder follows at the usual pace'),
  plain('malformed-sse', 'sends an invalid event: 502, or the error in the middle of a stream'),
  plain('malformed-json', 'sends invalid JSON: 502, or the error in the middle of a stream', { pattern: 'malformed(?:-json)?' }),
  plain('tools', 'calls the first offered tool, or the one that the prompt names; 400 if no tool can be called', { isOfText: true }),
  plain('refusal', 'returns a refusal; for images, 400 `moderation_blocked`'),
  plain('long', 'writes 2,000 words, or up to the output limit of the request', { isOfText: true }),
];

const toSeconds = (text: string | undefined): number | null => (text === undefined ? null : Number(text));

/** Listed in errors about unknown scenarios. */
const knownScenarios = scenarios.map(({ form }) => form).join(', ');

const failing: readonly Scenario['kind'][] = ['error', 'fail-twice', 'cut', 'stall', 'malformed-json', 'malformed-sse'];

/** Whether a failure is what was asked for. */
const isFailing = ({ kind }: Scenario): boolean => failing.includes(kind);

interface FoundScenario {
  readonly scenario: Scenario;
  readonly row: ScenarioRow;
  /** What follows it. */
  readonly rest: string;
}

/** The scenario at the beginning of a text; null if the name is unknown. */
function findScenario(text: string): FoundScenario | null {
  for (const candidate of scenarios) {
    const found = candidate.pattern.exec(text);
    if (found) return { scenario: candidate.read(found.slice(1)), row: candidate, rest: text.slice(found[0].length) };
  }
  return null;
}

type Asking = Pick<UpstreamRequest, 'operation' | 'scenario'> & { readonly body: { readonly value: JsonRecord } };

export interface AskedScenario extends FoundScenario {
  /** The field with the phrase, for an error; null for the header. */
  readonly param: string | null;
}

const mark = /^\s*simulate:\s*/i;
/** A phrase is shorter than this. */
const PHRASE_CHARACTERS = 200;

/** Null if none is requested; throws `invalid_value` when the name is unknown or not for this operation. The header wins. */
export function readAskedScenario(asking: Asking): AskedScenario | null {
  const asked = asking.scenario === undefined ? findPhrase(asking) : findHeader(asking.scenario);
  if (asked?.row.isOfText && paramOf(asking) === 'prompt')
    throw invalidScenario(`The built-in simulator doesn't support the scenario '${asked.row.form}' for images.`, asked.param);
  return asked;
}

function findHeader(text: string): AskedScenario {
  const found = findScenario(text.trim());
  if (found?.rest !== '')
    throw invalidScenario(`Unknown simulator scenario. The 'x-modelgate-scenario' header accepts: ${knownScenarios}.`, null);
  return { ...found, param: null };
}

function findPhrase(asking: Asking): AskedScenario | null {
  const prompt = promptOf(asking);
  const begun = mark.exec(prompt);
  if (!begun) return null;
  const text = prompt.slice(begun[0].length);
  const found = findScenario(text.slice(0, PHRASE_CHARACTERS));
  const param = paramOf(asking);
  if (!found) throw invalidScenario(`Unknown simulator scenario. After 'simulate:', write one of: ${knownScenarios}.`, param);
  return { ...found, rest: found.rest + text.slice(PHRASE_CHARACTERS), param };
}

/** Whether the request asks for a failure, or for an unknown scenario. */
export function isAskedToFail(asking: Asking): boolean {
  try {
    const asked = readAskedScenario(asking);
    return asked !== null && isFailing(asked.scenario);
  } catch {
    return true;
  }
}

function promptOf({ operation, body: { value } }: Asking): string {
  if (operation === 'createChatCompletion') return joinText(lastOfUser(toRecords(value.messages)));
  if (operation !== 'createResponse') return toText(value.prompt);
  if (typeof value.input === 'string') return value.input;
  return joinText(lastOfUser(toRecords(value.input).filter(({ type }) => (type ?? 'message') === 'message')));
}

const lastOfUser = (messages: readonly JsonRecord[]): unknown => messages.findLast(({ role }) => role === 'user')?.content;

const params = { createChatCompletion: 'messages', createResponse: 'input', generateImages: 'prompt', editImages: 'prompt' } as const;
const paramOf = ({ operation }: Asking): string => params[operation];

const invalidScenario = (message: string, param: string | null): GatewayError =>
  new GatewayError<CallCode>('invalid_value', { message, ...(param !== null && { param }) });

export function createSeed(...parts: readonly (string | Uint8Array)[]): number {
  const hash = createHash('sha256');
  // The length keeps ("ab", "c") apart from ("a", "bc").
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest().readUInt32LE(0);
}

/** The mulberry32 generator: numbers from 0 up to 1. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Text after more spaces than this is ignored. */
const MAX_BLANKS = 100_000;

/** The beginning of a text on one line, cut at a word where there is one near the end. */
export function excerpt(text: string, length: number): string {
  // The slice first: the text may be megabytes.
  const line = text
    .slice(0, MAX_BLANKS)
    .trimStart()
    .slice(0, length * 4);
  const characters = [...line.replace(/\s+/gu, ' ').trim()];
  if (characters.length <= length) return characters.join('');
  const cut = characters.slice(0, length - 1).join('');
  const space = cut.lastIndexOf(' ');
  return `${space > length / 2 ? cut.slice(0, space) : cut}…`;
}
