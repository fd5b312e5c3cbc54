/** Random frames and answers in which values are set, removed or moved where they do not belong. */
import fc from 'fast-check';
import type { SseEvent } from '../../fakes/frames.ts';
import type { Kind } from './arbitrary-items.ts';
import { share } from './arbitrary-values.ts';
import { answers, framesOf } from './transcripts.ts';

type Json = Readonly<Record<string, unknown>>;

/** Values that break code: other types, numbers out of range, names of the prototype, words of the protocols in wrong places. */
const special = fc.constantFrom<unknown>(
  ...[null, true, '', 0, -1, 1.5, 1e308, 2 ** 53, [], {}, [null], [[]], '\ud800', '[DONE]', '__proto__', 'constructor', 'error'],
  ...[
    { length: 3 },
    { __proto__: 1, toString: 1, hasOwnProperty: 1 },
    [{ type: 'text' }],
    'response.completed',
    'tool_use',
    'MAX_TOKENS',
    'length',
  ],
  ...['function_call', { type: 'function_call' }, { type: 'message', content: [{}] }, { type: 'reasoning', summary: [{}] }, { error: {} }],
);
export const anything: fc.Arbitrary<unknown> = fc.oneof(special, special, fc.jsonValue({ maxDepth: 3 }));

interface Blow {
  /** The frame and the value in it that are changed, both as a fraction of their number. */
  readonly frame: number;
  readonly place: number;
  readonly how: 'set' | 'remove' | 'add' | 'repeat' | 'swap' | 'insert' | 'drop';
  readonly name: string;
  readonly value: unknown;
}

const names = [
  ...[
    'index',
    'type',
    'id',
    'name',
    'delta',
    'content',
    'arguments',
    'input',
    'usage',
    'error',
    'output',
    'item',
    'item_id',
    'output_index',
  ],
  ...[
    'content_block',
    'message',
    'candidates',
    'parts',
    'functionCall',
    'args',
    'tool_calls',
    'function',
    'custom',
    'choices',
    'finish_reason',
  ],
  ...[
    'stop_reason',
    'response',
    'refusal',
    'annotations',
    'annotation',
    'logprobs',
    'signature',
    'thinking',
    'text',
    'thought',
    'thoughtSignature',
  ],
  ...[
    ...['toolUse', 'reasoningContent', 'contentBlockIndex', 'stopReason'],
    'finishReason',
    'promptFeedback',
    'usageMetadata',
    'encrypted_content',
    'namespace',
    'call_id',
    'status',
    'incomplete_details',
    '__proto__',
  ],
];
const blow: fc.Arbitrary<Blow> = fc.record({
  frame: share,
  place: share,
  how: fc.constantFrom('set', 'set', 'set', 'set', 'remove', 'add', 'add', 'repeat', 'swap', 'insert', 'drop'),
  name: fc.constantFrom(...names),
  value: anything,
});

/** All places of values: the object or list, and the key in it. */
function placesIn(value: unknown): (readonly [Record<string, unknown>, string])[] {
  if (typeof value !== 'object' || value === null) return [];
  // Lists are reached by their keys, too.
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [[holder, key] as const, ...placesIn(holder[key])]);
}

const put = (holder: Record<string, unknown>, key: string, value: unknown): void => {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
};

function hit(data: unknown, { place, how, name, value }: Blow): void {
  const places = placesIn(data);
  const [holder, key] = places[Math.floor(place * places.length)] ?? [];
  if (holder === undefined || key === undefined) return;
  if (how === 'remove') delete holder[key];
  else put(holder, how === 'add' ? name : key, structuredClone(value));
}

function strike(frames: readonly SseEvent[], blow: Blow): readonly SseEvent[] {
  const at = Math.floor(blow.frame * frames.length);
  const frame = frames[at];
  if (frame === undefined) return frames;
  switch (blow.how) {
    case 'repeat':
      return frames.toSpliced(at, 0, frame);
    case 'drop':
      return frames.toSpliced(at, 1);
    case 'swap':
      return frames.toSpliced(at, 2, ...frames.slice(at, at + 2).reverse());
    case 'insert':
      return frames.toSpliced(at, 0, { data: JSON.stringify(blow.value) });
    default: {
      const copy = structuredClone(frame);
      hit(copy.data, blow);
      return frames.with(at, copy);
    }
  }
}

