/** Items of a responses call: the `input` of the caller, and the `output` of the answer. */
import { z } from 'zod';
import { Id, JsonObject, JsonValue, Label, MAX_PARTS, MAX_TOOLS, maybe, Text } from '../shared/bounds.ts';
import { kind } from '../shared/descriptions.ts';
import { Tool } from '../tools.ts';
import { ItemStatus, MessagePart, OutputPart, Phase, ReasoningText, SummaryText, ToolOutput } from './parts.ts';

/** Clients put their own ids on items; the gateway accepts and ignores them. */
const marks = {
  id: maybe(Id).describe(
    'Id of the item, from the client or from an earlier answer. Accepted, but not sent to the upstream, which does not know the id. Absent: a stored item gets a new id.',
  ),
  status: maybe(ItemStatus).describe('Status of the item in the earlier answer; the gateway ignores it, so it may be absent.'),
};
const callId = Id.describe('Links a call with its output: both have the same `call_id`. It is not the `id` of the item.');
const namespace = maybe(Label).describe('The namespace of the tool, as in the call. Absent: the tool has none, or its name is unique.');
const execution = maybe(Label).describe('Who searched: `client` or `server`. Optional; the provider decides if omitted.');

export const InputMessage = z
  .looseObject({
    type: z.literal('message').optional().describe('What this object is: always `message`, also when it is absent.'),
    role: z
      .enum(['user', 'system', 'developer', 'assistant'])
      .describe('Role of the author. `system` and `developer` both give instructions; `assistant` is an earlier answer.'),
    content: z.union([Text, z.array(MessagePart).max(MAX_PARTS)]).describe(`The content: a string, or up to ${MAX_PARTS} parts.`),
    phase: maybe(Phase),
    ...marks,
  })
  .meta({ id: 'InputMessage', description: 'A message; `type` may be left out.' });

const calls = {
  function_call: z.looseObject({
    type: kind('function_call'),
    call_id: callId,
    name: Label.describe('Name of the function that was called.'),
    arguments: Text.describe(
      'JSON as the model wrote it; it may be malformed. Anthropic and Gemini upstreams need a JSON object or an empty text: another one is 400.',
    ),
    namespace,
    ...marks,
  }),
  custom_tool_call: z.looseObject({
    type: kind('custom_tool_call'),
    call_id: callId,
    name: Label.describe('Name of the tool that was called.'),
    input: Text.describe('The free text that the model gave it.'),
    namespace,
    ...marks,
  }),
};

const outputs = {
  function_call_output: z
    .looseObject({
      type: kind('function_call_output'),
      call_id: callId,
      output: ToolOutput.describe('What the function gave back.'),
      ...marks,
    })
    .meta({ id: 'FunctionCallOutput', description: 'The result of a function call; built by the caller, never returned in `output`.' }),
  custom_tool_call_output: z
    .looseObject({
      type: kind('custom_tool_call_output'),
      call_id: callId,
      output: ToolOutput.describe('What the tool gave back.'),
      ...marks,
    })
    .meta({
      id: 'CustomToolCallOutput',
      description: 'The result of a call of a free-form tool; built by the caller, never returned in `output`.',
    }),
};

const PastReasoning = z
  .looseObject({
    type: kind('reasoning'),
    summary: z.array(SummaryText).max(MAX_PARTS).describe(`A summary of the reasoning, up to ${MAX_PARTS} paragraphs; may be empty.`),
    content: maybe(z.array(ReasoningText).max(MAX_PARTS)).describe('The reasoning text, when the upstream showed it. Absent: it did not.'),
    encrypted_content: maybe(Text).describe(
      'The encrypted reasoning, unchanged. Only the upstream that encrypted it can read it; for another it is left out, and `x-modelgate-ignored` names the field. Absent: the model does not see its earlier reasoning.',
    ),
    ...marks,
  })
  .meta({ id: 'PastReasoning', description: 'Reasoning of an earlier turn, sent back unchanged.' });

