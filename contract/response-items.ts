/** Items of a responses call: what the caller sends as `input`, and what comes back as `output`. */
import { z } from 'zod';
import { Id, JsonObject, JsonValue, Label, MAX_PARTS, MAX_TOOLS, maybe, Text } from './bounds.ts';
import { ItemStatus, MessagePart, OutputPart, Phase, ReasoningText, SummaryText, ToolOutput } from './response-parts.ts';
import { Tool } from './tools.ts';
import { kind } from './wording.ts';

/** Clients put ids of their own making on every item; they are taken and mean nothing. */
const marks = {
  id: maybe(Id).describe(
    'Id of the item, the client’s own or that of an earlier answer. Taken, and not sent on: upstreams know no ids of others. Absent: a stored item is given one.',
  ),
  status: maybe(ItemStatus).describe('How far the item was when it was answered; nothing depends on it, so it may be absent.'),
};
const callId = Id.describe('Links a call with its output: both carry the same. It is not the `id` of the item.');
const namespace = maybe(Label).describe(
  'The namespace of the tool, as the call carried it. Absent: the tool is in none, or its name says enough.',
);
const execution = maybe(Label).describe('Who searched: `client` or `server`. Absent: the upstream decides.');

export const InputMessage = z
  .looseObject({
    type: z.literal('message').optional().describe('What this object is: always `message`, also where it is absent.'),
    role: z
      .enum(['user', 'system', 'developer', 'assistant'])
      .describe('Who speaks. `system` and `developer` both give instructions; `assistant` is an earlier answer.'),
    content: z.union([Text, z.array(MessagePart).max(MAX_PARTS)]).describe(`What is said: a string, or up to ${MAX_PARTS} parts.`),
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
    summary: z.array(SummaryText).max(MAX_PARTS).describe(`What was told of the thoughts, up to ${MAX_PARTS} paragraphs; may be empty.`),
    content: maybe(z.array(ReasoningText).max(MAX_PARTS)).describe(
      'The thoughts themselves, where they were shown. Absent: they were not.',
    ),
    encrypted_content: maybe(Text).describe(
      'The sealed thoughts, unchanged. Only the upstream that sealed them can open them; for another they are left out, and `x-modelgate-ignored` names the field. Absent: the thoughts are lost.',
    ),
    ...marks,
  })
  .meta({ id: 'PastReasoning', description: 'Reasoning of an earlier turn, passed back as it came.' });

const ItemReference = z
  .looseObject({
    type: kind('item_reference'),
    id: Id.describe('Id of an item of a response that is stored for this account. An unknown one is 400 `item_not_found`.'),
  })
  .meta({ id: 'ItemReference', description: 'Stands for a stored item, which takes its place and is charged as input.' });

const AdditionalTools = z
  .looseObject({
    type: kind('additional_tools'),
    role: maybe(z.literal('developer')).describe('Who speaks: `developer`, or absent; nothing depends on it.'),
    tools: z.array(Tool).max(MAX_TOOLS).describe(`Tools that the model may call from here on, up to ${MAX_TOOLS}.`),
    ...marks,
  })
  .meta({
    id: 'AdditionalTools',
    description: 'Tools that a coding agent declares inside the input. Upstreams without such items are sent them with the other tools.',
  });

const ToolSearchCall = z
  .looseObject({
    type: kind('tool_search_call'),
    call_id: maybe(Id).describe('Links the search with its output. Null where the upstream searched itself.'),
    arguments: JsonValue.describe('What was searched for, as the model wrote it.'),
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
    call_id: maybe(Id).describe('The `call_id` of the search. Null where the upstream searched itself.'),
    tools: z.array(Tool).max(1024).describe('Tools that were found, up to 1,024; the model may call them from here on.'),
    execution,
    ...marks,
  })
  .meta({
    id: 'ToolSearchOutput',
    description: 'What a search for tools has found. Upstreams without such items are sent the tools with the others.',
  });

const Compaction = z
  .looseObject({
    type: kind('compaction'),
    encrypted_content: Text.describe(
      'The sealed conversation, unchanged. Only the upstream that sealed it can open it; another refuses it with 400.',
    ),
    ...marks,
  })
  .meta({ id: 'Compaction', description: 'A conversation that a responses upstream has made short. Others refuse it with 400.' });
const CompactionTrigger = z.looseObject({ type: kind('compaction_trigger'), ...marks }).meta({
  id: 'CompactionTrigger',
  description: 'Asks a responses upstream to make the conversation short; the last item of the input. Others refuse it with 400.',
});

const replayed = [
  ...(['local_shell_call', 'local_shell_call_output', 'shell_call', 'shell_call_output', 'apply_patch_call'] as const),
  ...(['apply_patch_call_output', 'web_search_call', 'file_search_call', 'image_generation_call', 'code_interpreter_call'] as const),
  ...(['computer_call', 'computer_call_output', 'mcp_call', 'mcp_list_tools', 'mcp_approval_request'] as const),
  ...(['mcp_approval_response', 'program', 'program_output', 'configuration_update'] as const),
] as const;

