/** Hosted tools that a request merely offers: which of them it asks for, and the body without the others. */

import { InputItem } from '../../contract/responses/items.ts';
import { type CallCode, GatewayError, INVALID_JSON } from '../errors.ts';
import { type Fields, isFields, isSet } from '../primitives/fields.ts';
import { DEFAULT_MAX_TOKENS } from './anthropic/wire.ts';
import { eachFrame, frameObject } from './wire/frames.ts';
import { type JsonBody, withFields } from './wire/json-body.ts';

/** Whether the request asks for the tool: `tool_choice` names its type, alone or in a list, or it is a field of chat, which asks for a search. */
export const isWanted = ({ tool_choice: choice }: Fields, { type, path }: OfferedTool): boolean =>
  !path.endsWith(']') || isNamed(choice, type);

function isNamed(choice: unknown, type: string): boolean {
  if (!isFields(choice)) return false;
  const named: readonly unknown[] = Array.isArray(choice.tools) ? choice.tools : [choice];
  return named.some((each) => isFields(each) && each.type === type);
}

/** The body without the tools at these paths; null if one must be called and none would be left. */
export function withoutTools(body: JsonBody, paths: readonly string[]): JsonBody | null {
  const { tool_choice: choice, tools } = body.value;
  if (choice === 'required' && Array.isArray(tools) && tools.length <= paths.length) return null;
  return without(body, new Set(paths));
}

function without(body: JsonBody, paths: ReadonlySet<string>): JsonBody {
  const { tools, input, tool_choice: choice } = body.value;
  const kept = keep(tools, 'tools', paths);
  // Providers reject a `tool_choice` without tools. A choice between tools that the input declares stays.
  const isEmpty = Array.isArray(kept) && kept.length === 0 && (choice === 'auto' || choice === undefined || choice === null);
  const items = Array.isArray(input) ? input.map((item: unknown, index) => keepIn(item, `input[${index}].tools`, paths)) : input;
  const isChanged = Array.isArray(items) && Array.isArray(input) && items.some((item, index) => item !== input[index]);
  return withFields(body, {
    ...(kept !== tools && { tools: isEmpty ? undefined : kept }),
    ...(isEmpty && choice === 'auto' && { tool_choice: undefined }),
    ...(isChanged && { input: items }),
  });
}

function keepIn(item: unknown, path: string, paths: ReadonlySet<string>): unknown {
  if (!isFields(item)) return item;
  const tools = keep(item.tools, path, paths);
  return tools === item.tools ? item : ({ ...item, tools } satisfies Fields);
}

/** The list without the tools at these paths; the same list when none is removed. */
function keep(tools: unknown, path: string, paths: ReadonlySet<string>): unknown {
  if (!Array.isArray(tools)) return tools;
  const kept = tools.filter((_, index) => !paths.has(`${path}[${index}]`));
  return kept.length === tools.length ? tools : kept;
}

/** The number of calls by the type of their output items: `web_search_call`, `image_generation_call`, … */
export type HostedCalls = Readonly<Record<string, number>>;

/** A tool of the upstream that a request offers. */
export interface OfferedTool {
  readonly type: string;
  /** The type of the output items of its calls, by which they are priced. */
  readonly call: string;
  readonly path: string;
}

/** Tools that providers charge for: prefix of the type → type of the calls. Tools that the caller runs, and searches for tools, cost only tokens. */
const runThere = [
  ...['web_search', 'file_search', 'code_interpreter', 'image_generation', 'mcp', 'shell'].map((name) => [name, `${name}_call`] as const),
  ['programmatic_tool_calling', 'program_call'] as const,
];

/** Whether a shell runs at the caller. */
const isLocal = ({ environment }: Fields): boolean => isFields(environment) && environment.type === 'local';

/** The type of a tool's calls; null if the upstream doesn't run it. */
export function callOf(tool: unknown): string | null {
  if (!isFields(tool) || typeof tool.type !== 'string' || isLocal(tool)) return null;
  const { type } = tool;
  return runThere.find(([name]) => type.startsWith(name))?.[1] ?? null;
}

