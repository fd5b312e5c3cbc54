/** Combines the chunks of a chat stream into a chat completion. */
import { ModelgateError } from './errors.ts';
import type { EventStream } from './event-stream.ts';
import type { ChatCompletion, ChatCompletionChunk } from './types.gen.ts';

type ChunkPart = Record<string, unknown>;

/** Fields that some upstreams repeat in every chunk. All other strings arrive in pieces, which are concatenated. */
const whole = ['id', 'type', 'role', 'name', 'object', 'model', 'finish_reason', 'service_tier', 'system_fingerprint'];

const isPart = (value: unknown): value is ChunkPart => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Merges entries with the same `index`, such as tool calls and choices. Appends all other entries. */
function joinLists(before: unknown, after: readonly unknown[]): unknown[] {
  const list: unknown[] = Array.isArray(before) ? before : [];
  for (const entry of after) {
    const known = isPart(entry) && 'index' in entry && list.find((other) => isPart(other) && other.index === entry.index);
    if (isPart(known) && isPart(entry)) join(known, entry);
    else list.push(isPart(entry) ? join({}, entry) : entry);
  }
  return list;
}

/** Also merges unknown fields, so that the completion has fields that an upstream adds to its chunks. */
function join(before: ChunkPart, after: ChunkPart): ChunkPart {
  for (const [name, value] of Object.entries(after)) {
    const known = before[name];
    if (Array.isArray(value)) before[name] = joinLists(known, value);
    else if (isPart(value)) before[name] = join(isPart(known) ? known : {}, value);
    else if (typeof value === 'string' && typeof known === 'string' && !whole.includes(name)) before[name] = known + value;
    else if (value !== null || known === undefined) before[name] = value;
  }
  return before;
}

function toCompleteChoice({ delta, finish_reason = null, logprobs = null, ...choice }: ChunkPart): ChunkPart {
  const { role: _, content = null, refusal = null, tool_calls, ...more } = isPart(delta) ? delta : {};
  // `index` identifies the call of a delta. Complete tool calls don't have it.
  const toolCallsField = Array.isArray(tool_calls) && { tool_calls: tool_calls.map(({ index: _index, ...call }) => call) };
  return { ...choice, message: { role: 'assistant', content, refusal, ...toolCallsField, ...more }, finish_reason, logprobs };
}

/**
 * Reads a chat stream to its end and resolves with the complete response. It has `usage` if `stream_options.include_usage` was true.
 * `onChunk` gets every chunk as it arrives. Rejects if the stream is cut, and with a `ModelgateError` if it has no chunk.
 *
 * @see README.md, “Streams”
 */
export async function finalCompletion(
  stream: EventStream<ChatCompletionChunk>,
  onChunk?: (chunk: ChatCompletionChunk) => void,
): Promise<ChatCompletion> {
  let joined: ChunkPart | undefined;
  for await (const chunk of stream) {
    onChunk?.(chunk);
    joined = join(joined ?? {}, { ...chunk });
  }
  if (!joined) throw new ModelgateError('The stream ended without a chunk.', { headers: stream.response.headers });
  const choices = joinLists([], Array.isArray(joined.choices) ? joined.choices : []).filter(isPart);
  choices.sort((a, b) => Number(a.index) - Number(b.index));
  // `as`: the fields are merged from contract chunks, so the result has the shape of a completion.
  return { ...joined, object: 'chat.completion', choices: choices.map(toCompleteChoice) } as unknown as ChatCompletion;
}