const ReplayedItem = z
  .looseObject({
    type: z.enum(replayed).describe('Which tool it is of, and whether it is a call or its output.'),
    id: maybe(Id).describe(
      'Id of the item. Sent on only where another item or the upstream finds it by this. Absent where it was answered without one.',
    ),
    status: maybe(Label).describe('How far it was when it was answered, in a word of that tool. Absent for tools that have no such field.'),
    action: maybe(JsonObject).describe('What the tool was told to do, in its own words. Absent for tools that have no such field.'),
  })
  .meta({
    id: 'ReplayedItem',
    description:
      'A call of a hosted tool or its output, passed back as it came. Upstreams that do not speak responses leave out a `web_search_call` that is over, and refuse the others with 400.',
    additionalProperties: true,
  });

export const InputItem = z
  .discriminatedUnion('type', [
    InputMessage,
    calls.function_call.meta({
      id: 'PastFunctionCall',
      description: 'A call that the model made in an earlier turn. A `function_call_output` with its `call_id` has to follow.',
    }),
    outputs.function_call_output,
    calls.custom_tool_call.meta({
      id: 'PastCustomToolCall',
      description: 'A call of a free-form tool in an earlier turn. A `custom_tool_call_output` with its `call_id` has to follow.',
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
  .meta({ id: 'InputItem', description: 'One item of the conversation, told apart by its `type`; an item without one is a message.' });
export type InputItem = z.infer<typeof InputItem>;

// ── Output ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

const itemId = z.string().describe('Id of the item; where the response is stored, an `item_reference` can name it.');
const itemIdIfAny = z.string().nullish().describe('Id of the item, as the upstream gave it. Absent where it gave none.');
const answeredStatus = ItemStatus.nullish().describe('How far the item is. Absent: it is whole.');
const answeredNamespace = z.string().nullish().describe('The namespace of the tool, which goes back with the call. Absent: it is in none.');

const OutputMessage = z
  .looseObject({
    type: kind('message'),
    id: itemId,
    role: kind('assistant', 'Who speaks'),
    status: ItemStatus.describe('How far the message is.'),
    content: z.array(OutputPart).describe('Parts of the message, in order; empty while it begins.'),
    phase: maybe(Phase),
  })
  .meta({ id: 'OutputMessage', description: 'Text is in `content[].text` of the parts of type `output_text`.' });

const FunctionCall = z
  .looseObject({
    type: kind('function_call'),
    id: itemIdIfAny,
    call_id: z.string().describe('Id of the call, which goes back in `function_call_output.call_id`.'),
    name: z.string().describe('Name of the function, as the request declared it.'),
    arguments: z.string().describe('JSON as the model wrote it: check it before use. Empty while the call begins.'),
    namespace: answeredNamespace,
    status: answeredStatus,
  })
  .meta({ id: 'FunctionCall', description: 'A call for the caller to run; may come with no text in the response.' });

const CustomToolCall = z
  .looseObject({
    type: kind('custom_tool_call'),
    id: itemIdIfAny,
    call_id: z.string().describe('Id of the call, which goes back in `custom_tool_call_output.call_id`.'),
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
    summary: z.array(SummaryText).describe('What is told of the thoughts, by paragraphs; empty unless `reasoning.summary` asked for it.'),
    content: z.array(ReasoningText).nullish().describe('The thoughts themselves. Absent where the upstream does not show them.'),
    encrypted_content: z
      .string()
      .nullish()
      .describe(
        'Opaque; pass it back unchanged to keep the reasoning over turns without storage. Absent unless `include` asked for it, and where the upstream seals nothing.',
      ),
    status: answeredStatus,
  })
  .meta({ id: 'Reasoning', description: 'May come ahead of the message: do not read `output[0]` as the answer.' });

const HostedItem = z
  .looseObject({
    type: z
      .enum([...replayed, 'tool_search_call', 'tool_search_output', 'compaction', 'additional_tools'])
      .describe('Which tool it is of, or what kind of item; its other fields depend on it.'),
    id: itemIdIfAny,
    status: z.string().nullish().describe('How far it is, in a word of that tool. Absent for items that have no such field.'),
  })
  .meta({
    id: 'HostedItem',
    description: 'A tool that the upstream ran, or another item of its own. Calls are charged by their type, failed ones are not.',
    additionalProperties: true,
  });

export const OutputItem = z
  .discriminatedUnion('type', [OutputMessage, FunctionCall, CustomToolCall, Reasoning, HostedItem])
  .meta({ id: 'OutputItem', description: 'One item of the answer, told apart by its `type`.' });
export type OutputItem = z.infer<typeof OutputItem>;