/** Searches `tools` and every input item that declares tools, and chat's `web_search_options`. */
export function offeredTools({ tools, input, messages, web_search_options: search }: Fields): OfferedTool[] {
  const found = isSet(search) ? [{ type: 'web_search', call: 'web_search_call', path: 'web_search_options' }] : [];
  if (Array.isArray(messages)) collectProviders(tools, found);
  else collect(tools, 'tools', found);
  if (Array.isArray(input))
    for (const [index, item] of input.entries()) if (isFields(item)) collect(item.tools, `input[${index}].tools`, found);
  return found;
}

function collect(tools: unknown, path: string, found: OfferedTool[]): void {
  if (!Array.isArray(tools)) return;
  for (const [index, tool] of tools.entries()) {
    const call = callOf(tool);
    if (call !== null) found.push({ type: String(tool.type), call, path: `${path}[${index}]` });
    if (isFields(tool)) collect(tool.tools, `${path}[${index}].tools`, found);
  }
}

/** Chat tools: besides the caller's own, a provider's tools, each with its own price. */
function collectProviders(tools: unknown, found: OfferedTool[]): void {
  if (!Array.isArray(tools)) return;
  for (const [index, tool] of tools.entries()) {
    if (!isFields(tool) || typeof tool.type !== 'string' || tool.type === 'function' || tool.type === 'custom') continue;
    const call = callOf(tool) ?? `${tool.type.toLowerCase().replace(/[^a-z0-9]+/g, '_')}_call`;
    found.push({ type: tool.type, call, path: `tools[${index}]` });
  }
}

/** Counts the calls in the output of a complete response. */
export function countHostedCalls(bytes: Buffer): HostedCalls {
  if (!mayHoldCalls(bytes)) return {};
  const counter = new HostedCallCounter();
  const response = parse(bytes);
  if (isFields(response) && Array.isArray(response.output)) for (const item of response.output) counter.add(item);
  return counter.calls;
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch (cause) {
    // Of a large response only the end was parsed before.
    throw new GatewayError<CallCode>('upstream_error', { message: INVALID_JSON, cause });
  }
}

const DONE = Buffer.from('response.output_item.done');

export class HostedCallCounter {
  readonly #calls = new Map<string, number>();

  get calls(): HostedCalls {
    return Object.fromEntries(this.#calls);
  }

  /** Takes frames that are sent to the caller. */
  see(frames: Buffer): void {
    if (!frames.includes(DONE) || !mayHoldCalls(frames)) return;
    eachFrame(frames, (frame) => {
      const event = frame.includes(DONE) ? frameObject(frame) : null;
      if (event?.type === 'response.output_item.done') this.add(event.item);
    });
  }

  add(item: unknown): void {
    if (!isFields(item) || typeof item.type !== 'string' || item.status === 'failed') return;
    const call = item.type === PROGRAM ? 'program_call' : item.type;
    if (isHostedCall(call)) this.#calls.set(call, (this.#calls.get(call) ?? 0) + 1);
  }
}

const PROGRAM = 'program';
const callersOwn = new Set(['function_call', 'custom_tool_call']);
const isHostedCall = (type: string): boolean => /^[a-z][a-z0-9_]{0,58}_call$/.test(type) && !callersOwn.has(type);

const END_OF_NAME = Buffer.from('_call"');
/** The longest name with its opening quote, in bytes. */
const LONGEST = 66;

/** Whether the bytes may hold calls to count. Most answers hold only calls of the caller's functions, and needn't be parsed. */
function mayHoldCalls(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(END_OF_NAME); at >= 0; at = bytes.indexOf(END_OF_NAME, at + END_OF_NAME.length)) {
    const end = at + END_OF_NAME.length - 1;
    const before = bytes.toString('latin1', Math.max(end - LONGEST, 0), end);
    if (isHostedCall(before.slice(before.lastIndexOf('"') + 1))) return true;
  }
  return bytes.includes(`"${PROGRAM}"`);
}

