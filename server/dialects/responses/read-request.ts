/** Reads a responses request into a turn. */
import type { ResponseRequest } from '../../../contract/responses.ts';
import { type CallCode, GatewayError } from '../../errors.ts';
import { type Fields, isFields, isSet } from '../../primitives/fields.ts';
import { readExtras, readHints, readUnknown } from '../turn/caller-field-names.ts';
import { rejectNewer } from '../turn/newer.ts';
import { readCacheMark } from '../turn/prompt-cache.ts';
import type { AudioPart, Format, ImagePart, Item, Part, Settings, Tool, ToolChoice, ToolName, Turn } from '../turn/turn.ts';
import { editInPieces, type JsonBody, withFields } from '../wire/json-body.ts';
import { outlineOf, type Place, QUOTE } from '../wire/json-places.ts';

/** `previous_response_id` isn't part of a turn: the items it stands for are. */
export function readResponseRequest(body: Fields, model: string): Turn {
  rejectNewer(body, 'createResponse');
  // The contract has parsed this body before any dialect sees it, and known words are left.
  const request = body as ResponseRequest;
  return {
    caller: 'responses',
    model,
    stream: request.stream === true,
    instructions: request.instructions ?? null,
    items: readInput(request.input),
    tools: readTools(request),
    toolChoice: readToolChoice(request.tool_choice),
    parallelToolCalls: request.parallel_tool_calls ?? null,
    format: readFormat(request),
    settings: readSettings(request),
    effort: (request.reasoning?.effort ?? null) as Turn['effort'],
    reasoningSummary: (request.reasoning?.summary ?? request.reasoning?.generate_summary ?? null) as Turn['reasoningSummary'],
    verbosity: (request.text?.verbosity ?? null) as Turn['verbosity'],
    hints: readHints(body),
    extras: readExtras(body),
    unknown: readUnknown(body),
  };
}

function readFormat({ text }: ResponseRequest): Format {
  const format = text?.format;
  if (format?.type === 'json_object') return { kind: 'json' };
  if (format?.type !== 'json_schema') return { kind: 'text' };
  const { name, description, schema, strict } = format;
  return { kind: 'schema', name, description: description ?? null, schema, strict: strict ?? null };
}

function readSettings(request: ResponseRequest): Settings {
  const wantsLogprobs = request.include?.includes('message.output_text.logprobs') === true;
  return {
    maxOutputTokens: request.max_output_tokens ?? null,
    temperature: request.temperature ?? null,
    topP: request.top_p ?? null,
    stop: [],
    n: null,
    seed: null,
    presencePenalty: request.presence_penalty ?? null,
    frequencyPenalty: request.frequency_penalty ?? null,
    logitBias: null,
    topLogprobs: wantsLogprobs ? (request.top_logprobs ?? 0) : null,
  };
}

type Input = ResponseRequest['input'];
type InputItem = Exclude<Input, string>[number];
type Of<Type extends InputItem['type']> = Extract<InputItem, { type?: Type }>;
type Content = Of<'message'>['content'];
type ContentPart = Exclude<Content, string>[number];

function readInput(input: Input): Item[] {
  if (typeof input === 'string') {
    return [{ kind: 'message', role: 'user', parts: [{ kind: 'text', text: input }], phase: null, name: null, path: 'input' }];
  }
  const searches = new Set(input.flatMap((item) => (item.type === 'tool_search_call' ? (item.call_id ?? []) : [])));
  return input.flatMap((item, index) => {
    const path = `input[${index}]`;
    // It belongs to the search: upstreams that aren't sent the one aren't sent the other.
    if (isOutput(item) && searches.has(item.call_id)) return { kind: 'foreign', type: item.type, value: item, path };
    return readItem(item, path) ?? [];
  });
}

const isOutput = (item: InputItem): item is Of<'function_call_output'> | Of<'custom_tool_call_output'> =>
  item.type === 'function_call_output' || item.type === 'custom_tool_call_output';

const NO_COMPACTION =
  "'compaction_trigger' is not supported: this model's upstream can't compact conversations. Ask for a summary in a message instead.";

/** Null for what is read elsewhere. The IDs, marks and statuses that clients put on items mean nothing. */
function readItem(item: InputItem, path: string): Item | null {
  switch (item.type) {
    case undefined:
    case 'message': {
      const { role, content, phase } = item;
      return { kind: 'message', role, parts: readContent(content), phase: phase ?? null, name: null, path };
    }
    case 'function_call':
    case 'custom_tool_call':
      return readCall(item, path);
    case 'function_call_output':
      return { kind: 'output', form: 'function', callId: item.call_id, parts: readContent(item.output), path };
    case 'custom_tool_call_output':
      return { kind: 'output', form: 'custom', callId: item.call_id, parts: readContent(item.output), path };
    case 'reasoning':
      return readReasoning(item, path);
    case 'additional_tools':
      return null;
    case 'compaction_trigger':
      throw new GatewayError<CallCode>('unsupported_value', { param: 'input', message: NO_COMPACTION });
    default:
      return { kind: 'foreign', type: item.type, value: item, path };
  }
}

