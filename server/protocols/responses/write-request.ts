/** Writes a canonical request as the body of a responses call that asks the upstream to store nothing. */

import { MAX_RESPONSES_CALL_ID, shortenCallId } from '../canonical/call-ids.ts';
import { getToolContainer, getToolFieldPath } from '../canonical/caller-field-names.ts';
import type {
  CallItem,
  CanonicalRequest,
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
} from '../canonical/canonical-request.ts';
import { createUnsupportedError } from '../canonical/dropped-fields.ts';
import { writeExtras } from '../canonical/extras.ts';
import { sharedHints } from '../canonical/hints.ts';
import { isPackedReasoning } from '../canonical/packed-reasoning.ts';
import { writeBreakpoint } from '../canonical/prompt-cache.ts';
import { toToolSchema } from '../canonical/tool-schema.ts';
import { type Budget, WorkBudget } from '../canonical/work-budget.ts';

/** The minimum that a Responses upstream accepts. A lower limit is raised instead of rejected. */
const MIN_OUTPUT_TOKENS = 16;

/** Chat settings without an equivalent in Responses, and whether each requests something. `seed` is only best effort, so it's omitted. */
const chatOnlyChecks: Readonly<Record<string, (settings: Settings) => boolean>> = {
  stop: ({ stop }) => stop.length > 0,
  n: ({ n }) => (n ?? 1) > 1,
  presence_penalty: ({ presencePenalty }) => (presencePenalty ?? 0) !== 0,
  frequency_penalty: ({ frequencyPenalty }) => (frequencyPenalty ?? 0) !== 0,
  logit_bias: ({ logitBias }) => Object.keys(logitBias ?? {}).length > 0,
};

function rejectChatSettings(settings: Settings): void {
  for (const [field, isRequested] of Object.entries(chatOnlyChecks)) {
    if (isRequested(settings))
      throw createUnsupportedError(field, `'${field}' is not supported: this call goes over the Responses API, which has no equivalent.`);
  }
}