/** The most tokens of one image, however few bytes it has. */
export const TOKENS_PER_IMAGE = 10_000;

export interface Enclosed {
  /** Inline images. */
  readonly images: number;
  /** Whether there are images or files by URL or ID, or compressed documents: their tokens have no bound in the request's bytes. */
  readonly bringsMore: boolean;
}

type Kind = 'image' | 'more' | 'words';

/** `image_url`, `file_url`, `fileUri`, … and the `url` inside one; some parsers ignore case. */
const ADDRESS = /ur[li]s?$/i;
const FILE = /file_?(?:ids?|data)$/i;
const MEDIA_TYPE = /^(?:media|mime)_?type$/i;
/** The last letters of all these names: a quick check excludes most other names. */
const LAST_LETTER = new Set([...'lisdaeLISDAE'].map((letter) => letter.charCodeAt(0)));

/** Fields whose URLs no upstream fetches: notes of callers, sources and steps of earlier responses, arguments of calls. */
const notes = new Set(['metadata', 'client_metadata', 'annotations', 'action', 'args']);

/** The kind of a string in a field of this name. URL parsers drop leading spaces and line ends, and ignore the case of the scheme. */
function attachmentKind(name: string, text: string): Kind {
  if (text === '' || !LAST_LETTER.has(name.charCodeAt(name.length - 1))) return 'words';
  if (FILE.test(name)) return 'more';
  if (MEDIA_TYPE.test(name)) return kindOfMedia(plain(text));
  if (!ADDRESS.test(name)) return 'words';
  return plain(text).startsWith('data:image/') ? 'image' : 'more';
}

/** Plain text and audio have at most as many tokens as bytes. */
function kindOfMedia(type: string): Kind {
  if (type.startsWith('image/')) return 'image';
  return type.startsWith('text/') || type.startsWith('audio/') ? 'words' : 'more';
}

/** Characters of a string that decide its kind. */
const START = 256;
/** The start of a string without white space, in lower case; a string that starts with only white space doesn't count as an image. */
const plain = (text: string): string =>
  text
    .slice(0, START)
    .replace(/[\s\p{Cc}]+/gu, '')
    .toLowerCase();

/** Results by parsed body, since holds and limits both need them. */
const seen = new WeakMap<object, Enclosed>();

export function enclosedIn(body: Readonly<Record<string, unknown>>): Enclosed {
  const known = seen.get(body);
  if (known) return known;
  const enclosed = look(body);
  seen.set(body, enclosed);
  return enclosed;
}

/** Entries of a list have the list's name. It uses a loop: a body may be nested too deeply for recursion. */
function look(body: object): Enclosed {
  const found: Record<Kind, number> = { image: 0, more: 0, words: 0 };
  const left: unknown[] = [body];
  const names = [''];
  while (left.length > 0) {
    const part = left.pop();
    const name = names.pop() ?? '';
    if (typeof part === 'string') found[attachmentKind(name, part)] += 1;
    else if (Array.isArray(part)) for (const each of part) take(each, name);
    else if (isFields(part)) {
      if (isEarlierSound(part, name)) found.more += 1;
      // A parsed value has no inherited fields.
      for (const inner in part) if (!isNote(part, inner)) take(part[inner], inner);
    }
  }
  return { images: found.image, bringsMore: found.more > 0 };

  function take(part: unknown, name: string): void {
    if (typeof part !== 'string' && (typeof part !== 'object' || part === null)) return;
    left.push(part);
    names.push(name);
  }
}

/** Whether a chat message refers to audio of an earlier response. */
const isEarlierSound = ({ id }: Readonly<Record<string, unknown>>, name: string): boolean => name === 'audio' && typeof id === 'string';

const isNote = ({ type }: Readonly<Record<string, unknown>>, name: string): boolean =>
  notes.has(name) || (name === 'input' && type === 'tool_use');

/** Tokens that providers add around each message and tool. */
const TOKENS_AROUND = 16;
const BYTES_PER_TOKEN = 4;

