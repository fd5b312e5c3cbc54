/** What an answer says to people, out of its frames or its whole body: text, reasoning, calls of tools, refusal, images. */
import type { Fields, Frame, Tab } from './frames.ts';

export interface StreamReport {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly name: string; readonly input: string }[];
  /** Data URLs. */
  readonly images: readonly string[];
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Of an answer in one piece. */
export function readWhole(tab: Tab, body: Fields): StreamReport {
  if (tab === 'images') return { ...nothing, images: listOf(body.data).map((one) => imageOf(one, body)) };
  return tab === 'chat' ? readMessage(fieldsOf(listOf(body.choices)[0]?.message)) : readItems(listOf(body.output));
}

/** Of a stream as far as it has come. */
export function readStream(tab: Tab, frames: readonly Frame[]): StreamReport {
  const data = frames.flatMap((frame) => (frame.data ? [frame.data] : []));
  if (tab === 'images') return readImages(data);
  return tab === 'chat' ? readChunks(data) : readEvents(data);
}

const nothing: StreamReport = { text: '', reasoning: '', calls: [], images: [] };

function imageOf({ b64_json: bytes }: Fields, { output_format: format }: Fields): string {
  return `data:image/${textOf(format) || 'png'};base64,${textOf(bytes)}`;
}

function readItems(items: readonly Fields[]): StreamReport {
  const parts = (type: string, field: string) => items.filter((item) => item.type === type).flatMap((item) => listOf(item[field]));
  return {
    text: parts('message', 'content')
      .map(({ text, refusal }) => textOf(text) || textOf(refusal))
      .join('\n\n'),
    reasoning: parts('reasoning', 'summary')
      .map(({ text }) => textOf(text))
      .join('\n\n'),
    calls: items.flatMap(({ name, arguments: given, input }) =>
      typeof name === 'string' ? [{ name, input: textOf(given) || textOf(input) }] : [],
    ),
    images: [],
  };
}

function readMessage({ content, refusal, tool_calls: calls, reasoning_content: reasoning }: Fields): StreamReport {
  return {
    text: textOf(content) || textOf(refusal),
    reasoning: textOf(reasoning),
    calls: listOf(calls).map((call) => callOf(fieldsOf(call.function ?? call.custom))),
    images: [],
  };
}
const callOf = ({ name, arguments: given, input }: Fields) => ({ name: textOf(name), input: textOf(given) || textOf(input) });

function readEvents(events: readonly Fields[]): StreamReport {
  const deltas = (...types: string[]) =>
    events
      .filter(({ type }) => types.includes(textOf(type)))
      .map(({ delta }) => textOf(delta))
      .join('');
  const items = events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => fieldsOf(item));
  return {
    text: deltas('response.output_text.delta', 'response.refusal.delta'),
    reasoning: deltas('response.reasoning_summary_text.delta', 'response.reasoning_text.delta'),
    calls: readItems(items).calls,
    images: [],
  };
}

function readChunks(chunks: readonly Fields[]): StreamReport {
  const deltas = chunks.flatMap(({ choices }) => listOf(choices).map(({ delta }) => fieldsOf(delta)));
  const calls = new Map<unknown, { name: string; input: string }>();
  for (const call of deltas.flatMap(({ tool_calls }) => listOf(tool_calls))) {
    const { name, input } = callOf(fieldsOf(call.function ?? call.custom));
    const known = calls.get(call.index) ?? { name: '', input: '' };
    calls.set(call.index, { name: known.name + name, input: known.input + input });
  }
  const joined = (...names: string[]) => deltas.map((delta) => names.map((name) => textOf(delta[name])).join('')).join('');
  return { text: joined('content', 'refusal'), reasoning: joined('reasoning_content'), calls: [...calls.values()], images: [] };
}

function readImages(events: readonly Fields[]): StreamReport {
  const drawn = events.filter(({ b64_json }) => typeof b64_json === 'string');
  const done = drawn.filter(({ type }) => textOf(type).endsWith('.completed'));
  return { ...nothing, images: (done.length > 0 ? done : drawn.slice(-1)).map((event) => imageOf(event, event)) };
}
