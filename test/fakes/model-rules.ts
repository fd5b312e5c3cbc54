/** Claude and Gemini as they are strict about each model: what their documentation says that they reject, in their words. */
import { anthropicFailure, anthropicFrames, anthropicMessage } from './anthropic.ts';
import type { FakeToolCall } from './chat.ts';
import { json, stream } from './delivery.ts';
import type { FakeRequest } from './exchange.ts';
import { geminiAnswer, geminiFailure, geminiFrames } from './gemini.ts';
import type { Script } from './script.ts';

export interface StrictReply {
  readonly text?: string;
  readonly calls?: readonly FakeToolCall[];
}

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});

/** https://platform.claude.com/docs/en/build-with-claude/effort, extended-thinking, thinking-troubleshooting, structured-outputs, and api/errors. */
interface ClaudeModel {
  readonly efforts: readonly string[];
  readonly thinking: readonly string[];
  readonly isSampled: boolean;
  readonly isPrefilled: boolean;
  readonly isForced: boolean;
  readonly maxTokens: number;
}

const claude: Readonly<Record<string, ClaudeModel>> = {
  'claude-haiku-4-5-20251001': old([]),
  'claude-sonnet-4-5-20250929': old([]),
  'claude-opus-4-5-20251101': old(['low', 'medium', 'high']),
  'claude-sonnet-4-6': newer(['low', 'medium', 'high', 'max'], ['adaptive', 'enabled', 'disabled'], true),
  'claude-opus-4-7': newer(['low', 'medium', 'high', 'xhigh', 'max'], ['adaptive', 'disabled']),
  'claude-opus-5-5': { ...newer(['low', 'medium', 'high', 'xhigh', 'max'], ['adaptive']), isForced: false },
  'claude-sonnet-5-5': { ...newer(['low', 'medium', 'high', 'xhigh', 'max'], ['adaptive', 'between_tools']), isForced: false },
};

export const claudeModels = Object.keys(claude);

function old(efforts: readonly string[]): ClaudeModel {
  return { efforts, thinking: ['enabled', 'disabled'], isSampled: true, isPrefilled: true, isForced: true, maxTokens: 64_000 };
}

function newer(efforts: readonly string[], thinking: readonly string[], isSampled = false): ClaudeModel {
  return { efforts, thinking, isSampled, isPrefilled: false, isForced: true, maxTokens: 128_000 };
}

function* claudeFaults(body: Fields): Generator<string> {
  const model = claude[String(body.model)];
  if (!model) return;
  const { effort, format } = fieldsOf(body.output_config);
  const thinking = fieldsOf(body.thinking);
  const type = body.thinking === undefined ? undefined : String(thinking.type);
  const budget = Number(thinking.budget_tokens);
  const maxTokens = Number(body.max_tokens);
  if (effort !== undefined && !model.efforts.includes(String(effort))) yield 'This model does not support the effort parameter.';
  if (type !== undefined && !model.thinking.includes(type)) yield `"thinking.type.${type}" is not supported for this model.`;
  if (type === 'enabled' && !(budget >= 1024 && budget < maxTokens))
    yield 'thinking.budget_tokens: must be at least 1024 and below max_tokens';
  if (maxTokens > model.maxTokens)
    yield `max_tokens: ${maxTokens} > ${model.maxTokens}, which is the maximum allowed number of output tokens`;
  if (!model.isSampled && (body.temperature !== undefined || body.top_p !== undefined)) yield '`temperature` is deprecated for this model.';
  if (body.temperature !== undefined && body.top_p !== undefined)
    yield '`temperature` and `top_p` cannot both be specified for this model.';
  const isThinking = type === 'enabled' || type === 'adaptive';
  if (isThinking && body.temperature !== undefined && body.temperature !== 1)
    yield '`temperature` may only be set to 1 when thinking is enabled.';
  const choice = String(fieldsOf(body.tool_choice).type);
  const isForced = choice === 'any' || choice === 'tool';
  if (isForced && !model.isForced) yield 'tool_choice: type "tool" and "any" are not supported for this model.';
  if (isForced && type === 'enabled') yield 'Thinking may not be enabled when tool_choice forces tool use.';
  const messages = Array.isArray(body.messages) ? body.messages.map(fieldsOf) : [];
  if (!model.isPrefilled && messages.at(-1)?.role === 'assistant') yield 'This model does not support assistant message prefill.';
  const ids = messages
    .flatMap(({ content }) => (Array.isArray(content) ? content.map(fieldsOf) : []))
    .filter((one) => one.type === 'tool_use');
  if (new Set(ids.map(({ id }) => id)).size < ids.length) yield 'messages: `tool_use` ids must be unique';
  if (format !== undefined) yield* schemaFaults(fieldsOf(format).schema, 'output_config.format.schema');
  for (const tool of Array.isArray(body.tools) ? body.tools.map(fieldsOf) : [])
    if (tool.strict === true) yield* schemaFaults(tool.input_schema, `tools.${tool.name}.input_schema`);
}

