/** A turn as the body of a responses call that asks the upstream to keep nothing. */

import type { Fields } from '../../primitives/fields.ts';
import { containerOf, sharedHints, toolField } from '../turn/caller-field-names.ts';
import { writeBreakpoint } from '../turn/prompt-cache.ts';
import { type Budget, Work } from '../turn/schema.ts';
import { isPackedHere, toolSchema } from '../turn/tools.ts';
import type {
  CallItem,
  CustomTool,
  FilePart,
  Format,
  FunctionTool,
  ImagePart,
  Item,
  MessageItem,
  OutputItem,
  Part,
  ReasoningItem,
  RefusalPart,
  ResponsesOnlyItem,
  Settings,
  Tool,
  ToolChoice,
  ToolName,
  Turn,
} from '../turn/turn.ts';
import { unsupported, writeExtras } from '../turn/unsent-fields.ts';
import { hasOwnMarks, type ItemEdit } from '../wire/json-body.ts';

/** The least that a responses upstream takes; a caller who wants less gets no error, only the same short response. */
const MIN_OUTPUT = 16;

/** Settings of chat that have no place in a responses call, and whether one asks for anything. `seed` is best effort anyway and omitted. */
const chatOnly: Readonly<Record<string, (settings: Settings) => boolean>> = {
  stop: ({ stop }) => stop.length > 0,
  n: ({ n }) => (n ?? 1) > 1,
  presence_penalty: ({ presencePenalty }) => (presencePenalty ?? 0) !== 0,
  frequency_penalty: ({ frequencyPenalty }) => (frequencyPenalty ?? 0) !== 0,
  logit_bias: ({ logitBias }) => Object.keys(logitBias ?? {}).length > 0,
};

function checkSettings(settings: Settings): void {
  for (const [field, asks] of Object.entries(chatOnly)) {
    if (asks(settings))
      throw unsupported(field, `'${field}' is not supported: this model is served over the Responses API, which has no equivalent.`);
  }
}

function writeFormat(format: Format): Wire | null {
  switch (format.kind) {
    case 'text':
      return null;
    case 'json':
      return { type: 'json_object' };
    case 'schema': {
      const { name, description, schema, strict } = format;
      return { type: 'json_schema', name, ...(description !== null && { description }), schema, ...(strict !== null && { strict }) };
    }
  }
}

const given = (fields: Wire): Wire =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

/** An option object; null if nothing is in it. */
function options(fields: Wire): Wire | null {
  const set = given(fields);
  return Object.keys(set).length > 0 ? set : null;
}

function writeSettings({ maxOutputTokens, temperature, topP, topLogprobs }: Settings): Wire {
  const include = topLogprobs === null ? [] : ['message.output_text.logprobs'];
  return {
    max_output_tokens: maxOutputTokens === null ? null : Math.max(MIN_OUTPUT, maxOutputTokens),
    temperature,
    top_p: topP,
    top_logprobs: topLogprobs,
    // The next turn needs the encrypted reasoning of this response.
    include: ['reasoning.encrypted_content', ...include],
  };
}

export function writeResponseRequest(turn: Turn, work = new Work()): Wire {
  checkSettings(turn.settings);
  return given({
    ...writeExtras(turn, 'responses'),
    model: turn.model,
    instructions: turn.instructions,
    // System messages stay in place: their order matters.
    input: writeInput(turn.items),
    store: false,
    stream: turn.stream ? true : null,
    ...writeTools(turn, work),
    text: options({ format: writeFormat(turn.format), verbosity: turn.verbosity }),
    reasoning: options({ effort: turn.effort, summary: turn.reasoningSummary }),
    ...writeSettings(turn.settings),
    ...Object.fromEntries(sharedHints.map((name) => [name, turn.hints[name]])),
  });
}

type Wire = Readonly<Record<string, unknown>>;

const givenFields = (fields: Wire): Wire => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

const writeImage = ({ url, fileId, detail }: ImagePart): Wire =>
  givenFields({ type: 'input_image', image_url: url, file_id: fileId, detail: detail ?? 'auto' });

