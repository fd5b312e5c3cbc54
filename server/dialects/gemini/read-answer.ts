/** Reads the parts of a Gemini answer; a whole answer and a piece of a streamed one have the same form. */
import { type Fields, isFields } from '../../../contract/rule.ts';
import { unwrapInput } from '../non-openai/tools.ts';
import { packReasoning } from '../turn/encrypted-reasoning.ts';
import { type FlatToolNames, shortHash } from '../turn/tool-names.ts';
import type { FinishReason, Logprob, Turn, TurnEvent } from '../turn/turn.ts';
import { readCount, type Usage } from '../usage.ts';
import { markId } from './call-ids.ts';
import { PROVIDER, type Signed } from './wire.ts';

export interface Calls {
  readonly names: FlatToolNames;
  readonly turn: Turn;
  /** What the upstream calls this answer. */
  responseId: string;
  made: number;
  /** Whether the caller was told of a part that cannot be handed on. */
  hasToldLoss: boolean;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export function readCandidate(candidate: Fields, calls: Calls): TurnEvent[] {
  const content = isFields(candidate.content) ? candidate.content : {};
  const parts = Array.isArray(content.parts) ? content.parts.filter(isFields) : [];
  return withLogprobs(
    parts.flatMap((part) => readPart(part, calls)),
    readLogprobs(candidate.logprobsResult),
  );
}

function readPart(part: Fields, calls: Calls): TurnEvent[] {
  if (isFields(part.functionCall)) return [...readSignature(part, 'call'), ...readCall(part.functionCall, calls)];
  if (part.thought !== true && (isFields(part.inlineData) || isFields(part.fileData)))
    return [...tellLoss(part, calls), ...readSignature(part, 'text')];
  const said = text(part.text);
  if (part.thought === true)
    return [...(said === '' ? [] : [{ kind: 'reasoning', part: 0, text: said } as const]), ...readSignature(part, 'thought')];
  return [...(said === '' ? [] : [{ kind: 'text', text: said } as const]), ...readSignature(part, 'text')];
}

/** A picture or file as an answer has no place in text: the caller reads that beside the text, once, instead of an empty answer. */
function tellLoss({ inlineData, fileData }: Fields, calls: Calls): TurnEvent[] {
  if (calls.hasToldLoss) return [];
  calls.hasToldLoss = true;
  const data = isFields(inlineData) ? inlineData : fileData;
  const type = isFields(data)
    ? text(data.mimeType)
        .slice(0, 64)
        .replace(/[^\w.+/-]/g, '?')
    : '';
  return [{ kind: 'refusal', text: `The model answered with data of the type '${type || 'unknown'}', which cannot be handed on here.` }];
}

/** A part's signature as an event; for a call it comes before the call, like the reasoning that led to it. */
function readSignature(part: Fields, on: Signed['on']): TurnEvent[] {
  const signature = text(part.thoughtSignature);
  const signed: Signed = { provider: PROVIDER, on, signature, length: text(part.text).length };
  return signature === '' ? [] : [{ kind: 'encrypted', encrypted: packReasoning(PROVIDER, signed) }];
}

function readCall(call: Fields, calls: Calls): TurnEvent[] {
  const index = calls.made++;
  const tool = calls.names.fromWire(text(call.name));
  const json = JSON.stringify(isFields(call.args) ? call.args : {});
  const callId = markId(text(call.id)) || makeId([calls.responseId, calls.turn.items.length, index, call.name, json]);
  return [
    { kind: 'call', index, callId, ...tool },
    { kind: 'arguments', index, text: tool.form === 'custom' ? unwrapInput(json) : json },
  ];
}

/** The same answer gives the same id; another answer, or a later turn of the same chain, gives another. */
function makeId(seed: readonly unknown[]): string {
  const told = JSON.stringify(seed);
  return `call_${shortHash(told)}${shortHash(`${told}!`)}`;
}

/** The list speaks of the whole piece; it goes with the first text in it. */
function withLogprobs(events: TurnEvent[], logprobs: readonly Logprob[]): TurnEvent[] {
  const first = logprobs.length === 0 ? -1 : events.findIndex(({ kind }) => kind === 'text');
  const event = events[first];
  return event?.kind === 'text' ? events.with(first, { ...event, logprobs }) : events;
}

const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

function readLogprobs(result: unknown): Logprob[] {
  if (!isFields(result)) return [];
  const tops = listOf(result.topCandidates);
  return listOf(result.chosenCandidates).map((chosen, index) => ({
    ...readToken(chosen),
    top: listOf(tops[index]?.candidates).map(readToken),
  }));
}

const readToken = ({ token, logProbability }: Fields) => ({
  token: text(token),
  logprob: typeof logProbability === 'number' ? logProbability : 0,
  bytes: null,
});

const reasons: Readonly<Record<string, FinishReason>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'content_filter',
  RECITATION: 'content_filter',
  BLOCKLIST: 'content_filter',
  PROHIBITED_CONTENT: 'content_filter',
  SPII: 'content_filter',
  LANGUAGE: 'content_filter',
  MODEL_ARMOR: 'content_filter',
  // Mistakes of the model: the answer has ended, and asking again would be billed again.
  MALFORMED_FUNCTION_CALL: 'stop',
  UNEXPECTED_TOOL_CALL: 'stop',
  TOO_MANY_TOOL_CALLS: 'stop',
};

/** Null for what is a failure of the upstream, unknown reasons among them: an answer must not look complete that may not be. */
export function readReason(reason: string, hasCalls: boolean): FinishReason | null {
  if (reason.startsWith('IMAGE_')) return 'content_filter';
  const known = Object.hasOwn(reasons, reason) ? (reasons[reason] ?? null) : null;
  return known === 'stop' && hasCalls ? 'tool_calls' : known;
}

const counts = ['promptTokenCount', 'candidatesTokenCount', 'thoughtsTokenCount', 'toolUsePromptTokenCount'] as const;

/** Gemini counts reasoning apart from the output; here it is part of the output. On Vertex AI, all pieces but the last name the kind of traffic alone: that is no usage. */
export function readUsage(value: unknown): Usage | null {
  if (!isFields(value) || counts.every((name) => value[name] === undefined)) return null;
  const reasoning = readCount(value.thoughtsTokenCount);
  return {
    input: readCount(value.promptTokenCount) + readCount(value.toolUsePromptTokenCount),
    cached: readCount(value.cachedContentTokenCount),
    output: readCount(value.candidatesTokenCount) + reasoning,
    reasoning,
  };
}
