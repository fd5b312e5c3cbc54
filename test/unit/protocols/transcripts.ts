/** Writes one answer as a stream of each kind of upstream, and finds the byte at which it is complete. */
import fc from 'fast-check';
import { anthropicFrames } from '../../fakes/anthropic.ts';
import { chatFrames } from '../../fakes/chat.ts';
import { converseEvents } from '../../fakes/converse.ts';
import { type Framing, frameBytes, type SseEvent } from '../../fakes/frames.ts';
import { geminiFrames } from '../../fakes/gemini.ts';
import { responseFrames } from '../../fakes/responses.ts';
import type { Kind } from './arbitrary-items.ts';
import { solid, words } from './arbitrary-values.ts';

export interface Said {
  /** Reasoning. Chat vendors have an unofficial field for it. */
  readonly thought: string | null;
  readonly text: readonly string[] | null;
  readonly calls: readonly { readonly name: string; readonly input: Readonly<Record<string, string>> }[];
}

export const rich: Said = {
  thought: 'Hm…',
  text: ['Grüße', '\n\n🌍'],
  calls: [
    { name: 'get_rain', input: { city: 'Århus' } },
    { name: 'apply_patch', input: { input: '"\n🌧' } },
  ],
};
export const answers: fc.Arbitrary<Said> = fc.record({
  thought: fc.option(solid),
  text: fc.option(fc.array(words, { minLength: 1, maxLength: 4 })),
  calls: fc.array(
    fc.oneof(
      words.map((city) => ({ name: 'get_rain', input: { city } })),
      words.map((input) => ({ name: 'apply_patch', input: { input } })),
    ),
    { maxLength: 3 },
  ),
});

/** Splits a text between two characters. */
const halved = (text: string): readonly string[] => {
  const characters = [...text];
  return [characters.slice(0, 5).join(''), characters.slice(5).join('')];
};

/** Calls of custom tools are custom calls on responses, and functions with one argument elsewhere. */
function callsOf({ calls }: Said, hasCustom: boolean) {
  return calls.map(({ name, input }, at) => {
    const custom = hasCustom && name === 'apply_patch';
    const text = custom ? (input.input ?? '') : JSON.stringify(input);
    return { id: `call_${at}`, name, arguments: halved(text), ...(custom && { custom }) };
  });
}

const makers: Readonly<Record<Kind, (said: Said) => SseEvent[]>> = {
  chat: (said) => {
    const [first, ...rest] = chatFrames({
      model: 'up-model',
      text: said.text ?? null,
      toolCalls: callsOf(said, false),
      includeUsage: true,
      extra: null,
    });
    const thought = { ...chunk(first), choices: [{ index: 0, delta: { reasoning_content: said.thought }, finish_reason: null }] };
    return [...(first ? [first] : []), ...(said.thought === null ? [] : [{ data: thought }]), ...rest];
  },
  responses: (said) =>
    responseFrames({
      model: 'up-model',
      text: said.text ?? null,
      ...(said.thought !== null && { reasoning: said.thought }),
      toolCalls: callsOf(said, true),
      extra: null,
    }).map(withoutEcho),
  anthropic: (said) =>
    anthropicFrames({ text: said.text, thoughts: said.thought === null ? [] : [{ text: said.thought }], toolCalls: callsOf(said, false) }),
  gemini: (said) =>
    // A stream without text would have no last frame.
    geminiFrames({
      text: said.text ?? [''],
      ...(said.thought !== null && { thoughts: said.thought }),
      calls: said.calls.map(({ name, input }, at) => ({ id: `call_${at}`, name, args: input, ...(at === 0 && { signature: 'c2ln' }) })),
    }),
  // As the framing hands them on.
  converse: (said) =>
    converseEvents({
      text: said.text,
      thoughts: said.thought === null ? [] : [{ text: said.thought }],
      toolCalls: callsOf(said, false),
    }).map(({ event = '', data }) => ({ data: { [event]: data } })),
};
/** The fields that are kept: the echoed settings are half of the bytes and do not matter here. */
const lasting = ['id', 'object', 'created_at', 'status', 'model', 'output', 'usage'];
function withoutEcho({ data, ...frame }: SseEvent): SseEvent {
  // Each event of this vendor is an object; some have the response.
  const { response, ...event } = data as Readonly<Record<string, unknown>>;
  if (typeof response !== 'object' || response === null) return { ...frame, data };
  return {
    ...frame,
    data: { ...event, response: Object.fromEntries(Object.entries(response).filter(([name]) => lasting.includes(name))) },
  };
}
// A frame of chat is an object.
const chunk = (frame: SseEvent | undefined) => frame?.data as Readonly<Record<string, unknown>>;

export const framesOf = (kind: Kind, said: Said): SseEvent[] => makers[kind](said);

export const bytesOf = (frames: readonly SseEvent[], framing: Framing = {}): Buffer =>
  Buffer.concat(frames.map((frame) => frameBytes(frame, framing)));

/** The mark of a complete answer; after it only usage may follow. */
const terminal: Readonly<Record<Kind, RegExp>> = {
  chat: /"finish_reason":"/,
  responses: /"type":"response\.completed"/,
  anthropic: /"type":"message_stop"/,
  gemini: /"finishReason":"/,
  converse: /"messageStop":/,
};

/** The number of bytes that a complete answer needs. */
export function enough(kind: Kind, frames: readonly SseEvent[], framing: Framing = {}): number {
  const at = frames.findIndex(({ data }) => terminal[kind].test(compact(data)));
  if (at < 0) throw new Error('the transcript has no end');
  return bytesOf(frames.slice(0, at + 1), framing).length;
}

/** Data as compact JSON. A string is JSON already, or `[DONE]`. */
const compact = (data: unknown): string =>
  JSON.stringify(typeof data === 'string' && data !== '[DONE]' ? JSON.parse(data) : (data ?? null));

export interface Variant {
  readonly name: string;
  readonly framing: Framing;
  readonly change: (frames: readonly SseEvent[]) => readonly SseEvent[];
}
const asTheyAre = (frames: readonly SseEvent[]) => frames;
const commented = (frames: readonly SseEvent[]): SseEvent[] =>
  frames.flatMap((frame, at) => [{ comment: at % 2 === 0 ? '' : ' ping: data: {}' }, { ...frame, comment: ' note' }]);

/** Other ways to write the same stream. */
export const variants: readonly Variant[] = [
  { name: 'CRLF', framing: { lineEnd: '\r\n' }, change: asTheyAre },
  { name: 'no space behind colons', framing: { space: false }, change: asTheyAre },
  { name: 'CRLF and no space', framing: { lineEnd: '\r\n', space: false }, change: asTheyAre },
  { name: 'comments and blank comments', framing: {}, change: commented },
  { name: 'comments with CRLF', framing: { lineEnd: '\r\n' }, change: commented },
  { name: 'no names of events', framing: {}, change: (frames) => frames.map(({ event: _, ...frame }) => frame) },
  {
    name: 'names and ids of all events',
    framing: {},
    change: (frames) => frames.map((frame, at) => ({ event: 'message', ...frame, id: String(at) })),
  },
  {
    name: 'data over several lines',
    framing: {},
    change: (frames) =>
      frames.map(({ data, ...frame }) => ({ ...frame, data: typeof data === 'string' ? data : JSON.stringify(data, null, 1) })),
  },
];