const ItemReference = z
  .looseObject({
    type: kind('item_reference'),
    id: Id.describe('Id of an item of a response that is stored for this account. An unknown one is 400 `item_not_found`.'),
  })
  .meta({ id: 'ItemReference', description: 'Refers to a stored item. The gateway inserts the item, which is charged as input.' });

const AdditionalTools = z
  .looseObject({
    type: kind('additional_tools'),
    role: maybe(z.literal('developer')).describe('Role of the author: `developer`, or absent; the gateway ignores it.'),
    tools: z.array(Tool).max(MAX_TOOLS).describe(`Tools that the model may call from here on, up to ${MAX_TOOLS}.`),
    ...marks,
  })
  .meta({
    id: 'AdditionalTools',
    description: 'Tools that a coding agent declares inside the input. Upstreams without such items get them in `tools`.',
  });

const ToolSearchCall = z
  .looseObject({
    type: kind('tool_search_call'),
    call_id: maybe(Id).describe('Links the search with its output. Null when the upstream ran the search.'),
    arguments: JsonValue.describe('The search query, as the model wrote it.'),
    execution,
    ...marks,
  })
  .meta({
    id: 'ToolSearchCall',
    description: 'An earlier search for tools. Upstreams that do not speak responses are not sent it.',
  });
const ToolSearchOutput = z
  .looseObject({
    type: kind('tool_search_output'),
    call_id: maybe(Id).describe('The `call_id` of the search. Null when the upstream ran the search.'),
    tools: z.array(Tool).max(1024).describe('Tools that were found, up to 1,024; the model may call them from here on.'),
    execution,
    ...marks,
  })
  .meta({
    id: 'ToolSearchOutput',
    description: 'The result of a search for tools. Upstreams without such items get these tools in `tools`.',
  });

const Compaction = z
  .looseObject({
    type: kind('compaction'),
    encrypted_content: Text.describe(
      'The encrypted conversation, unchanged. Only the upstream that encrypted it can read it; another refuses it with 400.',
    ),
    ...marks,
  })
  .meta({ id: 'Compaction', description: 'A conversation that a responses upstream has compacted. Others refuse it with 400.' });
const CompactionTrigger = z.looseObject({ type: kind('compaction_trigger'), ...marks }).meta({
  id: 'CompactionTrigger',
  description: 'Asks a responses upstream to compact the conversation; the last item of the input. Others refuse it with 400.',
});

const replayed = [
  ...(['local_shell_call', 'local_shell_call_output', 'shell_call', 'shell_call_output', 'apply_patch_call'] as const),
  ...(['apply_patch_call_output', 'web_search_call', 'file_search_call', 'image_generation_call', 'code_interpreter_call'] as const),
  ...(['computer_call', 'computer_call_output', 'mcp_call', 'mcp_list_tools', 'mcp_approval_request'] as const),
  ...(['mcp_approval_response', 'program', 'program_output', 'configuration_update'] as const),
] as const;

const ReplayedItem = z
  .looseObject({
    type: z.enum(replayed).describe('The tool, and whether this is a call or its output.'),
    id: maybe(Id).describe(
      'Id of the item. Sent to the upstream only when another item or the upstream refers to it. Absent when the answer had none.',
    ),
    status: maybe(Label).describe('Status in the earlier answer, in the words of that tool. Absent for tools that have no such field.'),
    action: maybe(JsonObject).describe('The action of the tool, in the format of that tool. Absent for tools that have no such field.'),
  })
  .meta({
    id: 'ReplayedItem',
    description:
      'A call of a hosted tool or its output, sent back unchanged. Upstreams that do not speak responses leave out a `web_search_call` that has ended, and refuse the others with 400.',
    additionalProperties: true,
  });

