/** Items of the Responses API: the `input` of a request, and the `output` of a response. */
import { z } from 'zod';
import { Id, JsonObject, JsonValue, Label, MAX_PARTS, MAX_TOOLS, Text, toNullish } from '../shared/bounds.ts';
import { createTypeField } from '../shared/descriptions.ts';
import { createOpenUnion } from '../shared/open.ts';
import { Tool } from '../tools.ts';
import { ItemStatus, MessagePart, OutputPart, Phase, ReasoningText, SummaryText, ToolOutput } from './parts.ts';

/** Fields that clients copy from earlier responses. They aren't sent to the upstream. */
const marks = {
  id: toNullish(Id).describe(
    "Optional. The ID of the item, from the client or from an earlier response. Accepted, but not sent to the upstream, which doesn't know the ID. If omitted, a stored item gets a new ID.",
  ),
  status: toNullish(ItemStatus).describe('The status of the item in the earlier response. The gateway ignores it, so you can omit it.'),
};
const callId = Id.describe("The ID that links a call to its output; both have the same `call_id`. It differs from the item's `id`.");
const namespace = toNullish(Label).describe(
  'The namespace of the tool, as in the call. Omit if the tool has none, or if its name is unique.',
);
const execution = toNullish(Label).describe(
  'The place where the search ran: `client` or `server`. Optional; the provider decides if omitted.',
);

export const InputMessage = z
  .looseObject({
    type: z.literal('message').optional().describe('The type of the object: always `message`, which is also the default if omitted.'),
    role: z
      .enum(['user', 'system', 'developer', 'assistant'])
      .describe(
        'The role of the author. `system` and `developer` both give instructions. `assistant` is a message from an earlier response.',
      ),
    content: z.union([Text, z.array(MessagePart).max(MAX_PARTS)]).describe(`The content: a string, or up to ${MAX_PARTS} parts.`),
    phase: toNullish(Phase),
    ...marks,
  })
  .meta({ id: 'InputMessage', description: 'A message. You can omit `type`.' });

const callItems = {
  function_call: z.looseObject({
    type: createTypeField('function_call'),
    call_id: callId,
    name: Label.describe('The name of the function that was called.'),
    arguments: Text.describe(
      'The arguments as the model wrote them, in JSON; they may be malformed. Anthropic and Gemini upstreams require a JSON object or an empty string; anything else returns 400.',
    ),
    namespace,
    ...marks,
  }),
  custom_tool_call: z.looseObject({
    type: createTypeField('custom_tool_call'),
    call_id: callId,
    name: Label.describe('The name of the tool that was called.'),
    input: Text.describe('The input of the tool, as free text.'),
    namespace,
    ...marks,
  }),
};

const outputItems = {
  function_call_output: z
    .looseObject({
      type: createTypeField('function_call_output'),
      call_id: callId,
      output: ToolOutput.describe('The output of the function.'),
      ...marks,
    })
    .meta({ id: 'FunctionCallOutput', description: "The output of a function call. You create it; it's never returned in `output`." }),
  custom_tool_call_output: z
    .looseObject({
      type: createTypeField('custom_tool_call_output'),
      call_id: callId,
      output: ToolOutput.describe('The output of the tool.'),
      ...marks,
    })
    .meta({
      id: 'CustomToolCallOutput',
      description: "The output of a call to a free-form tool. You create it; it's never returned in `output`.",
    }),
};

const PastReasoning = z
  .looseObject({
    type: createTypeField('reasoning'),
    summary: z.array(SummaryText).max(MAX_PARTS).describe(`A summary of the reasoning, up to ${MAX_PARTS} paragraphs. It can be empty.`),
    content: toNullish(z.array(ReasoningText).max(MAX_PARTS)).describe("The reasoning text. Omit if the upstream didn't return it."),
    encrypted_content: toNullish(Text).describe(
      "The encrypted reasoning, unchanged. Only the upstream that encrypted it can read it; for other upstreams it's dropped and listed in `x-modelgate-dropped`. If omitted, the model doesn't see its earlier reasoning.",
    ),
    ...marks,
  })
  .meta({ id: 'PastReasoning', description: 'Reasoning from an earlier turn, sent back unchanged.' });

const ItemReference = z
  .looseObject({
    type: createTypeField('item_reference'),
    id: Id.describe('The ID of an item of a response that is stored for your account. An unknown ID returns 400 `item_not_found`.'),
  })
  .meta({ id: 'ItemReference', description: 'A reference to a stored item. The gateway inserts the item, which is charged as input.' });