const writeFile = ({ filename, data, url, fileId }: FilePart): Wire =>
  givenFields({ type: 'input_file', filename, file_data: data, file_url: url, file_id: fileId });

const writeRefusal = ({ text }: RefusalPart): Wire => ({ type: 'refusal', refusal: text });

const writePart = (part: Part): Wire => ({ ...writeBarePart(part), ...writeBreakpoint(part) });

function writeBarePart(part: Part): Wire {
  switch (part.kind) {
    case 'text':
      return { type: 'input_text', text: part.text };
    case 'image':
      return writeImage(part);
    case 'file':
      return writeFile(part);
    case 'audio':
      return { type: 'input_audio', input_audio: { data: part.data, format: part.format } };
    case 'refusal':
      return writeRefusal(part);
  }
}

/** Assistant messages have their own part types. */
function writeSaid(part: Part, path: string): Wire {
  if (part.kind === 'text') return { type: 'output_text', text: part.text, annotations: [] };
  if (part.kind === 'refusal') return writeRefusal(part);
  throw unsupported(path, `An assistant message can't contain a part of type '${part.kind}'.`);
}

/** A single text is a string, which every upstream accepts. */
function writeContent(parts: readonly Part[], write: (part: Part, path: string) => Wire, path = ''): unknown {
  const only = parts.length === 1 ? parts[0] : undefined;
  const isPlain = only?.kind === 'text' && (write === writeSaid || !only.cacheMark?.breakpoint);
  return isPlain ? only.text : parts.length === 0 ? '' : parts.map((part, index) => write(part, `${path}.content[${index}]`));
}

function writeMessage({ role, parts, phase, name, path }: MessageItem): Wire {
  if (name !== null)
    throw unsupported(`${path}.name`, "'name' can't be sent to this model's upstream. Name the speaker in the text instead.");
  const content = writeContent(parts, role === 'assistant' ? writeSaid : writePart, path);
  return givenFields({ type: 'message', role, content, phase });
}

function writeCall({ form, callId, name, namespace, arguments: text }: CallItem): Wire {
  const call = { call_id: callId, name, namespace };
  return givenFields(
    form === 'custom' ? { type: 'custom_tool_call', ...call, input: text } : { type: 'function_call', ...call, arguments: text },
  );
}

function writeOutput({ form, callId, parts }: OutputItem): Wire {
  return { type: `${form === 'custom' ? 'custom_tool' : 'function'}_call_output`, call_id: callId, output: writeContent(parts, writePart) };
}

/** Only encrypted reasoning is sent, since the upstream stores nothing. It can't read what was packed here for another protocol. */
function writeReasoning({ summary, content, encrypted }: ReasoningItem): readonly Wire[] {
  if (encrypted === null || isPackedHere(encrypted)) return [];
  const item = { type: 'reasoning', summary: summary.map((text) => ({ type: 'summary_text', text })), encrypted_content: encrypted };
  return [content.length === 0 ? item : { ...item, content: content.map((text) => ({ type: 'reasoning_text', text })) }];
}

/** Omits the ID, which is meaningless to another upstream, and the agents' own notes. */
function writeForeign({ type, path, value }: ResponsesOnlyItem): Wire {
  if (type === 'item_reference') {
    throw unsupported(`${path}.type`, "This model's upstream doesn't store items. Send the item itself instead of a reference.");
  }
  const { id: _, internal_chat_message_metadata_passthrough: __, ...item } = value;
  return { ...item, type };
}

function writeItem(item: Item): readonly Wire[] {
  switch (item.kind) {
    case 'message':
      return [writeMessage(item)];
    case 'call':
      return [writeCall(item)];
    case 'output':
      return [writeOutput(item)];
    case 'reasoning':
      return writeReasoning(item);
    case 'foreign':
      return [writeForeign(item)];
  }
}

const writeInput = (items: readonly Item[]): readonly Wire[] => items.flatMap(writeItem);

const described = (description: string | null): Wire => (description === null ? {} : { description });
const noArguments = { type: 'object', properties: {}, additionalProperties: false } as const;

