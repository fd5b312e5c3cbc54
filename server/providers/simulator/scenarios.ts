/** Lists all scenarios of the simulator, and reads the requested one from the header or a phrase. A test compares the docs with the list. */

import type { ErrorCode } from '../../../contract/errors.ts';
import { type CallCode, GatewayError } from '../../primitives/errors.ts';
import { type Fields, isFields } from '../../primitives/fields.ts';
import type { UpstreamRequest } from '../upstream.ts';
import type { SimulatorRequest } from './simulator-request.ts';

export type Scenario =
  | { readonly kind: 'error'; readonly status: number; readonly retryAfterSeconds: number | null; readonly code?: ErrorCode }
  | { readonly kind: 'fail-twice'; readonly status: number }
  | { readonly kind: 'cut'; readonly events: number | null }
  | { readonly kind: 'stall' | 'slow' | 'late' | 'malformed-json' | 'malformed-sse' | 'tools' | 'refusal' | 'long' };

interface ScenarioDefinition {
  /** The syntax: capitals stand for values, brackets for optional parts. */
  readonly form: string;
  /** A sentence for the docs, without the period. */
  readonly does: string;
  /** Anchored at the start of the text. Ends at a word boundary. */
  readonly pattern: RegExp;
  /** Whether the scenario works only for text, not for images. */
  readonly isOfText: boolean;
  read(values: readonly (string | undefined)[]): Scenario;
}

const defineScenario = (
  form: string,
  pattern: string,
  does: string,
  read: ScenarioDefinition['read'],
  isOfText = false,
): ScenarioDefinition => ({ form, does, pattern: new RegExp(`^${pattern}(?![\\w-])`, 'i'), isOfText, read });

type PlainKind = Exclude<Scenario, { kind: 'error' | 'fail-twice' | 'cut' }>['kind'];
const definePlainScenario = (kind: PlainKind, does: string, { isOfText = false, pattern = kind as string } = {}): ScenarioDefinition =>
  defineScenario(kind, pattern, does, () => ({ kind }), isOfText);

/** The rate-limit status if the scenario has no status. */
const RATE_LIMIT_STATUS = 429;
/** A server error that clients retry without `retry-after`. */
const DEFAULT_FAULT_STATUS = 500;

/** The first match wins. */
export const scenarios: readonly ScenarioDefinition[] = [
  defineScenario(
    'error STATUS [retry-after SECONDS]',
    'error ([45]\\d\\d)(?: retry-after (\\d{1,4}))?',
    'fails with this status, 400 to 599, and the matching headers',
    ([status, seconds]) => ({ kind: 'error', status: Number(status), retryAfterSeconds: toCount(seconds) }),
  ),
  defineScenario('retry-after SECONDS', 'retry-after (\\d{1,4})', 'fails with 429 and this `retry-after`', ([seconds]) => ({
    kind: 'error',
    status: RATE_LIMIT_STATUS,
    retryAfterSeconds: toCount(seconds),
  })),
  defineScenario(
    'fail-twice [STATUS]',
    'fail-twice(?: ([45]\\d\\d))?',
    'fails twice with 500 or this status, then succeeds; requests with the same body and account are counted together',
    ([status]) => ({ kind: 'fail-twice', status: Number(status ?? DEFAULT_FAULT_STATUS) }),
  ),
  defineScenario(
    'cut [EVENTS]',
    'cut(?: (\\d{1,4}))?',
    'cuts a stream after this many events (default: 4), never after the last one; a call without a stream, or with 0 events, gets 502',
    ([events]) => ({ kind: 'cut', events: toCount(events) }),
  ),
  definePlainScenario(
    'stall',
    'stops sending, in the middle of a stream, until you disconnect or `stallMs` has passed: then 504, or the error in the stream',
  ),
  definePlainScenario('slow', 'waits `slowMs` before the response and, in a stream, a tenth of that between events'),
  definePlainScenario('late', 'waits `slowMs` before the response or the first event; the remainder follows at the usual pace'),
  definePlainScenario('malformed-sse', 'sends an invalid event: 502, or the error in the middle of a stream'),
  definePlainScenario('malformed-json', 'sends invalid JSON: 502, or the error in the middle of a stream', {
    pattern: 'malformed(?:-json)?',
  }),
  definePlainScenario('tools', 'calls the first offered tool, or the one that the prompt names; 400 if no tool can be called', {
    isOfText: true,
  }),
  definePlainScenario('refusal', 'returns a refusal; for images, 400 `moderation_blocked`'),
  definePlainScenario('long', 'writes 2,000 words, or up to the output limit of the request', { isOfText: true }),
];

const toCount = (text: string | undefined): number | null => (text === undefined ? null : Number(text));

/** Listed in errors about unknown scenarios. */
const knownScenarios = scenarios.map(({ form }) => form).join(', ');

