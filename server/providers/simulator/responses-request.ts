/** Reads a responses request for the simulator. */

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

export function readResponsesRequest(body: JsonRecord): SimulatorRequest {
  const items = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : toRecords(body.input);
  if (items.some(({ type }) => type === 'compaction_trigger')) throw createCompactionError();
  const user = items.findLast((item) => item.role === 'user' && isMessage(item)) ?? {};
  const tools = readTools(body, items);
  const text = toRecord(body.text);
  return {
    prompt: joinText(user.content),
    attachments: toRecords(user.content).flatMap(readAttachment),
    results: readResults(items),
    inputTokens: estimateTokens([body.instructions, body.input, body.tools, body.text]),
    tools,
    choice: requireCallable(readChoice(body.tool_choice), tools),
    isParallel: body.parallel_tool_calls !== false,
    format: readFormat(toRecord(text.format)),
    maxTokens: toNumber(body.max_output_tokens),
    stop: [],
    choices: 1,
    reasoning: readReasoning(body),
    topLogprobs: toTexts(body.include).includes('message.output_text.logprobs') ? (toNumber(body.top_logprobs) ?? 0) : null,
  };
}

/** A fake summary would cost a coding agent its whole session. */
const createCompactionError = () =>
  new GatewayError<CallCode>('unsupported_value', {
    param: 'input',
    message: "The built-in simulator doesn't support 'compaction_trigger'.",
  });

function isMessage(item: JsonRecord): boolean {
  return (item.type ?? 'message') === 'message';
}

/** Also reads tools declared in input items, as coding agents send them. */
function readTools(body: JsonRecord, items: readonly JsonRecord[]): readonly SimulatorTool[] {
  const additionalTools = items.filter((item) => item.type === 'additional_tools').flatMap((item) => toRecords(item.tools));
  return [...toRecords(body.tools), ...additionalTools].flatMap((tool) => readTool(tool, null));
}

/** Omits hosted tools: the simulator never uses one, as a model may choose not to. */
function readTool(tool: JsonRecord, namespace: string | null): SimulatorTool[] {
  const name = toText(tool.name);
  if (tool.type === 'function') return [{ kind: 'function', name, namespace, schema: tool.parameters }];
  if (tool.type === 'custom') return [{ kind: 'custom', name, namespace }];
  if (tool.type === 'namespace' && namespace === null) return toRecords(tool.tools).flatMap((inner) => readTool(inner, name));
  return [];
}

function readChoice(choice: unknown): ToolChoice {
  if (choice === 'none' || choice === 'required') return { mode: choice, names: null };
  if (!isRecord(choice)) return { mode: 'auto', names: null };
  if (choice.type === 'function' || choice.type === 'custom') return { mode: 'required', names: [toText(choice.name)] };
  if (choice.type === 'allowed_tools') {
    const names = toRecords(choice.tools).map((tool) => toText(tool.name));
    return { mode: choice.mode === 'required' ? 'required' : 'auto', names };
  }
  throw new GatewayError<CallCode>('unsupported_value', {
    message: "The built-in simulator doesn't run hosted tools. Choose a function or a custom tool.",
    param: 'tool_choice',
  });
}

function readFormat(format: JsonRecord): OutputFormat {
  if (format.type === 'json_schema') return { kind: 'json_schema', schema: format.schema, param: 'text.format.schema' };
  return { kind: format.type === 'json_object' ? 'json_object' : 'text' };
}

function readReasoning(body: JsonRecord): SimulatorRequest['reasoning'] {
  const { effort, summary } = toRecord(body.reasoning);
  if (effort === 'none' || (!effort && !summary)) return null;
  return { effort: toText(effort) || 'medium', isEncrypted: toTexts(body.include).includes('reasoning.encrypted_content') };
}

function readResults(items: readonly JsonRecord[]): readonly ToolResult[] {
  const isResult = ({ type }: JsonRecord) => type === 'function_call_output' || type === 'custom_tool_call_output';
  const resultsStart = items.findLastIndex((item) => !isResult(item)) + 1;
  const names = new Map(items.filter((item) => 'name' in item).map((item) => [item.call_id, toText(item.name)]));
  return items.slice(resultsStart).map((item) => ({
    name: names.get(item.call_id) ?? toText(item.call_id),
    text: joinText(item.output),
  }));
}

function readAttachment(part: JsonRecord): Attachment[] {
  switch (part.type) {
    case 'input_image':
      return [{ noun: 'image', type: describeUrl(toText(part.image_url)) }];
    case 'input_file':
      return [{ noun: 'file', type: describeUrl(toText(part.file_data) || toText(part.file_url)) }];
    case 'input_audio':
      return [{ noun: 'sound', type: `audio/${toText(toRecord(part.input_audio).format)}` }];
    default:
      return [];
  }
}
