/** Items of a responses call: what the caller sends as `input`, and what comes back as `output` (specification 2.4). */
import { z } from 'zod';
import { Id, JsonObject, JsonValue, Label, MAX_PARTS, MAX_TOOLS, maybe, Text } from './bounds.ts';
import { ItemStatus, MessagePart, OutputPart, Phase, ReasoningText, SummaryText, ToolOutput } from './response-parts.ts';
import { Tool } from './tools.ts';

/** Clients put ids of their own making on every item; they are taken and mean nothing. */
const marks = { id: maybe(Id), status: maybe(ItemStatus) };
const callId = Id.describe('Links a call with its output.');

export const InputMessage = z
  .looseObject({
    type: z.literal('message').optional(),
    role: z.enum(['user', 'system', 'developer', 'assistant']),
    content: z.union([Text, z.array(MessagePart).max(MAX_PARTS)]),
    phase: maybe(Phase),
    ...marks,
  })
  .meta({ id: 'InputMessage', description: 'A message; `type` may be left out.' });

const calls = {
  function_call: z.looseObject({
    type: z.literal('function_call'),
    call_id: callId,
    name: Label,
    arguments: Text.describe('JSON as the model wrote it.'),
    namespace: maybe(Label),
    ...marks,
  }),
  custom_tool_call: z.looseObject({
    type: z.literal('custom_tool_call'),
    call_id: callId,
    name: Label,
    input: Text,
    namespace: maybe(Label),
    ...marks,
  }),
};

const outputs = {
  function_call_output: z
    .looseObject({ type: z.literal('function_call_output'), call_id: callId, output: ToolOutput, ...marks })
    .meta({ id: 'FunctionCallOutput', description: 'The result of a function call; built by the caller, never returned in `output`.' }),
  custom_tool_call_output: z
    .looseObject({ type: z.literal('custom_tool_call_output'), call_id: callId, output: ToolOutput, ...marks })
    .meta({ id: 'CustomToolCallOutput' }),
};

const PastReasoning = z
  .looseObject({
    type: z.literal('reasoning'),
    summary: z.array(SummaryText).max(MAX_PARTS),
    content: maybe(z.array(ReasoningText).max(MAX_PARTS)),
    encrypted_content: maybe(Text),
    ...marks,
  })
  .meta({ id: 'PastReasoning', description: 'Reasoning of an earlier turn, passed back as it came.' });

const ItemReference = z.looseObject({ type: z.literal('item_reference'), id: Id }).meta({ id: 'ItemReference' });

const AdditionalTools = z
  .looseObject({ type: z.literal('additional_tools'), role: maybe(z.literal('developer')), tools: z.array(Tool).max(MAX_TOOLS), ...marks })
  .meta({ id: 'AdditionalTools', description: 'Tools that a coding agent declares inside the input.' });

const ToolSearchCall = z
  .looseObject({ type: z.literal('tool_search_call'), call_id: maybe(Id), arguments: JsonValue, execution: maybe(Label), ...marks })
  .meta({ id: 'ToolSearchCall' });
const ToolSearchOutput = z
  .looseObject({
    type: z.literal('tool_search_output'),
    call_id: maybe(Id),
    tools: z.array(Tool).max(1024),
    execution: maybe(Label),
    ...marks,
  })
  .meta({ id: 'ToolSearchOutput' });

const Compaction = z.looseObject({ type: z.literal('compaction'), encrypted_content: Text, ...marks }).meta({ id: 'Compaction' });
const CompactionTrigger = z.looseObject({ type: z.literal('compaction_trigger'), ...marks }).meta({ id: 'CompactionTrigger' });

const replayed = [
  ...(['local_shell_call', 'local_shell_call_output', 'shell_call', 'shell_call_output', 'apply_patch_call'] as const),
  ...(['apply_patch_call_output', 'web_search_call', 'file_search_call', 'image_generation_call', 'code_interpreter_call'] as const),
  ...(['computer_call', 'computer_call_output', 'mcp_call', 'mcp_list_tools', 'mcp_approval_request'] as const),
  ...(['mcp_approval_response', 'program', 'program_output', 'configuration_update'] as const),
] as const;

const ReplayedItem = z
  .looseObject({ type: z.enum(replayed), id: maybe(Id), status: maybe(Label), action: maybe(JsonObject) })
  .meta({ id: 'ReplayedItem', description: 'A call of a hosted tool or its output, passed back as it came.', additionalProperties: true });

export const InputItem = z
  .discriminatedUnion('type', [
    InputMessage,
    calls.function_call.meta({ id: 'PastFunctionCall' }),
    outputs.function_call_output,
    calls.custom_tool_call.meta({ id: 'PastCustomToolCall' }),
    outputs.custom_tool_call_output,
    PastReasoning,
    ItemReference,
    AdditionalTools,
    ToolSearchCall,
    ToolSearchOutput,
    Compaction,
    CompactionTrigger,
    ReplayedItem,
  ])
  .meta({ id: 'InputItem' });
export type InputItem = z.infer<typeof InputItem>;

// ── Output ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

const OutputMessage = z
  .looseObject({
    type: z.literal('message'),
    id: z.string(),
    role: z.literal('assistant'),
    status: ItemStatus,
    content: z.array(OutputPart),
    phase: maybe(Phase),
  })
  .meta({ id: 'OutputMessage', description: 'Text is in `content[].text` of the parts of type `output_text`.' });

const FunctionCall = z
  .looseObject({
    type: z.literal('function_call'),
    id: z.string().nullish(),
    call_id: z.string().describe('Goes back in `function_call_output.call_id`.'),
    name: z.string(),
    arguments: z.string(),
    namespace: z.string().nullish(),
    status: ItemStatus.nullish(),
  })
  .meta({ id: 'FunctionCall', description: 'A call for the caller to run; may come with no text in the response.' });

const CustomToolCall = z
  .looseObject({
    type: z.literal('custom_tool_call'),
    id: z.string().nullish(),
    call_id: z.string(),
    name: z.string(),
    input: z.string(),
    namespace: z.string().nullish(),
    status: ItemStatus.nullish(),
  })
  .meta({ id: 'CustomToolCall' });

const Reasoning = z
  .looseObject({
    type: z.literal('reasoning'),
    id: z.string(),
    summary: z.array(SummaryText),
    content: z.array(ReasoningText).nullish(),
    encrypted_content: z.string().nullish().describe('Opaque; pass it back unchanged to keep the reasoning over turns without storage.'),
    status: ItemStatus.nullish(),
  })
  .meta({ id: 'Reasoning', description: 'May come ahead of the message: do not read `output[0]` as the answer.' });

const HostedItem = z
  .looseObject({
    type: z.enum([...replayed, 'tool_search_call', 'tool_search_output', 'compaction', 'additional_tools']),
    id: z.string().nullish(),
    status: z.string().nullish(),
  })
  .meta({ id: 'HostedItem', description: 'A tool that the upstream ran, or another item of its own.', additionalProperties: true });

export const OutputItem = z
  .discriminatedUnion('type', [OutputMessage, FunctionCall, CustomToolCall, Reasoning, HostedItem])
  .meta({ id: 'OutputItem' });
export type OutputItem = z.infer<typeof OutputItem>;
