/** Assembles a chat completion from the chunks of its stream. */
import { ModelgateError } from './errors.ts';
import type { EventStream } from './event-stream.ts';
import type { ChatCompletion, ChatCompletionChunk } from './types.gen.ts';

type Part = Record<string, unknown>;

/** Strings that some upstreams repeat in every chunk; all other strings come in pieces. */
const whole = ['id', 'type', 'role', 'name', 'object', 'model', 'finish_reason', 'service_tier', 'system_fingerprint'];

const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Pieces of tool calls and choices have an index; entries of other lists are appended. */
function joinLists(before: unknown, after: readonly unknown[]): unknown[] {
  const list: unknown[] = Array.isArray(before) ? before : [];
  for (const entry of after) {
    const known = isPart(entry) && 'index' in entry && list.find((other) => isPart(other) && other.index === entry.index);
    if (isPart(known) && isPart(entry)) join(known, entry);
    else list.push(isPart(entry) ? join({}, entry) : entry);
  }
  return list;
}

/** Unknown fields are joined as well: fields that an upstream adds to its chunks are in the completion. */
function join(before: Part, after: Part): Part {
  for (const [name, value] of Object.entries(after)) {
    const known = before[name];
    if (Array.isArray(value)) before[name] = joinLists(known, value);
    else if (isPart(value)) before[name] = join(isPart(known) ? known : {}, value);
    else if (typeof value === 'string' && typeof known === 'string' && !whole.includes(name)) before[name] = known + value;
    else if (value !== null || known === undefined) before[name] = value;
  }
  return before;
}

function withMessage({ delta, finish_reason = null, logprobs = null, ...choice }: Part): Part {
  const { role: _, content = null, refusal = null, tool_calls, ...more } = isPart(delta) ? delta : {};
  // Only chunks have an index, which identifies the call that a delta belongs to.
  const calls = Array.isArray(tool_calls) && { tool_calls: tool_calls.map(({ index: _index, ...call }) => call) };
  return { ...choice, message: { role: 'assistant', content, refusal, ...calls, ...more }, finish_reason, logprobs };
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
  let joined: Part | undefined;
  for await (const chunk of stream) {
    onChunk?.(chunk);
    joined = join(joined ?? {}, { ...chunk });
  }
  if (!joined) throw new ModelgateError('The stream ended without a chunk.', { headers: stream.response.headers });
  const choices = joinLists([], Array.isArray(joined.choices) ? joined.choices : []).filter(isPart);
  choices.sort((a, b) => Number(a.index) - Number(b.index));
  // Assembled field by field from chunks of the contract, it has the shape of a completion.
  return { ...joined, object: 'chat.completion', choices: choices.map(withMessage) } as unknown as ChatCompletion;
}
