/** Custom tools for upstreams that only have functions: the free text is wrapped as the single argument `input`, and unwrapped from the response. */
import { isFields } from '../../primitives/fields.ts';
import { toolField } from '../turn/caller-field-names.ts';
import type { Budget, Work } from '../turn/schema.ts';
import { type FlatToolNames, flatToolNames, offeredOnce, toolSchema, type WireTool } from '../turn/tools.ts';
import type {
  AudioPart,
  CallItem,
  CustomTool,
  FilePart,
  FunctionTool,
  ImagePart,
  Part,
  RefusalPart,
  TextPart,
  Tool,
  ToolChoice,
  ToolName,
  Turn,
} from '../turn/turn.ts';
import { unsupported } from '../turn/unsent-fields.ts';
import { type JsonBody, jsonBody } from '../wire/json-body.ts';

export const wrapInput = (text: string): string => JSON.stringify({ input: text });

export const inputSchema = {
  type: 'object',
  properties: { input: { type: 'string', description: 'The exact text to pass to the tool.' } },
  required: ['input'],
  additionalProperties: false,
} as const;

/** A function has no field for a grammar: it is written into the description, for the model. */
export function inputDescription({ description, grammar }: CustomTool): string | null {
  if (grammar === null) return description;
  const rule = `\`input\` must match this ${grammar.syntax} grammar:\n${grammar.definition}`;
  return description ? `${description}\n\n${rule}` : rule;
}