/** The most input tokens: a tokenizer makes at most one token of each byte. Infinite when the upstream fetches content of unknown length. */
export function maxInputTokens({ value, bytes }: JsonBody): number {
  const { images, bringsMore: isOpen } = enclosedIn(value);
  if (isOpen || isFields(value.prompt)) return Number.POSITIVE_INFINITY;
  const around = [value.messages, value.input, value.tools, value.contents].reduce<number>(
    (sum, list) => sum + (Array.isArray(list) ? list.length : 1),
    0,
  );
  return bytes.length + around * TOKENS_AROUND + images * TOKENS_PER_IMAGE;
}

/** A rough estimate of input tokens, without inline images: they have far fewer tokens than bytes. */
export function roughInputTokens({ value, bytes }: JsonBody): number {
  const inline = enclosedIn(value).images > 0 ? inlineBytes(value) : 0;
  return Math.ceil(Math.max(bytes.length - inline, 0) / BYTES_PER_TOKEN);
}

/** Bytes of inline files: data URLs and base64. */
function inlineBytes(body: unknown): number {
  let sum = 0;
  const left = [body];
  while (left.length > 0) {
    const part = left.pop();
    if (typeof part === 'string') sum += part.startsWith('data:') || isBase64(part) ? part.length : 0;
    else if (isFields(part)) for (const each of Object.values(part)) left.push(each);
  }
  return sum;
}
const isBase64 = (text: string): boolean => text.length > 1024 && !text.includes(' ') && /^[A-Za-z0-9+/=_-]+$/.test(text);

/**
 * All texts of a request except inline files, whose tokens can't be derived from their bytes. It uses a loop, not recursion: fields that the
 * contract doesn't know may be nested deeper than the stack allows.
 */
export function textOf(request: unknown): string {
  const texts: string[] = [];
  const left = [request];
  while (left.length > 0) {
    const part = left.pop();
    if (typeof part === 'string') {
      if (!part.startsWith('data:')) texts.push(part);
    } else if (Array.isArray(part)) for (let index = part.length - 1; index >= 0; index--) left.push(part[index]);
    else if (isFields(part)) for (const [name, each] of Object.entries(part).reverse()) if (!isOpaque(name)) left.push(each);
  }
  return texts.join('\n');
}
const isOpaque = (name: string): boolean => name === 'encrypted_content' || name === 'data' || name === 'model' || name === 'signature';

/** The most tokens of a request's inline images and files; infinite when it refers to a file of unknown size. */
export function opaqueTokens(request: unknown): number {
  let tokens = 0;
  const left = [request];
  while (left.length > 0) {
    const part = left.pop();
    if (Array.isArray(part)) for (const each of part) left.push(each);
    else if (isFields(part)) {
      if (isImage(part.type) || isImage(part.media_type) || isImage(part.mimeType)) tokens += TOKENS_PER_IMAGE;
      else {
        tokens += fileIn(part);
        for (const each of Object.values(part)) if (typeof each === 'object') left.push(each);
      }
    }
  }
  return tokens;
}

const isImage = (type: unknown): boolean => typeof type === 'string' && /^(?:input_image$|image(?:\/|_url$|$))/.test(type);

/** The most tokens of a file part, in the fields of every dialect: its length, or infinite when it is stored elsewhere. */
function fileIn(part: Readonly<Record<string, unknown>>): number {
  const { data, file_data: fileData, media_type: mediaType, mimeType = mediaType, format = mimeType } = part;
  if (typeof fileData === 'string') return fileData.length;
  if (typeof data === 'string' && typeof format === 'string') return data.length;
  const isElsewhere = typeof part.file_id === 'string' || typeof part.file_url === 'string' || typeof part.fileUri === 'string';
  return isElsewhere || part.type === 'url' ? Number.POSITIVE_INFINITY : 0;
}

/** Values of `service_tier` that mean the provider's default. */
const ordinary: readonly unknown[] = [undefined, null, 'auto', 'default'];

export interface AskedTier {
  readonly name: string;
  readonly path: string;
}