const AdditionalTools = z
  .looseObject({
    type: createTypeField('additional_tools'),
    role: toNullish(z.literal('developer')).describe('The role of the author: `developer`. Optional; the gateway ignores it.'),
    tools: z.array(Tool).max(MAX_TOOLS).describe(`Up to ${MAX_TOOLS} tools that the model can call from here on.`),
    ...marks,
  })
  .meta({
    id: 'AdditionalTools',
    description: "Tools that a coding agent declares within the input. Upstreams that don't support such items get them in `tools`.",
  });

const ToolSearchCall = z
  .looseObject({
    type: createTypeField('tool_search_call'),
    call_id: toNullish(Id).describe('The ID that links the search to its output. Null if the upstream ran the search.'),
    arguments: JsonValue.describe('The search query, as the model wrote it.'),
    execution,
    ...marks,
  })
  .meta({
    id: 'ToolSearchCall',
    description: 'A tool search from an earlier turn. Sent only to responses upstreams.',
  });
const ToolSearchOutput = z
  .looseObject({
    type: createTypeField('tool_search_output'),
    call_id: toNullish(Id).describe('The `call_id` of the search. Null if the upstream ran the search.'),
    tools: z.array(Tool).max(1024).describe('Up to 1,024 tools that were found. The model can call them from here on.'),
    execution,
    ...marks,
  })
  .meta({
    id: 'ToolSearchOutput',
    description: "The result of a tool search. Upstreams that don't support such items get these tools in `tools`.",
  });

const Compaction = z
  .looseObject({
    type: createTypeField('compaction'),
    encrypted_content: Text.describe('The encrypted conversation, exactly as you received it.'),
    ...marks,
  })
  .meta({
    id: 'Compaction',
    description:
      'A compacted conversation, in place of the items before it. If the gateway created it, any model of your account can continue it. If an upstream created it, only the upstream that created it can read it; others return 400.',
  });
const CompactionTrigger = z.looseObject({ type: createTypeField('compaction_trigger'), ...marks }).meta({
  id: 'CompactionTrigger',
  description:
    'Compacts the conversation: the response is one `compaction` item. Must be the last item of the input. OpenAI and Azure upstreams compact it themselves; any other model writes a summary, without tools, which the gateway encrypts.',
});

const replayedItems = [
  ...(['local_shell_call', 'local_shell_call_output', 'shell_call', 'shell_call_output', 'apply_patch_call'] as const),
  ...(['apply_patch_call_output', 'web_search_call', 'file_search_call', 'image_generation_call', 'code_interpreter_call'] as const),
  ...(['computer_call', 'computer_call_output', 'mcp_call', 'mcp_list_tools', 'mcp_approval_request'] as const),
  ...(['mcp_approval_response', 'program', 'program_output', 'configuration_update'] as const),
] as const;

const ReplayedItem = z
  .looseObject({
    type: z.enum(replayedItems).describe('The tool, and whether this is a call or its output.'),
    id: toNullish(Id).describe(
      'The ID of the item. Sent to the upstream only if another item or the upstream refers to it. Omit if the response had none.',
    ),
    status: toNullish(Label).describe('The status in the earlier response, as the tool reports it. Omit for tools without such a field.'),
    action: toNullish(JsonObject).describe("The action of the tool, in the tool's format. Omit for tools without such a field."),
  })
  .meta({
    id: 'ReplayedItem',
    description:
      "A call to a hosted tool, or its output, sent back unchanged. Upstreams other than responses upstreams aren't sent a finished `web_search_call`, and return 400 for the others.",
    additionalProperties: true,
  });

export const InputItem = createOpenUnion(
  [
    InputMessage,
    callItems.function_call.meta({
      id: 'PastFunctionCall',
      description: 'A function call that the model made in an earlier turn. A `function_call_output` with its `call_id` must follow.',
    }),
    outputItems.function_call_output,
    callItems.custom_tool_call.meta({
      id: 'PastCustomToolCall',
      description: 'A call to a free-form tool from an earlier turn. A `custom_tool_call_output` with its `call_id` must follow.',
    }),
    outputItems.custom_tool_call_output,
    PastReasoning,
    ItemReference,
    AdditionalTools,
    ToolSearchCall,
    ToolSearchOutput,
    Compaction,
    CompactionTrigger,
    ReplayedItem,
  ],
  {
    id: 'UnknownInputItem',
    description: 'Newer than this version of the API, such as an item of an earlier response.',
    shape: { id: toNullish(Id).describe('The ID of the item. Omit if it has none.') },
    // An object with `role` and without `type` is a message.
    absent: ['role'],
  },
).meta({
  id: 'InputItem',
  description:
    "An item of the conversation, with the type in `type`; an item without `type` is a message. Items with a type that isn't listed here are forwarded unchanged if the model's provider supports the Responses API; otherwise they return 400.",
});
export type InputItem = z.infer<typeof InputItem>;

