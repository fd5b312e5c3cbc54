/** Reads a text request of either protocol for the simulator, with the gateway's own readers. */
import { type CallCode, GatewayError } from '../../primitives/errors.ts';
import type { Fields } from '../../primitives/fields.ts';
import type * as canonical from '../../protocols/canonical/canonical-request.ts';
import { isLegacyFunctionRequest, readChatRequest } from '../../protocols/chat/read-request.ts';
import { readResponseRequest } from '../../protocols/responses/read-request.ts';
import { estimateTokens } from './tokens.ts';

/** The simulator never uses a hosted tool, as a model may choose not to. */
export type SimulatorTool = canonical.FunctionTool | canonical.CustomTool;

interface ToolChoice {
  readonly mode: 'none' | 'auto' | 'required';
  /** The only tools that can be called. Null for all. */
  readonly names: readonly string[] | null;
}

export interface Attachment {
  readonly noun: 'image' | 'file' | 'sound';
  /** The media type if known, otherwise how the attachment was included. */
  readonly type: string;
}

interface ToolResult {
  readonly name: string;
  readonly text: string;
}

export interface SimulatorRequest {
  /** The text of the last user message. */
  readonly prompt: string;
  /** Images and files of the last user message. */
  readonly attachments: readonly Attachment[];
  /** Tool results at the end of the conversation. */
  readonly results: readonly ToolResult[];
  readonly inputTokens: number;
  readonly tools: readonly SimulatorTool[];
  readonly choice: ToolChoice;
  readonly isParallel: boolean;
  readonly format: canonical.Format;
  /** The path of the output schema, for error messages. */
  readonly schemaParam: string;
  readonly maxTokens: number | null;
  readonly stop: readonly string[];
  /** The number of responses. More than one only in chat. */
  readonly choices: number;
  /** Null if the model doesn't reason. */
  readonly effort: string | null;
  /** Alternatives per token. Null if no log probabilities were requested. */
  readonly topLogprobs: number | null;
}

export function readSimulatorRequest(operation: 'createChatCompletion' | 'createResponse', body: Fields): SimulatorRequest {
  const isChat = operation === 'createChatCompletion';
  const { items, settings, extras, effort, ...request } = isChat ? readChatRequest(body, '') : readResponseRequest(body, '');
  if ('modalities' in extras) throw createUnsupportedError("The built-in simulator can't generate audio, only text.", 'modalities');
  const user = items.findLast((item) => item.kind === 'message' && item.role === 'user');
  const parts = user?.kind === 'message' ? user.parts : [];
  const tools = request.tools.filter((tool) => tool.kind !== 'hosted');
  return {
    prompt: joinTexts(parts),
    attachments: parts.flatMap(readAttachment),
    results: readResults(items),
    inputTokens: estimateTokens(inputFields.map((name) => body[name])),
    tools,
    choice: readChoice(request.toolChoice, tools),
    isParallel: request.parallelToolCalls !== false && !isLegacyFunctionRequest(body),
    format: request.format,
    schemaParam: isChat ? 'response_format.json_schema.schema' : 'text.format.schema',
    maxTokens: settings.maxOutputTokens,
    stop: settings.stop,
    choices: settings.n ?? 1,
    effort: effort === 'none' ? null : (effort ?? (request.reasoningSummary && 'medium')),
    topLogprobs: settings.topLogprobs,
  };
}

/** The fields whose text counts as input. */
const inputFields = ['messages', 'functions', 'response_format', 'instructions', 'input', 'tools', 'text'];

const createUnsupportedError = (message: string, param: string) => new GatewayError<CallCode>('unsupported_value', { message, param });

/** Rejects a tool choice that no tool satisfies, as providers do. */
function readChoice(toolChoice: canonical.ToolChoice | null, tools: readonly SimulatorTool[]): ToolChoice {
  const choice = toModeAndNames(toolChoice ?? { kind: 'auto' });
  const isCallable = tools.some(({ name }) => choice.names === null || choice.names.includes(name));
  if (choice.mode === 'required' && !isCallable) {
    throw new GatewayError<CallCode>('invalid_value', {
      message: "'tool_choice' names a tool that isn't among the function and custom tools of this request.",
      param: 'tool_choice',
    });
  }
  return choice;
}

function toModeAndNames(choice: canonical.ToolChoice): ToolChoice {
  switch (choice.kind) {
    case 'tool':
      return { mode: 'required', names: [choice.tool.name] };
    case 'allowed':
      return { mode: choice.mode, names: choice.tools.map(({ name }) => name) };
    case 'hosted':
      return readHostedChoice(choice.value);
    default:
      return { mode: choice.kind, names: null };
  }
}

/** A list of allowed tools may include hosted tools. */
function readHostedChoice({ type, mode, tools }: Fields): ToolChoice {
  if (type === 'allowed_tools' && Array.isArray(tools))
    return { mode: mode === 'required' ? mode : 'auto', names: tools.map((tool) => String(tool?.name)) };
  throw createUnsupportedError("The built-in simulator doesn't run hosted tools. Choose a function or a custom tool.", 'tool_choice');
}

/** The tool results after the last other item, with the names of their tools. */
function readResults(items: readonly canonical.Item[]): readonly ToolResult[] {
  const names = new Map(items.flatMap((item) => (item.kind === 'call' ? [[item.callId, item.name]] : [])));
  const start = items.findLastIndex(({ kind }) => kind !== 'output') + 1;
  return items
    .slice(start)
    .flatMap((item) => (item.kind === 'output' ? [{ name: names.get(item.callId) ?? item.callId, text: joinTexts(item.parts) }] : []));
}

const joinTexts = (parts: readonly canonical.Part[]): string =>
  parts.flatMap((part) => (part.kind === 'text' && part.text !== '' ? [part.text] : [])).join('\n');

function readAttachment(part: canonical.Part): Attachment[] {
  switch (part.kind) {
    case 'image':
      return [{ noun: 'image', type: describeUrl(part.url) }];
    case 'file':
      return [{ noun: 'file', type: describeUrl(part.data ?? part.url) }];
    case 'audio':
      return [{ noun: 'sound', type: `audio/${part.format}` }];
    default:
      return [];
  }
}

/** Describes how an image or file is included: its media type, "linked", "inline", or "by id". */
function describeUrl(url: string | null): string {
  if (!url) return 'by id';
  const mediaType = /^data:([\w.+-]{1,60}\/[\w.+-]{1,60})/.exec(url)?.[1];
  return mediaType ?? (/^https?:/i.test(url) ? 'linked' : 'inline');
}