function readCall(item: Of<'function_call'> | Of<'custom_tool_call'>, path: string): Item {
  const { call_id: callId, name, namespace } = item;
  const place = { kind: 'call', callId, name, namespace: namespace ?? null, path } as const;
  if (item.type === 'function_call') return { ...place, form: 'function', arguments: item.arguments };
  return { ...place, form: 'custom', arguments: item.input };
}

function readReasoning({ summary, content, encrypted_content }: Of<'reasoning'>, path: string): Item {
  const texts = (parts: readonly { readonly text: string }[] | null | undefined) => (parts ?? []).map(({ text }) => text);
  return { kind: 'reasoning', summary: texts(summary), content: texts(content), encrypted: encrypted_content ?? null, path };
}

function readContent(content: Content): Part[] {
  return typeof content === 'string'
    ? [{ kind: 'text', text: content }]
    : content.map((part) => ({ ...readPart(part), ...readCacheMark(part) }));
}

function readPart(part: ContentPart): Part {
  switch (part.type) {
    case 'input_text':
    case 'output_text':
      return { kind: 'text', text: part.text };
    case 'refusal':
      return { kind: 'refusal', text: part.refusal };
    case 'input_image':
      return {
        kind: 'image',
        url: part.image_url ?? null,
        fileId: part.file_id ?? null,
        detail: (part.detail ?? null) as ImagePart['detail'],
      };
    case 'input_file': {
      const { filename, file_data, file_url, file_id } = part;
      return { kind: 'file', filename: filename ?? null, data: file_data ?? null, url: file_url ?? null, fileId: file_id ?? null };
    }
    case 'input_audio':
      return { kind: 'audio', data: part.input_audio.data, format: part.input_audio.format as AudioPart['format'] };
  }
}

type WireTool = NonNullable<ResponseRequest['tools']>[number];
type WireChoice = NonNullable<ResponseRequest['tool_choice']>;
type ToolPlace = { readonly path: string; readonly namespace: string | null };

function readTools({ tools, input }: ResponseRequest): Tool[] {
  const items = typeof input === 'string' ? [] : input;
  const added = items.flatMap((item, index) =>
    // What an agent's search for tools has found may be called from then on.
    item.type === 'additional_tools' || item.type === 'tool_search_output' ? readList(item.tools, `input[${index}].tools`) : [],
  );
  return [...readList(tools ?? [], 'tools'), ...added];
}

function readList(tools: readonly WireTool[], path: string): Tool[] {
  return tools.flatMap((tool, index) => readTool(tool, { path: `${path}[${index}]`, namespace: null }));
}

/** A namespace isn't a tool: each tool in it says where it lies. */
function readTool(tool: WireTool, place: ToolPlace): Tool[] {
  switch (tool.type) {
    case 'namespace':
      return tool.tools.flatMap((inner, index) => readTool(inner, { path: `${place.path}.tools[${index}]`, namespace: tool.name }));
    case 'function':
      return [readFunction(tool, place)];
    case 'custom':
      return [readCustom(tool, place)];
    default:
      return [{ kind: 'hosted', type: tool.type, value: tool, path: place.path }];
  }
}

/** Absent strictness stays absent: on responses the upstream decides. */
function readFunction(tool: Extract<WireTool, { type: 'function' }>, place: ToolPlace): Tool {
  const { name, description, parameters, strict } = tool;
  return { kind: 'function', name, description: description ?? null, parameters: parameters ?? null, strict: strict ?? null, ...place };
}

function readCustom({ name, description, format }: Extract<WireTool, { type: 'custom' }>, place: ToolPlace): Tool {
  const grammar = format?.type === 'grammar' ? { syntax: format.syntax, definition: format.definition } : null;
  return { kind: 'custom', name, description: description ?? null, grammar, ...place };
}

function readToolChoice(choice: WireChoice | null | undefined): ToolChoice | null {
  if (choice === null || choice === undefined) return null;
  if (typeof choice === 'string') return { kind: choice };
  switch (choice.type) {
    case 'function':
    case 'custom':
      return { kind: 'tool', tool: readNamed(choice.type, choice) };
    case 'allowed_tools':
      return readAllowed(choice);
    default:
      return { kind: 'hosted', value: choice };
  }
}

/** A list with a hosted tool in it can only be said in the words of this protocol, so it stays in them. */
function readAllowed(choice: Extract<WireChoice, { type: 'allowed_tools' }>): ToolChoice {
  const names = choice.tools.map(readName);
  const tools = names.filter((name) => name !== null);
  return tools.length === names.length ? { kind: 'allowed', mode: choice.mode, tools } : { kind: 'hosted', value: choice };
}

function readName(tool: unknown): ToolName | null {
  if (!isFields(tool)) return null;
  return tool.type === 'function' || tool.type === 'custom' ? readNamed(tool.type, tool) : null;
}

function readNamed(form: ToolName['form'], { name, namespace }: Fields): ToolName {
  checkText(name, 'name');
  if (!isSet(namespace)) return { form, name };
  checkText(namespace, 'namespace');
  return { form, name, namespace };
}

