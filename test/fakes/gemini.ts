/** Builds answers in Gemini's format, whole and as a stream of partial answers, for the `json` and `stream` scripts. */
import { cutText, fakeText, joinText } from './chat.ts';
import { json } from './delivery.ts';
import type { SseEvent } from './frames.ts';
import type { Script } from './script.ts';

export const geminiUsage = {
  promptTokenCount: 9,
  toolUsePromptTokenCount: 2,
  cachedContentTokenCount: 3,
  candidatesTokenCount: 5,
  thoughtsTokenCount: 2,
  totalTokenCount: 18,
};

export interface GeminiCall {
  /** Absent for older models. */
  readonly id?: string;
  readonly name: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly signature?: string;
}

export interface GeminiReply {
  readonly responseId?: string;
  readonly model?: string;
  /** As in a chat reply. */
  readonly text?: string | readonly string[] | null;
  /** Signature on the last piece of the text. */
  readonly textSignature?: string;
  readonly thoughts?: string | readonly string[];
  readonly calls?: readonly GeminiCall[];
  /** Null: no event has a finish reason. */
  readonly finishReason?: string | null;
  /** Why the vendor refuses the prompt: the answer has no candidates then. */
  readonly blockReason?: string;
  readonly logprobsResult?: unknown;
  /** Null leaves it out. Any other value is sent unchanged. */
  readonly usage?: unknown;
}

type Part = Readonly<Record<string, unknown>>;

export function geminiAnswer(reply: GeminiReply = {}): Record<string, unknown> {
  if (reply.blockReason !== undefined) return blocked(reply);
  const { text = defaultText(reply), thoughts } = reply;
  const parts = [
    ...(thoughts === undefined ? [] : [thought(joinText(thoughts))]),
    ...(text === null ? [] : [{ text: joinText(text), ...signed(reply.textSignature) }]),
    ...(reply.calls ?? []).map(callPart),
  ];
  return piece(reply, parts, true);
}

/** The events of a stream: each is a partial answer, calls are whole, the last has the finish reason; no `[DONE]`. */
export function geminiFrames(reply: GeminiReply = {}): SseEvent[] {
  if (reply.blockReason !== undefined) return [{ data: blocked(reply) }];
  const { text = defaultText(reply), thoughts = [] } = reply;
  const texts = text === null ? [] : cutText(text);
  const parts = [
    ...cutText(thoughts).map(thought),
    ...texts.map((said, at) => ({ text: said, ...signed(at === texts.length - 1 ? reply.textSignature : undefined) })),
    ...(reply.calls ?? []).map(callPart),
  ];
  return parts.map((part, at) => ({ data: piece(reply, [part], at === parts.length - 1) }));
}

/** The id of a call without the mark that the gateway adds to ids of this vendor. */
export const unmarked = (id: string): string => id.replace(/_[0-9a-f]{8}$/, '');

/** An error answer in the vendor's envelope, with the given status. */
export function geminiFailure(status: number, word: string, message = 'The fake vendor refuses.', details: readonly Part[] = []): Script {
  return json(geminiError(status, word, message, details), { status });
}

export const geminiError = (code: number, status: string, message: string, details: readonly Part[] = []) => ({
  error: { code, message, status, ...(details.length > 0 && { details }) },
});

/** The vendor's form of the time to wait before a retry. */
export const retryInfo = (retryDelay: string) => ({ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay });

const defaultText = ({ calls }: GeminiReply): string | null => (calls?.length ? null : fakeText);
const thought = (text: string): Part => ({ text, thought: true });
const signed = (signature: string | undefined): Part => (signature === undefined ? {} : { thoughtSignature: signature });

const callPart = ({ id, name, args, signature }: GeminiCall): Part => ({
  functionCall: { ...(id !== undefined && { id }), name, ...(args && { args }) },
  ...signed(signature),
});

/** Before the last event the usage has no output counts. */
function piece(reply: GeminiReply, parts: readonly Part[], isLast: boolean): Record<string, unknown> {
  const { usage = isLast ? geminiUsage : { promptTokenCount: 9, totalTokenCount: 9 } } = reply;
  const { finishReason = 'STOP', logprobsResult } = reply;
  const ending = { ...(isLast && finishReason !== null && { finishReason }), ...(isLast && logprobsResult ? { logprobsResult } : {}) };
  return {
    candidates: [{ content: { parts, role: 'model' }, index: 0, ...ending }],
    ...(usage !== null && { usageMetadata: usage }),
    ...shell(reply),
  };
}

const blocked = (reply: GeminiReply) => ({
  promptFeedback: { blockReason: reply.blockReason },
  usageMetadata: { promptTokenCount: 9, totalTokenCount: 9 },
  ...shell(reply),
});

const shell = ({ model, responseId }: GeminiReply) => ({
  modelVersion: model ?? 'gemini-fake',
  responseId: responseId ?? 'fake-response',
});