function writeFormat(format: Format): WireObject | null {
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

const omitUnset = (fields: WireObject): WireObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

/** An options object, or null if it would be empty. */
function toOptions(fields: WireObject): WireObject | null {
  const setFields = omitUnset(fields);
  return Object.keys(setFields).length > 0 ? setFields : null;
}

function writeSettings({ maxOutputTokens, temperature, topP, topLogprobs }: Settings): WireObject {
  const include = topLogprobs === null ? [] : ['message.output_text.logprobs'];
  return {
    max_output_tokens: maxOutputTokens === null ? null : Math.max(MIN_OUTPUT_TOKENS, maxOutputTokens),
    temperature,
    top_p: topP,
    top_logprobs: topLogprobs,
    // The next turn needs this response's encrypted reasoning.
    include: ['reasoning.encrypted_content', ...include],
  };
}

export function writeResponseRequest(turn: CanonicalRequest, work = new WorkBudget()): WireObject {
  rejectChatSettings(turn.settings);
  return omitUnset({
    ...writeExtras(turn, 'responses'),
    model: turn.model,
    instructions: turn.instructions,
    // System messages stay in place, because their order matters.
    input: writeInput(turn.items),
    store: false,
    stream: turn.stream ? true : null,
    ...writeTools(turn, work),
    text: toOptions({ format: writeFormat(turn.format), verbosity: turn.verbosity }),
    reasoning: toOptions({ effort: turn.effort, summary: turn.reasoningSummary }),
    ...writeSettings(turn.settings),
    ...Object.fromEntries(sharedHints.map((name) => [name, turn.hints[name]])),
  });
}

type WireObject = Readonly<Record<string, unknown>>;

const omitNulls = (fields: WireObject): WireObject => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

const writeImage = ({ url, fileId, detail }: ImagePart): WireObject =>
  omitNulls({ type: 'input_image', image_url: url, file_id: fileId, detail: detail ?? 'auto' });

const writeFile = ({ filename, data, url, fileId }: FilePart): WireObject =>
  omitNulls({ type: 'input_file', filename, file_data: data, file_url: url, file_id: fileId });

const writeRefusal = ({ text }: RefusalPart): WireObject => ({ type: 'refusal', refusal: text });

const writePart = (part: Part): WireObject => ({ ...writeBarePart(part), ...writeBreakpoint(part) });

function writeBarePart(part: Part): WireObject {
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
function writeAssistantPart(part: Part, path: string): WireObject {
  if (part.kind === 'text') return { type: 'output_text', text: part.text, annotations: [] };
  if (part.kind === 'refusal') return writeRefusal(part);
  throw createUnsupportedError(path, `An assistant message can't contain a part of type '${part.kind}'.`);
}

/** A single text becomes a string, which every upstream accepts. */
function writeContent(parts: readonly Part[], write: (part: Part, path: string) => WireObject, path = ''): unknown {
  const singlePart = parts.length === 1 ? parts[0] : undefined;
  const isPlain = singlePart?.kind === 'text' && (write === writeAssistantPart || !singlePart.cacheMark?.breakpoint);
  return isPlain ? singlePart.text : parts.length === 0 ? '' : parts.map((part, index) => write(part, `${path}.content[${index}]`));
}

function writeMessage({ role, parts, phase, path }: MessageItem): WireObject {
  const content = writeContent(parts, role === 'assistant' ? writeAssistantPart : writePart, path);
  return omitNulls({ type: 'message', role, content, phase });
}

function writeCall({ form, callId, name, namespace, arguments: text }: CallItem): WireObject {
  const call = { call_id: shortenCallId(callId, MAX_RESPONSES_CALL_ID), name, namespace };
  return omitNulls(
    form === 'custom' ? { type: 'custom_tool_call', ...call, input: text } : { type: 'function_call', ...call, arguments: text },
  );
}

function writeOutput({ form, callId, parts }: OutputItem): WireObject {
  return {
    type: `${form === 'custom' ? 'custom_tool' : 'function'}_call_output`,
    call_id: shortenCallId(callId, MAX_RESPONSES_CALL_ID),
    output: writeContent(parts, writePart),
  };
}

/** Sends only encrypted reasoning, because the upstream stores nothing. Skips reasoning packed by the gateway, which it can't read. */
function writeReasoning({ summary, content, encrypted }: ReasoningItem): readonly WireObject[] {
  if (encrypted === null || isPackedReasoning(encrypted)) return [];
  const item = { type: 'reasoning', summary: summary.map((text) => ({ type: 'summary_text', text })), encrypted_content: encrypted };
  return [content.length === 0 ? item : { ...item, content: content.map((text) => ({ type: 'reasoning_text', text })) }];
}

/** Omits the ID, which is meaningless to another upstream, and the agent's notes. */
function writeForeign({ type, path, value }: ResponsesOnlyItem): WireObject {
  if (type === 'item_reference') {
    throw createUnsupportedError(`${path}.type`, "This model's upstream doesn't store items. Send the item itself instead of a reference.");
  }
  const { id: _, internal_chat_message_metadata_passthrough: __, ...item } = value;
  return { ...item, type };
}

function writeItem(item: Item): readonly WireObject[] {
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

const writeInput = (items: readonly Item[]): readonly WireObject[] => items.flatMap(writeItem);

const toDescriptionField = (description: string | null): WireObject => (description === null ? {} : { description });
const noArguments = { type: 'object', properties: {}, additionalProperties: false } as const;

/** A missing `strict` means true in Responses but false in chat. Chat requests therefore always set it. */
function writeFunction({ name, description, parameters, strict }: FunctionTool, budget: Budget): WireObject {
  return {
    type: 'function',
    name,
    ...toDescriptionField(description),
    parameters: parameters === null ? noArguments : toToolSchema(parameters, budget),
    ...(strict !== null && { strict }),
  };
}

function writeCustom({ name, description, grammar }: CustomTool): WireObject {
  return { type: 'custom', name, ...toDescriptionField(description), ...(grammar !== null && { format: { type: 'grammar', ...grammar } }) };
}

function writeTool(tool: Tool, budget: Budget): WireObject {
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
function writeList(tools: readonly Tool[], getBudget: (tool: Tool) => Budget): readonly WireObject[] {
  const toolList: WireObject[] = [];
  const toolsByNamespace = new Map<string, WireObject[]>();
  for (const tool of tools) {
    const namespace = tool.kind === 'hosted' ? null : tool.namespace;
    const targetList = namespace === null ? toolList : toolsByNamespace.get(namespace);
    if (targetList) targetList.push(writeTool(tool, getBudget(tool)));
    else if (namespace !== null) {
      const namespaceTools = [writeTool(tool, getBudget(tool))];
      toolsByNamespace.set(namespace, namespaceTools);
      toolList.push({ type: 'namespace', name: namespace, description: '', tools: namespaceTools });
    }
  }
  return toolList;
}

const toNamedChoice = ({ form, name, namespace }: ToolName): WireObject => ({
  type: form,
  name,
  ...(namespace !== undefined && { namespace }),
});

function writeChoice(choice: ToolChoice): unknown {
  switch (choice.kind) {
    case 'tool':
      return toNamedChoice(choice.tool);
    case 'allowed':
      return { type: 'allowed_tools', mode: choice.mode, tools: choice.tools.map(toNamedChoice) };
    case 'hosted':
      return choice.value;
    default:
      return choice.kind;
  }
}

/** The paths of tool search results, which declare their own tools. This protocol has its own item for them. */
function findSearchOutputs({ items }: CanonicalRequest): ReadonlySet<string> {
  return new Set(items.flatMap((item) => (item.kind === 'foreign' && item.type === 'tool_search_output' ? [item.path] : [])));
}

function writeTools(turn: CanonicalRequest, work: WorkBudget): WireObject {
  const { caller, tools, toolChoice, parallelToolCalls } = turn;
  const searchPaths = findSearchOutputs(turn);
  const offeredTools = tools.filter((tool) => !searchPaths.has(getToolContainer(tool)));
  return {
    ...(offeredTools.length > 0 && {
      tools: writeList(offeredTools, (tool) => work.forField(getToolFieldPath(tool, caller, 'parameters'))),
    }),
    ...(toolChoice !== null && { tool_choice: writeChoice(toolChoice) }),
    ...(parallelToolCalls !== null && { parallel_tool_calls: parallelToolCalls }),
  };
}
