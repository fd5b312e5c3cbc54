/** Reads a response from its events or its body: text, reasoning, tool calls, refusal, and images. */
import { type Fields, type Frame, isFields, type Tab, toList } from './frames.ts';
import type { Run } from './run.ts';

export interface StreamReport {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly name: string; readonly input: string }[];
  /** Data URLs. */
  readonly images: readonly string[];
}

const toFields = (value: unknown): Fields => (isFields(value) ? value : {});
const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

export const readAnswer = ({ tab, whole, frames }: Run): StreamReport => (whole ? readWhole(tab, whole) : readStream(tab, frames));

/** Reads a response without streaming. */
function readWhole(tab: Tab, body: Fields): StreamReport {
  if (tab === 'images') return { ...nothing, images: toList(body.data).map((one) => toImageUrl(one, body)) };
  return tab === 'chat' ? readMessage(toFields(toList(body.choices)[0]?.message)) : readItems(toList(body.output));
}

/** Reads the events of a stream so far. */
function readStream(tab: Tab, frames: readonly Frame[]): StreamReport {
  const data = frames.flatMap((frame) => (frame.data ? [frame.data] : []));
  if (tab === 'images') return readImages(data);
  return tab === 'chat' ? readChunks(data) : readEvents(data);
}

const nothing: StreamReport = { text: '', reasoning: '', calls: [], images: [] };

function toImageUrl({ b64_json: bytes }: Fields, { output_format: format }: Fields): string {
  return `data:image/${toText(format) || 'png'};base64,${toText(bytes)}`;
}

function readItems(items: readonly Fields[]): StreamReport {
  const listParts = (type: string, field: string) => items.filter((item) => item.type === type).flatMap((item) => toList(item[field]));
  return {
    text: listParts('message', 'content')
      .map(({ text, refusal }) => toText(text) || toText(refusal))
      .join('\n\n'),
    reasoning: listParts('reasoning', 'summary')
      .map(({ text }) => toText(text))
      .join('\n\n'),
    calls: items.flatMap(({ name, arguments: given, input }) =>
      typeof name === 'string' ? [{ name, input: toText(given) || toText(input) }] : [],
    ),
    images: [],
  };
}

function readMessage({ content, refusal, tool_calls: calls, reasoning_content: reasoning }: Fields): StreamReport {
  return {
    text: toText(content) || toText(refusal),
    reasoning: toText(reasoning),
    calls: toList(calls).map((call) => toToolCall(toFields(call.function ?? call.custom))),
    images: [],
  };
}
const toToolCall = ({ name, arguments: given, input }: Fields) => ({ name: toText(name), input: toText(given) || toText(input) });

function readEvents(events: readonly Fields[]): StreamReport {
  const joinDeltas = (...types: string[]) =>
    events
      .filter(({ type }) => types.includes(toText(type)))
      .map(({ delta }) => toText(delta))
      .join('');
  const items = events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => toFields(item));
  return {
    text: joinDeltas('response.output_text.delta', 'response.refusal.delta'),
    reasoning: joinDeltas('response.reasoning_summary_text.delta', 'response.reasoning_text.delta'),
    calls: readItems(items).calls,
    images: [],
  };
}

function readChunks(chunks: readonly Fields[]): StreamReport {
  const deltas = chunks.flatMap(({ choices }) => toList(choices).map(({ delta }) => toFields(delta)));
  const calls = new Map<unknown, { name: string; input: string }>();
  for (const call of deltas.flatMap(({ tool_calls }) => toList(tool_calls))) {
    const { name, input } = toToolCall(toFields(call.function ?? call.custom));
    const known = calls.get(call.index) ?? { name: '', input: '' };
    calls.set(call.index, { name: known.name + name, input: known.input + input });
  }
  const joinChunkFields = (...names: string[]) => deltas.map((delta) => names.map((name) => toText(delta[name])).join('')).join('');
  return {
    text: joinChunkFields('content', 'refusal'),
    reasoning: joinChunkFields('reasoning_content'),
    calls: [...calls.values()],
    images: [],
  };
}

function readImages(events: readonly Fields[]): StreamReport {
  const drawn = events.filter(({ b64_json }) => typeof b64_json === 'string');
  const done = drawn.filter(({ type }) => toText(type).endsWith('.completed'));
  return { ...nothing, images: (done.length > 0 ? done : drawn.slice(-1)).map((event) => toImageUrl(event, event)) };
}
