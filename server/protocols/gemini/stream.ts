/** Reads Gemini's stream as events; a whole response is read as its only piece. */

import { type CallCode, CLOSED_EARLY, GatewayError } from '../../primitives/errors.ts';
import { isFields, toFields, type Unchecked } from '../../primitives/fields.ts';
import type { CanonicalEvent } from '../canonical/canonical-events.ts';
import type { CanonicalRequest } from '../canonical/canonical-request.ts';
import { createFlatToolNames } from '../canonical/flat-tool-names.ts';
import type { CanonicalStreamReader } from '../dialect.ts';
import type { Usage } from '../usage.ts';
import { readInnerFailure } from './errors.ts';
import { type CallState, readCandidate, readGeminiReason, readUsage } from './response.ts';
import { MAX_TOOL_NAME } from './rules.ts';
import type { Candidate, GenerateContentResponse, PromptFeedback } from './wire.ts';

/** Finish reasons for the model's own mistakes: the response lacks the intended call. */
const invalidCallReasons = new Set(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS']);

interface StreamState {
  readonly calls: CallState;
  hasBegun: boolean;
  usage: Usage | null;
  isComplete: boolean;
}

export function openStream(turn: CanonicalRequest): CanonicalStreamReader {
  const names = createFlatToolNames(turn.tools, MAX_TOOL_NAME);
  const state: StreamState = {
    calls: { names, turn, responseId: '', made: 0, hasReportedLoss: false },
    hasBegun: false,
    usage: null,
    isComplete: false,
  };
  return {
    read: (data) => (state.isComplete ? [] : readPiece(data, state)),
    end: () => (state.isComplete ? [] : fail(state, CLOSED_EARLY)),
    get isComplete() {
      return state.isComplete;
    },
  };
}

/** Throws if the response is incomplete or failed. */
export function readResponse(response: Unchecked<GenerateContentResponse>, turn: CanonicalRequest): CanonicalEvent[] {
  const reader = openStream(turn);
  const events = [...reader.read(response, null), ...reader.end()];
  const failure = events.find((event) => event.kind === 'failed');
  if (failure) throw failure.error;
  return events;
}

function readPiece(data: Unchecked<GenerateContentResponse>, state: StreamState): CanonicalEvent[] {
  if (isFields(data.error)) return fail(state, readInnerFailure(data));
  if (typeof data.responseId === 'string') state.calls.responseId = data.responseId;
  const [first]: unknown[] = Array.isArray(data.candidates) ? data.candidates : [];
  const candidate: Unchecked<Candidate> | null = isFields(first) ? first : null;
  const candidateEvents = candidate === null ? [] : readCandidate(candidate, state.calls);
  return [...startStream(state), ...candidateEvents, ...countUsage(data.usageMetadata, state), ...readEnd(data, candidate, state)];
}

function startStream(state: StreamState): CanonicalEvent[] {
  if (state.hasBegun) return [];
  state.hasBegun = true;
  return [{ kind: 'start' }];
}

/** Each usage replaces the previous one. */
function countUsage(value: unknown, state: StreamState): CanonicalEvent[] {
  const usage = readUsage(value);
  if (usage === null || isSameUsage(usage, state.usage)) return [];
  state.usage = usage;
  return [{ kind: 'usage', usage }];
}

const isSameUsage = (one: Usage, other: Usage | null): boolean => JSON.stringify(one) === JSON.stringify(other);

function readEnd(
  { promptFeedback }: Unchecked<GenerateContentResponse>,
  candidate: Unchecked<Candidate> | null,
  state: StreamState,
): CanonicalEvent[] {
  if (candidate !== null) return typeof candidate.finishReason === 'string' ? finish(candidate.finishReason, state) : [];
  // A rejected prompt has no candidates.
  const feedback: Unchecked<PromptFeedback> = toFields(promptFeedback);
  return typeof feedback.blockReason === 'string' ? finish('PROHIBITED_CONTENT', state) : [];
}

function finish(finishReason: string, state: StreamState): CanonicalEvent[] {
  const reason = readGeminiReason(finishReason, state.calls.made > 0);
  if (invalidCallReasons.has(finishReason)) return fail(state, "The model wrote a tool call that isn't valid. Try again.", finishReason);
  if (reason === null) return fail(state, "The upstream couldn't complete the response.", finishReason);
  state.isComplete = true;
  return [{ kind: 'finish', reason }];
}

function fail(state: StreamState, failure: string | GatewayError, finishReason?: string): CanonicalEvent[] {
  state.isComplete = true;
  const cause = finishReason === undefined ? undefined : new Error(`finish reason ${finishReason.slice(0, 64)}`);
  const error = typeof failure === 'string' ? new GatewayError<CallCode>('upstream_error', { message: failure, cause }) : failure;
  return [{ kind: 'failed', error }];
}