/** The service tier of a request; null for the provider's default, and for those that cost what the model costs. */
export const tierOf = ({ service_tier: tier }: Fields, included: readonly unknown[] = []): AskedTier | null =>
  ordinary.includes(tier) || included.includes(tier) ? null : { name: String(tier), path: 'service_tier' };

/** The most calls of the upstream's tools; null if the request sets no limit. */
export const maxToolCalls = ({ max_tool_calls: most }: Fields): number | null => (typeof most === 'number' && most > 0 ? most : null);

/** Calls that a chat response doesn't show: one for each tool of the provider that a request offers, `web_search_options` included. */
export function callsUnseen(request: Fields): HostedCalls {
  const calls: Record<string, number> = {};
  for (const { call } of offeredTools(request)) calls[call] = (calls[call] ?? 0) + 1;
  return calls;
}

/** Whether a request asks for reasoning; chat responses rarely show it. */
export function asksForThoughts({ reasoning_effort: own, reasoning }: Fields): boolean {
  const asked: Fields = isFields(reasoning) ? reasoning : {};
  const effort = own ?? asked.effort;
  // The other two are of providers that take `reasoning` as an object.
  return (typeof effort === 'string' && effort !== 'none') || isSet(asked.max_tokens) || asked.enabled === true;
}

/** The names by operation; we write the first one. */
const limitNames: Readonly<Record<string, readonly string[]>> = {
  createChatCompletion: ['max_completion_tokens', 'max_tokens'],
  createResponse: ['max_output_tokens'],
};
const OTHER_NAME = 'max_output_tokens';
const anyName = Object.values(limitNames).flat();

const isCount = (value: unknown): value is number => typeof value === 'number' && value > 0;

/** The output limits in a caller's body, in tokens. Without an operation, any name counts. */
export const outputLimitsIn = (asked: Fields, operation: string | undefined): number[] =>
  ((operation !== undefined && limitNames[operation]) || anyName).map((name) => asked[name]).filter(isCount);

/** The number of responses that a caller asks for; 1 by default. */
export const answersAsked = ({ n }: Fields): number => (isCount(n) ? n : 1);

/** The body with this output limit, in the field of the caller's operation. */
export const withOutputLimit = (body: JsonBody, limit: number, operation: string): JsonBody =>
  withFields(body, { [limitNames[operation]?.[0] ?? OTHER_NAME]: limit });

/** Hardly any model exceeds it. */
const MAX_OUTPUT = 128_000;

interface Answering {
  readonly maxOutputTokens?: number | undefined;
  readonly candidates: readonly { readonly protocols: readonly string[] }[];
}

/** Output limit in tokens: the configured one, otherwise the limit that's always sent to the upstream, or the highest of any model if there's none. */
export function maxAnswer({ maxOutputTokens, candidates }: Answering): number {
  const isTold = candidates.every(({ protocols }) => protocols.every((protocol) => protocol === 'anthropic'));
  return maxOutputTokens ?? (isTold ? DEFAULT_MAX_TOKENS : MAX_OUTPUT);
}

/** The limit to send when the caller sets none: a provider rejects one above that of its model. */
export const highestLimit = ({ maxOutputTokens = DEFAULT_MAX_TOKENS }: Answering): number => maxOutputTokens;

/** Whether a chat request offers tools that its caller runs, in the present form or the older one. */
export const offersFunctions = ({ tools, functions }: Fields): boolean =>
  [tools, functions].some((list) => Array.isArray(list) && list.length > 0);

/** The effort that a chat request asks for, in either of its forms; null if it leaves that to the model. */
export const chatEffortOf = ({ reasoning_effort: effort, reasoning }: Fields): unknown =>
  effort ?? (isFields(reasoning) ? reasoning.effort : null) ?? null;

const known: ReadonlySet<unknown> = InputItem._zod.propValues.type ?? new Set();

const isUnknownItem = (item: unknown): boolean =>
  isFields(item) && typeof item.type === 'string' && item.type !== '' && !known.has(item.type);

export const hasUnknownItems = ({ input }: Fields): boolean => Array.isArray(input) && input.some(isUnknownItem);