const logprobs = { content: [{ token: 'a', logprob: -1, bytes: [97], top_logprobs: [{ token: 'b', logprob: -2, bytes: null }] }] };
const citation = { type: 'url_citation', url_citation: { url: 'https://example.com', title: 'a', start_index: 0, end_index: 1 } };
const item = { item_id: 'msg_fake', output_index: 0, content_index: 0 };
const delta = (fields: Json) => ({ choices: [{ index: 0, delta: fields, logprobs, finish_reason: null }] });
const part = (fields: Json) => ({ candidates: [{ content: { parts: [fields] }, logprobsResult: { chosenCandidates: [{ token: 'a' }] } }] });

/** Events that plain answers do not have. */
const rare: Readonly<Record<Kind, readonly Json[]>> = {
  chat: [
    ...[
      delta({ content: 'a' }),
      delta({ annotations: [citation] }),
      delta({ refusal: 'No.' }),
      delta({ content: [{ type: 'text', text: 'a' }] }),
    ],
    ...[
      delta({ tool_calls: [{ id: 'call_9', function: { name: 'get_rain', arguments: { a: 1 } } }] }),
      { error: { message: 'a', code: 'b' } },
    ],
  ],
  responses: [
    {
      type: 'response.output_text.annotation.added',
      ...item,
      annotation_index: 0,
      annotation: { ...citation.url_citation, type: 'url_citation' },
    },
    { type: 'response.output_text.delta', ...item, delta: 'a', logprobs: logprobs.content },
    { type: 'response.refusal.delta', ...item, delta: 'No.' },
    { type: 'response.reasoning_text.delta', ...item, delta: 'Hm' },
    {
      type: 'response.output_item.done',
      output_index: 9,
      item: { type: 'message', id: 'm', content: [{ type: 'output_text', text: 'a', annotations: [citation] }] },
    },
    { type: 'error', code: 'rate_limit_exceeded', message: 'a', param: null },
    { type: 'response.incomplete', response: { incomplete_details: { reason: 'content_filter' }, output: [] } },
  ],
  anthropic: [
    { type: 'content_block_delta', index: 0, delta: { type: 'citations_delta', citation: {} } },
    { type: 'content_block_start', index: 9, content_block: { type: 'redacted_thinking', data: 'a' } },
    { type: 'content_block_stop', index: 9 },
    { type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: 3 } },
    { type: 'error', error: { type: 'overloaded_error', message: 'a' } },
  ],
  gemini: [
    ...[part({ text: 'a', thoughtSignature: 'b' }), part({ text: 'a', thought: true }), part({ functionCall: { name: 'apply_patch' } })],
    { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'a', details: [{ reason: 'API_KEY_INVALID' }, { retryDelay: '3s' }] } },
    { promptFeedback: { blockReason: 'SAFETY' } },
  ],
  converse: [
    { contentBlockDelta: { contentBlockIndex: 0, delta: { citation: {} } } },
    { contentBlockStart: { contentBlockIndex: 9, start: { toolUse: { toolUseId: 'call_9', name: 'get_rain' } } } },
    { contentBlockDelta: { contentBlockIndex: 9, delta: { toolUse: { input: '' } } } },
    { contentBlockDelta: { contentBlockIndex: 8, delta: { reasoningContent: { redactedContent: 'a' } } } },
    { messageStop: { stopReason: 'malformed_tool_use' } },
    { type: 'error', error: { type: 'overloaded_error', message: 'a' } },
  ],
};

/** Frames of a stream of this kind with one to four changes. */
export const hostileFrames = (kind: Kind): fc.Arbitrary<readonly SseEvent[]> =>
  fc
    .tuple(
      answers,
      fc.array(fc.tuple(share, fc.constantFrom(...rare[kind])), { maxLength: 2 }),
      fc.array(blow, { minLength: 1, maxLength: 4 }),
    )
    .map(([said, more, blows]) => {
      const told = framesOf(kind, said).map((frame) => structuredClone({ ...frame }));
      const frames = more.reduce((all, [at, data]) => all.toSpliced(Math.floor(at * all.length), 0, { data }), told);
      return blows.reduce<readonly SseEvent[]>(strike, frames);
    });

/** A whole answer with such changes. */
export function hostileWhole(whole: Json): fc.Arbitrary<Json> {
  return fc.array(blow, { minLength: 1, maxLength: 4 }).map((blows) => {
    // A copy of an object is one.
    const copy = structuredClone(whole) as Json;
    for (const each of blows) hit(copy, each);
    return JSON.parse(JSON.stringify(copy));
  });
}