export const InputItem = z
  .discriminatedUnion('type', [
    InputMessage,
    calls.function_call.meta({
      id: 'PastFunctionCall',
      description: 'A call that the model made in an earlier turn. A `function_call_output` with its `call_id` must follow.',
    }),
    outputs.function_call_output,
    calls.custom_tool_call.meta({
      id: 'PastCustomToolCall',
      description: 'A call of a free-form tool in an earlier turn. A `custom_tool_call_output` with its `call_id` must follow.',
    }),
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
  .meta({
    id: 'InputItem',
    description:
      'One item of the conversation, of the kind that `type` names; an item without `type` is a message. An item of a kind that is not listed here is forwarded as it came, if the vendor of the model has responses too, and is 400 otherwise.',
  });
export type InputItem = z.infer<typeof InputItem>;

// ── Output ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

const itemId = z.string().describe('Id of the item; when the response is stored, an `item_reference` can refer to it.');
const itemIdIfAny = z.string().nullish().describe('Id of the item from the upstream. Absent when the upstream gave none.');
const answeredStatus = ItemStatus.nullish().describe('Status of the item. Absent: it is complete.');
const answeredNamespace = z
  .string()
  .nullish()
  .describe('The namespace of the tool; send it back with the call. Absent: the tool has none.');

const OutputMessage = z
  .looseObject({
    type: kind('message'),
    id: itemId,
    role: kind('assistant', 'Role of the author'),
    status: ItemStatus.describe('Status of the message.'),
    content: z.array(OutputPart).describe('Parts of the message, in order; empty while it begins.'),
    phase: maybe(Phase),
  })
  .meta({ id: 'OutputMessage', description: 'Text is in `content[].text` of the parts of type `output_text`.' });

const FunctionCall = z
  .looseObject({
    type: kind('function_call'),
    id: itemIdIfAny,
    call_id: z.string().describe('Id of the call; send it back as `function_call_output.call_id`.'),
    name: z.string().describe('Name of the function, as the request declared it.'),
    arguments: z.string().describe('JSON as the model wrote it: check it before use. Empty while the call begins.'),
    namespace: answeredNamespace,
    status: answeredStatus,
  })
  .meta({ id: 'FunctionCall', description: 'A call for the caller to run; the response may have no text beside it.' });

const CustomToolCall = z
  .looseObject({
    type: kind('custom_tool_call'),
    id: itemIdIfAny,
    call_id: z.string().describe('Id of the call; send it back as `custom_tool_call_output.call_id`.'),
    name: z.string().describe('Name of the tool, as the request declared it.'),
    input: z.string().describe('Free text for the tool. Empty while the call begins.'),
    namespace: answeredNamespace,
    status: answeredStatus,
  })
  .meta({ id: 'CustomToolCall', description: 'A call of a free-form tool for the caller to run.' });

const Reasoning = z
  .looseObject({
    type: kind('reasoning'),
    id: itemId,
    summary: z.array(SummaryText).describe('The summary of the reasoning, in paragraphs; empty unless `reasoning.summary` asked for it.'),
    content: z.array(ReasoningText).nullish().describe('The reasoning text. Absent when the upstream does not show it.'),
    encrypted_content: z
      .string()
      .nullish()
      .describe(
        'Opaque; send it back unchanged to keep the reasoning across turns without storage. Absent unless `include` asked for it, and when the upstream encrypts nothing.',
      ),
    status: answeredStatus,
  })
  .meta({ id: 'Reasoning', description: 'Reasoning may come before the message, so `output[0]` is not always the answer.' });

const HostedItem = z
  .looseObject({
    type: z
      .enum([...replayed, 'tool_search_call', 'tool_search_output', 'compaction', 'additional_tools'])
      .describe('The tool, or the kind of item; the other fields depend on it.'),
    id: itemIdIfAny,
    status: z.string().nullish().describe('Status, in the words of that tool. Absent for items that have no such field.'),
  })
  .meta({
    id: 'HostedItem',
    description:
      'A call of a tool that the upstream ran, or another item of the upstream. Calls are charged by type; failed calls are free.',
    additionalProperties: true,
  });

export const OutputItem = z
  .discriminatedUnion('type', [OutputMessage, FunctionCall, CustomToolCall, Reasoning, HostedItem])
  .meta({ id: 'OutputItem', description: 'One item of the answer, of the kind that `type` names.' });
export type OutputItem = z.infer<typeof OutputItem>;