// ── Output ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

const requiredItemId = z.string().describe('The ID of the item. If the response is stored, an `item_reference` can refer to it.');
const optionalItemId = z.string().nullish().describe("The item's ID from the upstream. Omitted if the upstream doesn't send one.");
const answeredStatus = ItemStatus.nullish().describe("The status of the item. Omitted if it's complete.");
const answeredNamespace = z
  .string()
  .nullish()
  .describe('The namespace of the tool. Send it back with the call. Omitted if the tool has none.');

const OutputMessage = z
  .looseObject({
    type: createTypeField('message'),
    id: requiredItemId,
    role: createTypeField('assistant', 'The role of the author'),
    status: ItemStatus.describe('The status of the message.'),
    content: z.array(OutputPart).describe('The parts of the message, in order. Empty when the message starts.'),
    phase: toNullish(Phase),
  })
  .meta({
    id: 'OutputMessage',
    description: 'A message from the model. The text is in `content[].text` of the parts with the type `output_text`.',
  });

const FunctionCall = z
  .looseObject({
    type: createTypeField('function_call'),
    id: optionalItemId,
    call_id: z.string().describe('The ID of the call. Send it back as `function_call_output.call_id`.'),
    name: z.string().describe('The name of the function, as declared in the request.'),
    arguments: z
      .string()
      .describe('The arguments as the model wrote them, in JSON. Validate them before you use them. Empty when the call starts.'),
    namespace: answeredNamespace,
    status: answeredStatus,
  })
  .meta({ id: 'FunctionCall', description: 'A function call for you to run. The response may contain no text.' });

const CustomToolCall = z
  .looseObject({
    type: createTypeField('custom_tool_call'),
    id: optionalItemId,
    call_id: z.string().describe('The ID of the call. Send it back as `custom_tool_call_output.call_id`.'),
    name: z.string().describe('The name of the tool, as declared in the request.'),
    input: z.string().describe('The input of the tool, as free text. Empty when the call starts.'),
    namespace: answeredNamespace,
    status: answeredStatus,
  })
  .meta({ id: 'CustomToolCall', description: 'A call to a free-form tool, for you to run.' });

const Reasoning = z
  .looseObject({
    type: createTypeField('reasoning'),
    id: requiredItemId,
    summary: z
      .array(SummaryText)
      .describe('The summary of the reasoning, in paragraphs. Empty unless the request has `reasoning.summary`.'),
    content: z.array(ReasoningText).nullish().describe("The reasoning text. Omitted if the upstream doesn't return it."),
    encrypted_content: z
      .string()
      .nullish()
      .describe(
        "Encrypted reasoning. Send it back unchanged to keep the reasoning across turns without storage. Omitted unless the request's `include` asks for it and the upstream supports it.",
      ),
    status: answeredStatus,
  })
  .meta({
    id: 'Reasoning',
    description: "The model's reasoning. It can come before the message, so `output[0]` isn't always the message.",
  });

const HostedItem = z
  .looseObject({
    type: z
      .enum([...replayedItems, 'tool_search_call', 'tool_search_output', 'compaction', 'additional_tools'])
      .describe('The tool, or the type of the item. The other fields depend on it.'),
    id: optionalItemId,
    status: z.string().nullish().describe('The status, as the tool reports it. Omitted for items without such a field.'),
  })
  .meta({
    id: 'HostedItem',
    description:
      'A call to a tool that the upstream ran, or another item of the upstream. Calls are charged by type; failed calls are free.',
    additionalProperties: true,
  });

export const OutputItem = createOpenUnion([OutputMessage, FunctionCall, CustomToolCall, Reasoning, HostedItem], {
  id: 'UnknownItem',
  description: 'An item that is newer than this version of the API, forwarded unchanged. You can send it back to the same model.',
  shape: { id: optionalItemId },
}).meta({ id: 'OutputItem', description: 'An item of the output, with the type in `type`.' });
export type OutputItem = z.infer<typeof OutputItem>;