function checkText(value: unknown, field: string): asserts value is string {
  if (typeof value === 'string') return;
  throw new GatewayError<CallCode>('invalid_type', {
    param: 'tool_choice',
    message: `Each tool in 'tool_choice' must have a string as its '${field}'.`,
  });
}

/** The field that names the response before this one, as errors name it. */
export const PREVIOUS_ID = 'previous_response_id';
/** The field that says whether the response is stored, as errors name it. */
export const STORE = 'store';
/** The value of `include` that asks for encrypted reasoning, as `x-modelgate-ignored` names it. */
export const ENCRYPTED_REASONING = 'reasoning.encrypted_content';

interface Continuation {
  /** The new input items. */
  readonly own: readonly Fields[];
  readonly previousId: string | null;
}

export const readContinuation = (value: Fields): Continuation => ({ own: ownItems(value.input), previousId: previousIdOf(value) });

/** The ID of the response that a body continues; null if it begins a conversation. */
export const previousIdOf = ({ previous_response_id: id }: Fields): string | null => (typeof id === 'string' ? id : null);

/** Whether the response is to be stored; by default it is. */
export const asksToStore = ({ store }: Fields): boolean => store !== false;

export const withoutStoring = (body: JsonBody): JsonBody => withFields(body, { store: false });

/** A plain string is one message of the user. */
function ownItems(input: unknown): readonly Fields[] {
  if (typeof input === 'string') return [{ type: 'message', role: 'user', content: input }];
  // The contract has validated it as a list of items.
  return Array.isArray(input) ? (input as Fields[]) : [];
}

/** The body with the whole conversation in it, so that it refers to nothing stored. */
export const withConversation = (body: JsonBody, items: readonly Fields[]): JsonBody =>
  withFields(body, { input: items, previous_response_id: undefined });

/** The body with a request for encrypted reasoning, if it has `reasoning`: the upstream stores nothing, so the next turn would lack its reasoning otherwise. */
export const askingForEncrypted = (body: JsonBody): JsonBody =>
  isFields(body.value.reasoning) ? withFields(body, { include: includingEncrypted(body.value.include) }) : body;

/** The request with encrypted reasoning in its `include`, for a response that is stored. */
export const includingEncryptedIn = (asked: Fields): Fields => ({ ...asked, include: includingEncrypted(asked.include) });

function includingEncrypted(include: unknown): readonly unknown[] {
  const asked: readonly unknown[] = Array.isArray(include) ? include : [];
  return asked.includes(ENCRYPTED_REASONING) ? asked : [...asked, ENCRYPTED_REASONING];
}

/** The ID that an item refers to; null for an item that stands for itself. */
export const referenceOf = ({ type, id }: Fields): string | null => (type === 'item_reference' ? String(id) : null);

/** Where an item of the input is rejected, as errors name it. */
export const placeOfReference = (index: number): string => `input[${index}].id`;

/** The output items of a response object. */
export function outputOf(response: Fields): readonly Fields[] {
  // Only responses that were read as such are stored: their output is a list of objects.
  return hasOutput(response) ? (response.output as Fields[]) : [];
}

export const hasOutput = (response: Fields): boolean => Array.isArray(response.output);

/** The field of a response object that holds its items. */
export const OUTPUT = 'output';

/** A stored item without its encrypted reasoning; the same item where it has none. */
export function withoutEncrypted(item: Fields): Fields {
  if (item.type !== 'reasoning' || !isSet(item.encrypted_content)) return item;
  const { encrypted_content: _, ...rest } = item;
  return rest;
}

/** The type of an item that doesn't name it. */
export const USUAL_TYPE = 'message';

/** The beginnings of IDs, by the type of their item. */
const prefixes: Readonly<Record<string, string>> = { message: 'msg', reasoning: 'rs', function_call: 'fc', custom_tool_call: 'ctc' };
export const idPrefixOf = (type: string): string => (Object.hasOwn(prefixes, type) ? String(prefixes[type]) : 'item');

/** The bytes of the item in pieces, with an ID, a type and parts where callers left them out or wrote the content as a string. */
export function writeListedItem(item: Buffer, { id, type }: { readonly id: string; readonly type: string }): readonly Buffer[] {
  const { places } = outlineOf(item);
  const read = (name: string): unknown => {
    const place = places.get(name);
    return place ? JSON.parse(item.toString('utf8', place.valueStart, place.end)) : undefined;
  };
  const changes = new Map<string, unknown>([
    ['id', id],
    ['type', type],
  ]);
  for (const [name, value] of changes) if (read(name) === value) changes.delete(name);
  if (type === USUAL_TYPE && isText(item, places.get('content'))) changes.set('content', partsOf(read('role'), read('content')));
  return editInPieces({ bytes: item, places }, changes);
}

const isText = (item: Buffer, place: Place | null | undefined): boolean => Boolean(place && item[place.valueStart] === QUOTE);

/** A message may be given as a string; in the list it has parts, as clients expect. */
function partsOf(role: unknown, text: unknown): unknown {
  return role === 'assistant' ? [{ type: 'output_text', text, annotations: [] }] : [{ type: 'input_text', text }];
}