/** An absent `strict` means true here and false on chat, so the meaning in the caller's protocol is written. */
function writeFunction({ name, description, parameters, strict }: FunctionTool, budget: Budget): Wire {
  return {
    type: 'function',
    name,
    ...described(description),
    parameters: parameters === null ? noArguments : toolSchema(parameters, budget),
    ...(strict !== null && { strict }),
  };
}

function writeCustom({ name, description, grammar }: CustomTool): Wire {
  return { type: 'custom', name, ...described(description), ...(grammar !== null && { format: { type: 'grammar', ...grammar } }) };
}

function writeTool(tool: Tool, budget: Budget): Wire {
  switch (tool.kind) {
    case 'function':
      return writeFunction(tool, budget);
    case 'custom':
      return writeCustom(tool);
    case 'hosted':
      return { ...tool.value, type: tool.type };
  }
}

/** A namespace takes the position of its first tool. */
function writeList(tools: readonly Tool[], budgetOf: (tool: Tool) => Budget): readonly Wire[] {
  const written: Wire[] = [];
  const spaces = new Map<string, Wire[]>();
  for (const tool of tools) {
    const namespace = tool.kind === 'hosted' ? null : tool.namespace;
    const space = namespace === null ? written : spaces.get(namespace);
    if (space) space.push(writeTool(tool, budgetOf(tool)));
    else if (namespace !== null) {
      const inner = [writeTool(tool, budgetOf(tool))];
      spaces.set(namespace, inner);
      written.push({ type: 'namespace', name: namespace, description: '', tools: inner });
    }
  }
  return written;
}

const named = ({ form, name, namespace }: ToolName): Wire => ({ type: form, name, ...(namespace !== undefined && { namespace }) });

function writeChoice(choice: ToolChoice): unknown {
  switch (choice.kind) {
    case 'tool':
      return named(choice.tool);
    case 'allowed':
      return { type: 'allowed_tools', mode: choice.mode, tools: choice.tools.map(named) };
    case 'hosted':
      return choice.value;
    default:
      return choice.kind;
  }
}

/** The results of tool searches, which declare their own tools: this protocol has an item for them. */
function foundIn({ items }: Turn): ReadonlySet<string> {
  return new Set(items.flatMap((item) => (item.kind === 'foreign' && item.type === 'tool_search_output' ? [item.path] : [])));
}

function writeTools(turn: Turn, work: Work): Wire {
  const { caller, tools, toolChoice, parallelToolCalls } = turn;
  const searches = foundIn(turn);
  const offered = tools.filter((tool) => !searches.has(containerOf(tool)));
  return {
    ...(offered.length > 0 && { tools: writeList(offered, (tool) => work.on(toolField(tool, caller, 'parameters'))) }),
    ...(toolChoice !== null && { tool_choice: writeChoice(toolChoice) }),
    ...(parallelToolCalls !== null && { parallel_tool_calls: parallelToolCalls }),
  };
}

const encryptedOf = ({ encrypted_content: encrypted }: Fields): string | null =>
  typeof encrypted === 'string' && encrypted !== '' ? encrypted : null;

/** The encrypted reasoning of an item; null if it has none. */
export const encryptedReasoningOf = (item: Fields): string | null => (item.type === 'reasoning' ? encryptedOf(item) : null);

/** Items whose ID must stay: another item, or the upstream, refers to it. */
const linking = new Set<unknown>(['local_shell_call_output', 'mcp_approval_request']);

/** The edit of an item before it is sent; `lost` when it holds a whole conversation that the upstream can't read. */
export function editOfItem(item: Fields, canOpen: (encrypted: string) => boolean): ItemEdit | 'lost' {
  const encrypted = encryptedOf(item);
  const isOpen = encrypted === null ? item.type !== 'reasoning' : canOpen(encrypted);
  if (!isOpen && item.type === 'reasoning') return 'drop';
  if (!isOpen && item.type === 'compaction') return 'lost';
  return linking.has(item.type) || !hasOwnMarks(item) ? null : 'strip';
}