const rejectedKeywords = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'multipleOf',
  'minLength',
  'maxLength',
  'maxItems',
  'uniqueItems',
  'oneOf',
];

function* schemaFaults(value: unknown, place: string): Generator<string> {
  if (Array.isArray(value)) for (const one of value) yield* schemaFaults(one, place);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const schema = fieldsOf(value);
  const keyword = rejectedKeywords.find((name) => name in schema);
  if (keyword) yield `${place}: For this type, property '${keyword}' is not supported`;
  if (Number(schema.minItems ?? 0) > 1) yield `${place}: 'minItems' must be 0 or 1`;
  if (schema.type === 'object' && schema.additionalProperties !== false)
    yield `${place}: 'additionalProperties' must be explicitly set to false`;
  for (const map of [schema.properties, schema.$defs]) for (const part of Object.values(fieldsOf(map))) yield* schemaFaults(part, place);
  for (const part of [schema.items, schema.anyOf, schema.allOf]) yield* schemaFaults(part, place);
}

/** Rejects what the model rejects, and answers with `reply` otherwise. */
export function strictClaude({ fields }: FakeRequest, { text, calls }: StrictReply): Script {
  const [fault] = claudeFaults(fields);
  if (fault !== undefined) return anthropicFailure(400, 'invalid_request_error', fault);
  const reply = { text: text ?? null, toolCalls: calls ?? [] };
  return fields.stream === true ? stream(anthropicFrames(reply)) : json(anthropicMessage(reply));
}

/** https://ai.google.dev/gemini-api/docs/thinking: levels, or the bounds of a budget; 0 turns it off. */
const gemini: Readonly<Record<string, readonly string[] | { readonly min: number; readonly max: number; readonly off: boolean }>> = {
  'gemini-2.5-pro': { min: 128, max: 32_768, off: false },
  'gemini-2.5-flash': { min: 1, max: 24_576, off: true },
  'gemini-3-flash-preview': ['MINIMAL', 'LOW', 'MEDIUM', 'HIGH'],
  'gemini-3.1-pro-preview': ['LOW', 'MEDIUM', 'HIGH'],
  'gemini-3.7-flash': ['LOW', 'MEDIUM', 'HIGH'],
};

export const geminiModels = Object.keys(gemini);

function geminiFault(path: string, { generationConfig, contents }: Fields): string | null {
  const model = /models\/([^:]+):/.exec(path)?.[1] ?? '';
  const accepted = gemini[model];
  if (!accepted) return null;
  const { thinkingLevel, thinkingBudget } = fieldsOf(fieldsOf(generationConfig).thinkingConfig);
  const isListed = Array.isArray(accepted);
  if (thinkingLevel !== undefined && !(isListed && accepted.includes(String(thinkingLevel))))
    return `Thinking level ${thinkingLevel} is not supported for this model.`;
  if (thinkingBudget !== undefined) {
    const budget = Number(thinkingBudget);
    if (isListed || !('min' in accepted)) return 'Thinking budget is not supported for this model.';
    if (budget === 0 ? !accepted.off : budget < accepted.min || budget > accepted.max) return `The thinking budget ${budget} is invalid.`;
  }
  const last = Array.isArray(contents) ? fieldsOf(contents.at(-1)) : {};
  return model === 'gemini-3.7-flash' && last.role === 'model' ? 'Requests ending with a model turn are not supported.' : null;
}

/** Rejects what the model rejects, and answers with `reply` otherwise. */
export function strictGemini({ path, fields }: FakeRequest, { text, calls = [] }: StrictReply): Script {
  const fault = geminiFault(path, fields);
  if (fault !== null) return geminiFailure(400, 'INVALID_ARGUMENT', fault);
  const called = calls.map(({ id, name, arguments: args }) => ({ id, name, args: JSON.parse([args].flat().join('')), signature: 'c2ln' }));
  const reply = { text: text ?? null, calls: called };
  return path.includes('stream') ? stream(geminiFrames(reply)) : json(geminiAnswer(reply));
}
