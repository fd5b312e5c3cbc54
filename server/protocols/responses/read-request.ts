/** Reads a responses request into a canonical request. */

import type { ResponseRequest } from '../../../contract/responses.ts';
import { type CallCode, GatewayError } from '../../primitives/errors.ts';
import { type Fields, isFields, isSet } from '../../primitives/fields.ts';
import type {
  AudioPart,
  CanonicalRequest,
  Format,
  ImagePart,
  Item,
  Part,
  Settings,
  Tool,
  ToolChoice,
  ToolName,
} from '../canonical/canonical-request.ts';
import { readExtras, readUnknownFields } from '../canonical/extras.ts';
import { readHints } from '../canonical/hints.ts';
import { rejectNewerValues } from '../canonical/newer-values.ts';
import { readCacheMark } from '../canonical/prompt-cache.ts';

/** Ignores `previous_response_id`: the input already contains the earlier items. */
export function readResponseRequest(body: Fields, model: string): CanonicalRequest {
  rejectNewerValues(body, 'createResponse');
  // The contract has already validated this body, and `rejectNewerValues` leaves only known values.
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
    effort: (request.reasoning?.effort ?? null) as CanonicalRequest['effort'],
    reasoningSummary: (request.reasoning?.summary ?? request.reasoning?.generate_summary ?? null) as CanonicalRequest['reasoningSummary'],
    verbosity: (request.text?.verbosity ?? null) as CanonicalRequest['verbosity'],
    hints: readHints(body),
    extras: readExtras(body),
    unknown: readUnknownFields(body),
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
  const hasLogprobs = request.include?.includes('message.output_text.logprobs') === true;
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
    topLogprobs: hasLogprobs ? (request.top_logprobs ?? 0) : null,
  };
}

type Input = ResponseRequest['input'];
type InputItem = Exclude<Input, string>[number];
type ItemWithType<Type extends InputItem['type']> = Extract<InputItem, { type?: Type }>;
type Content = ItemWithType<'message'>['content'];
type ContentPart = Exclude<Content, string>[number];

function readInput(input: Input): Item[] {
  if (typeof input === 'string') {
    return [{ kind: 'message', role: 'user', parts: [{ kind: 'text', text: input }], phase: null, name: null, path: 'input' }];
  }
  const searchIds = new Set(input.flatMap((item) => (item.type === 'tool_search_call' ? (item.call_id ?? []) : [])));
  return input.flatMap((item, index) => {
    const path = `input[${index}]`;
    // The output belongs to a search. Upstreams that don't get the search don't get its output either.
    if (isOutput(item) && searchIds.has(item.call_id)) return { kind: 'foreign', type: item.type, value: item, path };
    return readItem(item, path) ?? [];
  });
}

const isOutput = (item: InputItem): item is ItemWithType<'function_call_output'> | ItemWithType<'custom_tool_call_output'> =>
  item.type === 'function_call_output' || item.type === 'custom_tool_call_output';

/** Null if the item is read elsewhere. Ignores IDs and statuses that clients add to items. */
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
    case 'compaction_trigger':
      return null;
    default:
      return { kind: 'foreign', type: item.type, value: item, path };
  }
}

function readCall(item: ItemWithType<'function_call'> | ItemWithType<'custom_tool_call'>, path: string): Item {
  const { call_id: callId, name, namespace } = item;
  const callFields = { kind: 'call', callId, name, namespace: namespace ?? null, path } as const;
  if (item.type === 'function_call') return { ...callFields, form: 'function', arguments: item.arguments };
  return { ...callFields, form: 'custom', arguments: item.input };
}

function readReasoning({ summary, content, encrypted_content }: ItemWithType<'reasoning'>, path: string): Item {
  const toTexts = (parts: readonly { readonly text: string }[] | null | undefined) => (parts ?? []).map(({ text }) => text);
  return { kind: 'reasoning', summary: toTexts(summary), content: toTexts(content), encrypted: encrypted_content ?? null, path };
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
type WireToolChoice = NonNullable<ResponseRequest['tool_choice']>;
type ToolLocation = { readonly path: string; readonly namespace: string | null };

function readTools({ tools, input }: ResponseRequest): Tool[] {
  const items = typeof input === 'string' ? [] : input;
  const addedTools = items.flatMap((item, index) =>
    // Tools found by an agent's tool search can be called from then on.
    item.type === 'additional_tools' || item.type === 'tool_search_output' ? readList(item.tools, `input[${index}].tools`) : [],
  );
  return [...readList(tools ?? [], 'tools'), ...addedTools];
}

function readList(tools: readonly WireTool[], path: string): Tool[] {
  return tools.flatMap((tool, index) => readTool(tool, { path: `${path}[${index}]`, namespace: null }));
}

/** A namespace isn't a tool itself. Each tool in it records its namespace. */
function readTool(tool: WireTool, location: ToolLocation): Tool[] {
  switch (tool.type) {
    case 'namespace':
      return tool.tools.flatMap((inner, index) => readTool(inner, { path: `${location.path}.tools[${index}]`, namespace: tool.name }));
    case 'function':
      return [readFunction(tool, location)];
    case 'custom':
      return [readCustom(tool, location)];
    default:
      return [{ kind: 'hosted', type: tool.type, value: tool, path: location.path }];
  }
}

/** Keeps a missing `strict` as null, because Responses upstreams decide in that case. */
function readFunction(tool: Extract<WireTool, { type: 'function' }>, location: ToolLocation): Tool {
  const { name, description, parameters, strict } = tool;
  return { kind: 'function', name, description: description ?? null, parameters: parameters ?? null, strict: strict ?? null, ...location };
}

function readCustom({ name, description, format }: Extract<WireTool, { type: 'custom' }>, location: ToolLocation): Tool {
  const grammar = format?.type === 'grammar' ? { syntax: format.syntax, definition: format.definition } : null;
  return { kind: 'custom', name, description: description ?? null, grammar, ...location };
}

function readToolChoice(choice: WireToolChoice | null | undefined): ToolChoice | null {
  if (choice === null || choice === undefined) return null;
  if (typeof choice === 'string') return { kind: choice };
  switch (choice.type) {
    case 'function':
    case 'custom':
      return { kind: 'tool', tool: readToolName(choice.type, choice) };
    case 'allowed_tools':
      return readAllowedTools(choice);
    default:
      return { kind: 'hosted', value: choice };
  }
}

/** A list that includes a hosted tool has no canonical form, so it keeps this protocol's format. */
function readAllowedTools(choice: Extract<WireToolChoice, { type: 'allowed_tools' }>): ToolChoice {
  const names = choice.tools.map(readName);
  const tools = names.filter((name) => name !== null);
  return tools.length === names.length ? { kind: 'allowed', mode: choice.mode, tools } : { kind: 'hosted', value: choice };
}

function readName(tool: unknown): ToolName | null {
  if (!isFields(tool)) return null;
  return tool.type === 'function' || tool.type === 'custom' ? readToolName(tool.type, tool) : null;
}

function readToolName(form: ToolName['form'], { name, namespace }: Fields): ToolName {
  requireText(name, 'name');
  if (!isSet(namespace)) return { form, name };
  requireText(namespace, 'namespace');
  return { form, name, namespace };
}

function requireText(value: unknown, field: string): asserts value is string {
  if (typeof value === 'string') return;
  throw new GatewayError<CallCode>('invalid_type', {
    param: 'tool_choice',
    message: `Each tool in 'tool_choice' must have a string as its '${field}'.`,
  });
}
