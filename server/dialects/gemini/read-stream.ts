/** Reads a streamed answer of a Gemini upstream piece by piece; a whole answer is one piece. */
import { type Fields, isFields } from '../../../contract/rule.ts';
import { type CallCode, GatewayError } from '../../errors.ts';
import { flatToolNames } from '../turn/tool-names.ts';
import type { Turn, TurnEvent, TurnStreamReader } from '../turn/turn.ts';
import type { Usage } from '../usage.ts';
import { readInnerFailure } from './errors.ts';
import { type Calls, readCandidate, readReason, readUsage } from './read-answer.ts';
import { MAX_TOOL_NAME } from './wire.ts';

interface State {
  readonly calls: Calls;
  hasBegun: boolean;
  usage: Usage | null;
  isComplete: boolean;
}

export function openStream(turn: Turn): TurnStreamReader {
  const names = flatToolNames(turn.tools, MAX_TOOL_NAME);
  const state: State = {
    calls: { names, turn, responseId: '', made: 0, hasToldLoss: false },
    hasBegun: false,
    usage: null,
    isComplete: false,
  };
  return {
    read: (data) => (state.isComplete ? [] : readPiece(data, state)),
    end: () => (state.isComplete ? [] : fail(state, 'The upstream broke off its answer.')),
    get isComplete() {
      return state.isComplete;
    },
  };
}

/** Throws where a whole answer is none. */
export function readWhole(answer: Fields, turn: Turn): TurnEvent[] {
  const reader = openStream(turn);
  const events = [...reader.read(answer, null), ...reader.end()];
  const failed = events.find((event) => event.kind === 'failed');
  if (failed) throw failed.error;
  return events;
}

function readPiece(data: Fields, state: State): TurnEvent[] {
  if (isFields(data.error)) return fail(state, readInnerFailure(data));
  if (typeof data.responseId === 'string') state.calls.responseId = data.responseId;
  const [candidate] = Array.isArray(data.candidates) ? data.candidates : [];
  const body = isFields(candidate) ? readCandidate(candidate, state.calls) : [];
  return [...begin(state), ...body, ...countUsage(data.usageMetadata, state), ...readEnd(data, candidate, state)];
}

function begin(state: State): TurnEvent[] {
  if (state.hasBegun) return [];
  state.hasBegun = true;
  return [{ kind: 'start' }];
}

/** Each count replaces the one before it. */
function countUsage(value: unknown, state: State): TurnEvent[] {
  const usage = readUsage(value);
  if (usage === null || isSame(usage, state.usage)) return [];
  state.usage = usage;
  return [{ kind: 'usage', usage }];
}

const isSame = (one: Usage, other: Usage | null): boolean => JSON.stringify(one) === JSON.stringify(other);

function readEnd(data: Fields, candidate: unknown, state: State): TurnEvent[] {
  if (isFields(candidate)) return typeof candidate.finishReason === 'string' ? finish(candidate.finishReason, state) : [];
  // A prompt that was refused has no candidates at all.
  const isBlocked = isFields(data.promptFeedback) && typeof data.promptFeedback.blockReason === 'string';
  return isBlocked ? finish('PROHIBITED_CONTENT', state) : [];
}

function finish(finishReason: string, state: State): TurnEvent[] {
  const reason = readReason(finishReason, state.calls.made > 0);
  if (reason === null) return fail(state, 'The upstream could not finish its answer.', finishReason);
  state.isComplete = true;
  return [{ kind: 'finish', reason }];
}

function fail(state: State, what: string | GatewayError, finishReason?: string): TurnEvent[] {
  state.isComplete = true;
  const cause = finishReason === undefined ? undefined : new Error(`finish reason ${finishReason.slice(0, 64)}`);
  const error = typeof what === 'string' ? new GatewayError<CallCode>('upstream_error', { message: what, cause }) : what;
  return [{ kind: 'failed', error }];
}
