/** Reads a chat completion request for the simulator. */

import { type CallCode, GatewayError } from '../../primitives/errors.ts';
import { describeUrl, isRecord, type JsonRecord, joinText, toNumber, toRecord, toRecords, toText, toTexts } from './json-record.ts';
import {
  type Attachment,
  type OutputFormat,
  requireCallable,
  type SimulatorRequest,
  type SimulatorTool,
  type ToolChoice,
  type ToolResult,
} from './simulator-request.ts';
import { estimateTokens } from './tokens.ts';

export function readChatRequest(body: JsonRecord): SimulatorRequest {
  rejectAudio(body);
  const messages = toRecords(body.messages);
  const user = messages.findLast((message) => message.role === 'user') ?? {};
  const tools = [...toRecords(body.tools).map(readTool), ...toRecords(body.functions).map(readFunction)];
  const choice = readChoice(body.tool_choice ?? body.function_call, tools.length > 0);
  return {
    prompt: joinText(user.content),
    attachments: toRecords(user.content).flatMap(readAttachment),
    results: readResults(messages),
    inputTokens: estimateTokens([body.messages, body.tools, body.functions, body.response_format]),
    tools,
    choice: requireCallable(choice, tools),
    isParallel: body.parallel_tool_calls !== false && !isLegacyRequest(body),
    format: readFormat(toRecord(body.response_format)),
    maxTokens: toNumber(body.max_completion_tokens) ?? toNumber(body.max_tokens),
    stop: typeof body.stop === 'string' ? [body.stop] : toTexts(body.stop),
    choices: toNumber(body.n) ?? 1,
    reasoning: readReasoning(body),
    topLogprobs: body.logprobs === true ? (toNumber(body.top_logprobs) ?? 0) : null,
  };
}

/** Whether the request uses the deprecated `functions`, whose calls are written as `function_call`. */
export function isLegacyRequest(body: JsonRecord): boolean {
  return Array.isArray(body.functions) && !Array.isArray(body.tools);
}

function rejectAudio(body: JsonRecord): void {
  if (!toTexts(body.modalities).includes('audio')) return;
  throw new GatewayError<CallCode>('unsupported_value', {
    message: "The built-in simulator can't generate audio, only text.",
    param: 'modalities',
  });
}

function readTool(tool: JsonRecord): SimulatorTool {
  if (tool.type === 'custom') return { kind: 'custom', name: toText(toRecord(tool.custom).name), namespace: null };
  return readFunction(toRecord(tool.function));
}

function readFunction(definition: JsonRecord): SimulatorTool {
  return { kind: 'function', name: toText(definition.name), namespace: null, schema: definition.parameters };
}

function readChoice(choice: unknown, hasTools: boolean): ToolChoice {
  if (choice === 'none' || choice === 'auto' || choice === 'required') return { mode: choice, names: null };
  if (!isRecord(choice)) return { mode: hasTools ? 'auto' : 'none', names: null };
  if (choice.type === 'allowed_tools') {
    const allowedTools = toRecord(choice.allowed_tools);
    return { mode: allowedTools.mode === 'required' ? 'required' : 'auto', names: toRecords(allowedTools.tools).map(readName) };
  }
  return { mode: 'required', names: [readName(choice)] };
}

/** Reads the name of a tool choice, nested (tools) or flat (functions). */
function readName(choice: JsonRecord): string {
  return toText(toRecord(choice.function).name) || toText(toRecord(choice.custom).name) || toText(choice.name);
}

function readFormat(format: JsonRecord): OutputFormat {
  if (format.type === 'json_schema')
    return { kind: 'json_schema', schema: toRecord(format.json_schema).schema, param: 'response_format.json_schema.schema' };
  return { kind: format.type === 'json_object' ? 'json_object' : 'text' };
}

function readReasoning(body: JsonRecord): SimulatorRequest['reasoning'] {
  const effort = toText(body.reasoning_effort) || toText(toRecord(body.reasoning).effort);
  return effort === '' || effort === 'none' ? null : { effort, isEncrypted: false };
}

function readResults(messages: readonly JsonRecord[]): readonly ToolResult[] {
  const isResult = ({ role }: JsonRecord) => role === 'tool' || role === 'function';
  const resultsStart = messages.findLastIndex((message) => !isResult(message)) + 1;
  const calls = messages.flatMap((message) => toRecords(message.tool_calls));
  const names = new Map(calls.map((call) => [call.id, readName(call)]));
  return messages.slice(resultsStart).map((message) => ({
    name: toText(message.name) || (names.get(message.tool_call_id) ?? toText(message.tool_call_id)),
    text: joinText(message.content),
  }));
}

function readAttachment(part: JsonRecord): Attachment[] {
  const file = toRecord(part.file);
  switch (part.type) {
    case 'image_url':
      return [{ noun: 'image', type: describeUrl(toText(toRecord(part.image_url).url)) }];
    case 'file':
      return [{ noun: 'file', type: describeUrl(toText(file.file_data)) }];
    case 'input_audio':
      return [{ noun: 'sound', type: `audio/${toText(toRecord(part.input_audio).format)}` }];
    default:
      return [];
  }
}