const OPENING = /^\s*\{\s*"input"\s*:\s*"/;
/** Longer than any opening that a model writes: a text without one by then is read as a whole, at the end. */
const MAX_OPENING = 256;

/**
 * Extracts the text of `{"input":"…"}` while it grows. It is lenient, since a model wrote it: text of any other form is read
 * as a whole, at the end.
 */
export class InputDecoder {
  #state: 'opening' | 'inside' | 'closed' | 'plain' = 'opening';
  /** Text that isn't decoded yet: an opening, a part of an escape, or a whole text of another form. */
  #held = '';

  push(piece: string): string {
    if (this.#state === 'closed') return '';
    this.#held += piece;
    if (this.#state === 'opening') this.#open();
    return this.#state === 'inside' ? this.#decode() : '';
  }

  /** The rest of the text, when the call is complete. */
  end(): string {
    const held = this.#held;
    this.#held = '';
    return this.#state === 'inside' || this.#state === 'closed' ? '' : inputIn(held);
  }

  #open(): void {
    const opening = OPENING.exec(this.#held);
    if (opening) {
      this.#state = 'inside';
      this.#held = this.#held.slice(opening[0].length);
    } else if (this.#held.length > MAX_OPENING) this.#state = 'plain';
  }

  #decode(): string {
    const text = this.#held;
    let decoded = '';
    let at = 0;
    while (at < text.length && this.#state === 'inside') {
      const next = nextMark(text, at);
      decoded += text.slice(at, next);
      at = next;
      if (text[at] === '"') this.#state = 'closed';
      if (text[at] !== '\\') continue;
      const found = readEscape(text.slice(at, at + 12));
      if (found === null) break;
      decoded += found.text;
      at += found.length;
    }
    this.#held = this.#state === 'closed' ? '' : text.slice(at);
    return decoded;
  }
}

function nextMark(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (text[at] === '"' || text[at] === '\\') return at;
  return text.length;
}

const simple: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', '/': '/' };
const UNIT = /^\\u([\da-f]{4})/i;
/** A high surrogate waits for its low surrogate: neither can be written as UTF-8 alone. */
const UNFINISHED = /^\\(?:u(?:[\da-f]{0,3}|d[89ab][\da-f]{2}(?:\\(?:u[\da-f]{0,3})?)?))?$/i;

/** The escape at the start of the text; null while it is incomplete. */
function readEscape(text: string): { readonly text: string; readonly length: number } | null {
  if (UNFINISHED.test(text)) return null;
  const unit = UNIT.exec(text)?.[1];
  if (unit !== undefined) return { text: String.fromCharCode(Number.parseInt(unit, 16)), length: 6 };
  const mark = text[1] ?? '';
  // `\d` isn't a JSON escape: the model meant the backslash.
  return { text: simple[mark] ?? `\\${mark}`, length: 2 };
}

function inputIn(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'string') return value;
    return isFields(value) && typeof value.input === 'string' ? value.input : text;
  } catch {
    // It isn't JSON: the model wrote the bare text.
    return text;
  }
}

/** The longest tool name on chat. */
const MAX_NAME = 64;

/** Flat names of tools, to the upstream and back. */
export interface ChatToolNames {
  ofTool(tool: FunctionTool | CustomTool): string;
  ofCall(call: CallItem): string;
  ofChoice(tool: ToolName): string;
  read(name: string): WireTool;
}

export function chatToolNames(tools: readonly Tool[]): ChatToolNames {
  const names: FlatToolNames = flatToolNames(tools, MAX_NAME);
  return {
    ofTool: ({ namespace, name }) => names.toWire(namespace, name),
    ofCall: ({ namespace, name }) => names.toWire(namespace, name),
    ofChoice: (tool) => names.ofChoice(tool),
    read: (name) => names.fromWire(name),
  };
}

const noArguments = { type: 'object', properties: {}, additionalProperties: false } as const;
const described = (description: string | null) => (description === null ? {} : { description });

/**
 * `strict` is always sent. On responses an absent `strict` means true, but a schema that breaks the strict rules doesn't fail there.
 * So only a `true` that the caller wrote is kept.
 */
function writeFunction(tool: FunctionTool, name: string, budget: Budget): Wire {
  const { description, parameters, strict } = tool;
  return {
    type: 'function',
    function: {
      name,
      ...described(description),
      parameters: parameters === null ? noArguments : toolSchema(parameters, budget),
      strict: strict === true,
    },
  };
}

function writeCustom(tool: CustomTool, name: string): Wire {
  return { type: 'function', function: { name, ...described(inputDescription(tool)), parameters: inputSchema, strict: false } };
}

function writeTool(tool: FunctionTool | CustomTool, name: string, budget: Budget): Wire {
  return tool.kind === 'function' ? writeFunction(tool, name, budget) : writeCustom(tool, name);
}

function writeChoice(choice: ToolChoice, names: ChatToolNames): unknown {
  const named = (tool: ToolName) => ({ type: 'function', function: { name: names.ofChoice(tool) } });
  switch (choice.kind) {
    case 'tool':
      return named(choice.tool);
    case 'allowed':
      return { type: 'allowed_tools', allowed_tools: { mode: choice.mode, tools: choice.tools.map(named) } };
    case 'hosted':
      throw unsupported('tool_choice', "'tool_choice' can't force this tool: this model's upstream doesn't run it.");
    default:
      return choice.kind;
  }
}

/** Without tools, chat upstreams reject `tool_choice`, so it is dropped; it is an error only when the caller requires a call. */
function checkNoTools(choice: ToolChoice | null): void {
  if (choice === null || choice.kind === 'auto' || choice.kind === 'none') return;
  throw unsupported('tool_choice', "'tool_choice' requires a tool call, but this model's upstream can't call any of the tools.");
}

export function writeTools({ caller, tools, toolChoice, parallelToolCalls }: Turn, names: ChatToolNames, work: Work): Wire {
  const offered = offeredOnce(tools.filter((tool) => tool.kind !== 'hosted'));
  const written = offered.map((tool) => writeTool(tool, names.ofTool(tool), work.on(toolField(tool, caller, 'parameters'))));
  if (written.length === 0) {
    checkNoTools(toolChoice);
    return {};
  }
  return {
    tools: written,
    ...(toolChoice !== null && { tool_choice: writeChoice(toolChoice, names) }),
    ...(parallelToolCalls !== null && { parallel_tool_calls: parallelToolCalls }),
  };
}

export type Wire = Readonly<Record<string, unknown>>;
/** A single text is a string, which every provider accepts. */
type Content = string | readonly Wire[];

const writeText = ({ text }: TextPart): Wire => ({ type: 'text', text });

function writeImage({ url, detail }: ImagePart, path: string): Wire {
  if (url === null) throw unsupported(`${path}.file_id`, "Uploaded images can't be used with this model. Send the image as a data URL.");
  // Chat has no `original`; `high` is the nearest value.
  return { type: 'image_url', image_url: { url, ...(detail !== null && { detail: detail === 'original' ? 'high' : detail }) } };
}

function writeFile({ filename, data, fileId, url }: FilePart, path: string): Wire {
  if (url !== null)
    throw unsupported(`${path}.file_url`, "File URLs can't be used with this model. Send the file's content in 'file_data'.");
  const file = {
    ...(filename !== null && { filename }),
    ...(data !== null && { file_data: data }),
    ...(fileId !== null && { file_id: fileId }),
  };
  return { type: 'file', file };
}

const writeAudio = ({ data, format }: AudioPart): Wire => ({ type: 'input_audio', input_audio: { data, format } });

function rejectPart({ kind }: RefusalPart | Part, path: string): never {
  throw unsupported(path, `This message can't contain a part of type '${kind}'.`);
}

function writePart(part: Part, path: string): Wire {
  switch (part.kind) {
    case 'text':
      return writeText(part);
    case 'image':
      return writeImage(part, path);
    case 'file':
      return writeFile(part, path);
    case 'audio':
      return writeAudio(part);
    case 'refusal':
      return rejectPart(part, path);
  }
}

function shorten(parts: readonly Part[], written: readonly Wire[]): Content {
  const only = parts.length === 1 ? parts[0] : undefined;
  return only?.kind === 'text' ? only.text : parts.length === 0 ? '' : written;
}

export function writeUserContent(parts: readonly Part[], path: string): Content {
  return shorten(
    parts,
    parts.map((part, index) => writePart(part, `${path}[${index}]`)),
  );
}

/** Reads messages that can contain only text on chat. */
export function writeTextContent(parts: readonly Part[], path: string): Content {
  return shorten(
    parts,
    parts.map((part, index) => (part.kind === 'text' ? writeText(part) : rejectPart(part, `${path}[${index}]`))),
  );
}

export interface AnswerContent {
  readonly text: string | null;
  readonly refusal: string | null;
}

/** The assistant's text and refusal, as the two strings that every provider reads. */
export function writeAnswerContent(parts: readonly Part[], path: string): AnswerContent {
  let text: string | null = null;
  let refusal: string | null = null;
  for (const [index, part] of parts.entries()) {
    if (part.kind === 'text') text = (text ?? '') + part.text;
    else if (part.kind === 'refusal') refusal = (refusal ?? '') + part.text;
    else rejectPart(part, `${path}[${index}]`);
  }
  return { text, refusal };
}

/** A tool's result: its text (`content`); images and files (`shown`) go into a user message after it. */
export function writeToolContent(parts: readonly Part[], path: string): { readonly content: Content; readonly shown: readonly Wire[] } {
  const texts = parts.filter((part) => part.kind === 'text');
  const shown = parts.flatMap((part, index) => (part.kind === 'text' ? [] : [writePart(part, `${path}[${index}]`)]));
  return { content: shorten(texts, texts.map(writeText)), shown };
}

/** OpenAI takes no fewer in the responses protocol; elsewhere one token is enough. */
const MIN_RESPONSE_TOKENS = 16;

/** `protocols`: those of the upstream, into which the request may be translated. */
export function shortestRequest(model: string, protocols: readonly string[]): JsonBody {
  const isOnlyResponses = protocols.includes('responses') && !protocols.includes('chat');
  const tokens = isOnlyResponses ? MIN_RESPONSE_TOKENS : 1;
  return jsonBody({ model, messages: [{ role: 'user', content: 'Say ok.' }], max_completion_tokens: tokens });
}