const failingKinds: readonly Scenario['kind'][] = ['error', 'fail-twice', 'cut', 'stall', 'malformed-json', 'malformed-sse'];

interface ScenarioMatch {
  readonly scenario: Scenario;
  readonly row: ScenarioDefinition;
  /** The text after the scenario. */
  readonly rest: string;
}

/** Finds the scenario at the start of a text. Null if the name is unknown. */
function findScenario(text: string): ScenarioMatch | null {
  for (const candidate of scenarios) {
    const match = candidate.pattern.exec(text);
    if (match) return { scenario: candidate.read(match.slice(1)), row: candidate, rest: text.slice(match[0].length) };
  }
  return null;
}

type ScenarioRequest = Pick<UpstreamRequest, 'operation' | 'scenario'> & { readonly body: { readonly value: Fields } };

export interface RequestedScenario extends ScenarioMatch {
  /** The field with the phrase, for error messages. Null for the header. */
  readonly param: string | null;
}

const phraseStart = /^\s*simulate:\s*/i;
/** The maximum length of a phrase. */
const MAX_PHRASE_LENGTH = 200;

/** Null if no scenario is requested. Throws `invalid_value` if the name is unknown or doesn't support this operation. The header takes precedence. */
export function readRequestedScenario(request: ScenarioRequest): RequestedScenario | null {
  const scenario = request.scenario === undefined ? findScenarioPhrase(request) : readScenarioHeader(request.scenario);
  if (scenario?.row.isOfText && getPromptField(request) === 'prompt')
    throw createScenarioError(`The built-in simulator doesn't support the scenario '${scenario.row.form}' for images.`, scenario.param);
  return scenario;
}

function readScenarioHeader(text: string): RequestedScenario {
  const match = findScenario(text.trim());
  if (match?.rest !== '')
    throw createScenarioError(`Unknown simulator scenario. The 'x-modelgate-scenario' header accepts: ${knownScenarios}.`, null);
  return { ...match, param: null };
}

function findScenarioPhrase(request: ScenarioRequest): RequestedScenario | null {
  const prompt = getPrompt(request);
  const phraseMatch = phraseStart.exec(prompt);
  if (!phraseMatch) return null;
  const text = prompt.slice(phraseMatch[0].length);
  const match = findScenario(text.slice(0, MAX_PHRASE_LENGTH));
  const param = getPromptField(request);
  if (!match) throw createScenarioError(`Unknown simulator scenario. After 'simulate:', write one of: ${knownScenarios}.`, param);
  return { ...match, rest: match.rest + text.slice(MAX_PHRASE_LENGTH), param };
}

/** Whether the request asks for a failure or for an unknown scenario. */
export function isFailureRequested(request: ScenarioRequest): boolean {
  try {
    const scenario = readRequestedScenario(request);
    return scenario !== null && failingKinds.includes(scenario.scenario.kind);
  } catch {
    return true;
  }
}

/** Reads only the prompt, because the gateway also looks for a scenario before it sends the request. */
export function getPrompt({ operation, body: { value } }: Pick<ScenarioRequest, 'operation' | 'body'>): string {
  const input = value[params[operation]];
  if (typeof input === 'string') return input;
  const message = toFieldsList(input).findLast(({ role, type }) => role === 'user' && (type ?? 'message') === 'message');
  if (typeof message?.content === 'string') return message.content;
  return toFieldsList(message?.content)
    .flatMap(({ text }) => (typeof text === 'string' && text !== '' ? [text] : []))
    .join('\n');
}

const toFieldsList = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

const params = { createChatCompletion: 'messages', createResponse: 'input', generateImages: 'prompt', editImages: 'prompt' } as const;
const getPromptField = ({ operation }: ScenarioRequest): string => params[operation];

const createScenarioError = (message: string, param: string | null): GatewayError =>
  new GatewayError<CallCode>('invalid_value', { message, ...(param !== null && { param }) });

const LONG_WORD_COUNT = 2_000;

export function applyScenario(request: SimulatorRequest, scenario: RequestedScenario | null): SimulatorRequest {
  switch (scenario?.scenario.kind) {
    case 'tools':
      return withRequiredCall(request, scenario);
    case 'refusal':
      return { ...request, prompt: 'please refuse' };
    case 'long':
      return { ...request, prompt: `write ${LONG_WORD_COUNT} words` };
    default:
      return request;
  }
}

/** The phrase contains no arguments, but the text after it may. */
function withRequiredCall(request: SimulatorRequest, { rest, param }: RequestedScenario): SimulatorRequest {
  if (request.choice.mode === 'none' || request.tools.length === 0) throw createNoToolsError();
  return { ...request, prompt: param === null ? request.prompt : rest, choice: { ...request.choice, mode: 'required' } };
}

const createNoToolsError = () =>
  new GatewayError<CallCode>('invalid_value', {
    message: "The 'tools' scenario calls a function or custom tool, but this request offers none that can be called.",
    param: 'tools',
  });
