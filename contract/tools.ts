/** Tools that a request offers to the model, and the choice among them, for both text APIs. */
import { z } from 'zod';
import { JsonObject, JsonValue, Label, LongToolName, MAX_TOOLS, Text, ToolName, toNullish } from './shared/bounds.ts';
import { createTypeField } from './shared/descriptions.ts';
import { PlainTextFormat } from './shared/formats.ts';

const description = toNullish(Text).describe('Optional. What the tool does and when the model should use it.');
const parameters = toNullish(JsonObject).describe(
  'JSON Schema for the arguments, at most 64 levels deep. Omit if the function has no arguments.',
);
const syntax = z.enum(['lark', 'regex']).describe('The syntax of the grammar: `lark`, or `regex` for a single regular expression.');
const definition = Text.min(1).describe(
  "The grammar that the input must follow. Upstreams without free-form tools can't enforce it; the model gets it in the tool's description instead.",
);
const mode = z
  .enum(['auto', 'required'])
  .describe('`auto`: the model can call one of the tools or generate a message. `required`: it must call one of them.');

// ── Chat: one level deeper, in an object named like the type ──────────────────────────────────────────────────────────────────────────

const ChatFunction = z
  .looseObject({
    name: ToolName.describe('The name by which the model calls the function.'),
    description,
    parameters,
    strict: toNullish(z.boolean()).describe('Whether the arguments must follow the schema exactly. Defaults to false.'),
  })
  .meta({ id: 'ChatFunctionDefinition', description: 'A function, with its name, description, and parameters.' });

export const ChatFunctionTool = z
  .looseObject({ type: createTypeField('function'), function: ChatFunction.describe('The definition of the function.') })
  .meta({ id: 'ChatFunctionTool', description: 'A function that you run.' });

const ChatGrammarFormat = z
  .looseObject({
    type: createTypeField('grammar'),
    grammar: z.looseObject({ syntax, definition }).describe('The grammar that the input must follow.'),
  })
  .meta({ id: 'ChatGrammarFormat', description: 'Text that follows a grammar.' });

const ChatCustomFormat = z
  .discriminatedUnion('type', [PlainTextFormat, ChatGrammarFormat])
  .meta({ id: 'ChatCustomToolFormat', description: "The format of the tool's input." });

export const ChatCustomTool = z
  .looseObject({
    type: createTypeField('custom'),
    custom: z
      .looseObject({
        name: ToolName.describe('The name by which the model calls the tool.'),
        description,
        format: toNullish(ChatCustomFormat).describe("The format of the tool's input. Omit to allow any text."),
      })
      .describe('The tool.'),
  })
  .meta({
    id: 'ChatCustomTool',
    description:
      'A tool with free text as its input instead of JSON arguments, run by you. Upstreams that support only functions get a function with one string parameter; the call is returned as `custom`.',
  });

export const ChatTool = z
  .discriminatedUnion('type', [ChatFunctionTool, ChatCustomTool])
  .meta({ id: 'ChatTool', description: 'A tool that the model can call and you run.' });

const ChatNamedTool = z
  .looseObject({ name: ToolName.describe('The name of a tool in this request.') })
  .meta({ id: 'ChatNamedTool', description: 'A tool in the request, by its name.' });
const ChatFunctionChoice = z
  .looseObject({ type: createTypeField('function'), function: ChatNamedTool.describe('The function that must be called.') })
  .meta({ id: 'ChatFunctionChoice', description: 'A function, by its name.' });
const ChatCustomChoice = z
  .looseObject({ type: createTypeField('custom'), custom: ChatNamedTool.describe('The free-form tool that must be called.') })
  .meta({ id: 'ChatCustomChoice', description: 'A free-form tool, by its name.' });
const ChatNamedChoice = z
  .discriminatedUnion('type', [ChatFunctionChoice, ChatCustomChoice])
  .meta({ id: 'ChatNamedChoice', description: 'A tool, by its name.' });
const AnyOrNone = z.enum(['none', 'auto', 'required']);

const ChatAllowedTools = z
  .looseObject({
    type: createTypeField('allowed_tools'),
    allowed_tools: z
      .looseObject({
        mode,
        tools: z.array(ChatNamedChoice).min(1).max(MAX_TOOLS).describe(`The tools that the model can call, by name: 1 to ${MAX_TOOLS}.`),
      })
      .describe('The subset of tools, and whether one of them must be called.'),
  })
  .meta({ id: 'ChatAllowedTools', description: 'A subset of the tools in the request.' });

const ChatToolSelection = z
  .discriminatedUnion('type', [ChatFunctionChoice, ChatCustomChoice, ChatAllowedTools])
  .meta({ id: 'ChatToolSelection', description: 'A tool by its name, or a subset of the tools.' });

export const ChatToolChoice = z.union([AnyOrNone, ChatToolSelection]).meta({
  id: 'ChatToolChoice',
  description:
    '`none`: the model calls no tools. `auto`: the model decides. `required`: the model must call at least one tool. An object selects one tool, which must be called, or a subset of the tools.',
});

// ── Responses: flat ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────

export const FunctionTool = z
  .looseObject({
    type: createTypeField('function'),
    name: LongToolName.describe(
      "The name by which the model calls the function. A name that's too long for an upstream is shortened there, and returned in full.",
    ),
    description,
    parameters,
    strict: toNullish(z.boolean()).describe(
      'Whether the arguments must follow the schema exactly. Optional; the provider decides if omitted, usually true.',
    ),
  })
  .meta({ id: 'FunctionTool', description: 'A function that you run.' });

const GrammarFormat = z
  .looseObject({ type: createTypeField('grammar'), syntax, definition })
  .meta({ id: 'GrammarFormat', description: 'Text that follows a grammar.' });

const CustomFormat = z
  .discriminatedUnion('type', [PlainTextFormat, GrammarFormat])
  .meta({ id: 'CustomToolFormat', description: "The format of the tool's input." });

export const CustomTool = z
  .looseObject({
    type: createTypeField('custom'),
    name: LongToolName.describe('The name by which the model calls the tool.'),
    description,
    format: toNullish(CustomFormat).describe("The format of the tool's input. Omit to allow any text."),
  })
  .meta({
    id: 'CustomTool',
    description:
      'A tool with free text as its input instead of JSON arguments, run by you. Upstreams that support only functions get a function with one string parameter; the call is returned as `custom_tool_call`.',
  });

const NamespaceMember = z
  .discriminatedUnion('type', [FunctionTool, CustomTool])
  .meta({ id: 'NamespaceMember', description: 'A tool in a namespace.' });

export const NamespaceTool = z
  .looseObject({
    type: createTypeField('namespace'),
    name: LongToolName.describe('The name of the group. Tool calls refer to it as `namespace`.'),
    description,
    tools: z.array(NamespaceMember).max(MAX_TOOLS).describe(`Up to ${MAX_TOOLS} tools in the group.`),
  })
  .meta({
    id: 'NamespaceTool',
    description: 'A group of tools under one name. Calls to them have `namespace`. Upstreams without namespaces get flat names.',
  });

const WebSearchTool = z
  .looseObject({
    type: z
      .enum(['web_search', 'web_search_2025_08_26', 'web_search_preview', 'web_search_preview_2025_03_11'])
      .describe('The version of the search tool. New code should use `web_search`.'),
    external_web_access: toNullish(z.boolean()).describe(
      'Whether the upstream fetches pages from the web. False limits it to pages it has cached. Optional; the provider decides if omitted, usually true.',
    ),
    filters: toNullish(JsonObject).describe(
      "A filter for the pages to search, in the upstream's format, such as `allowed_domains`. Omit to search all.",
    ),
    user_location: toNullish(JsonObject).describe("Optional. The user's approximate location, in the upstream's format."),
    // A closed enum, because a larger context costs more.
    search_context_size: toNullish(z.enum(['low', 'medium', 'high'])).describe(
      'How much of the search results is added to the context. Optional; the provider decides if omitted, usually `medium`.',
    ),
  })
  .meta({
    id: 'WebSearchTool',
    description:
      "Web search, run by the upstream and charged per call. If the upstream doesn't support it, or it has no price, the tool is dropped and listed in `x-modelgate-dropped`. A request whose `tool_choice` requires it returns 400.",
  });

const serverLabel = Label.describe('The name of the server, which calls to its tools refer to.');
const McpTool = z
  .looseObject({
    type: createTypeField('mcp'),
    server_label: serverLabel,
    server_url: toNullish(Label).describe(
      'The URL of the server. The upstream connects to it; the gateway never does. Omit for a server that the upstream knows.',
    ),
    allowed_tools: toNullish(JsonValue).describe(
      'The names of its tools that the model can call, or a filter for them. Omit to allow all.',
    ),
    require_approval: toNullish(JsonValue).describe(
      'The calls that need your approval: `always`, `never`, or a filter. Optional; the provider decides if omitted.',
    ),
  })
  .meta({
    id: 'McpTool',
    description:
      "Tools of an MCP server, run by the upstream and charged per call. If the upstream doesn't support them, or `mcp_call` has no price, they're dropped and listed in `x-modelgate-dropped`. A request whose `tool_choice` requires them returns 400.",
  });

const hostedTypes = [
  ...(['tool_search', 'local_shell', 'shell', 'apply_patch', 'file_search', 'code_interpreter', 'image_generation'] as const),
  ...(['computer', 'computer_use_preview', 'programmatic_tool_calling'] as const),
] as const;

/** A closed enum, because calls of each hosted tool have their own price. */
const HostedTool = z.looseObject({ type: z.enum(hostedTypes).describe('The type of the tool.') }).meta({
  id: 'HostedTool',
  description:
    "Another tool of the upstream. Its settings are forwarded. Tools that the upstream runs are charged per call. If the model isn't on a responses upstream, or a tool that the upstream runs has no price, the tool is dropped and listed in `x-modelgate-dropped`. A request whose `tool_choice` requires it returns 400.",
  additionalProperties: true,
});

export const Tool = z
  .discriminatedUnion('type', [FunctionTool, CustomTool, NamespaceTool, WebSearchTool, McpTool, HostedTool])
  .meta({ id: 'Tool', description: 'A tool that the model can call, run by you or by the upstream.' });

const NamedChoice = z
  .looseObject({
    type: z.enum(['function', 'custom']).describe('The type of the tool.'),
    name: LongToolName.describe('The name of a tool in this request, which must be called.'),
  })
  .meta({ id: 'NamedChoice', description: 'A tool, by its name. For a tool in a namespace, `namespace` is optional.' });
const HostedChoice = z
  .looseObject({
    type: z
      .enum([...hostedTypes, 'web_search', 'web_search_preview', 'web_search_preview_2025_03_11'])
      .describe(
        'The type of the hosted tool that the model must call. Supported only for models on upstreams that serve the Responses API; otherwise returns 400.',
      ),
  })
  .meta({ id: 'HostedChoice', description: "One of the upstream's tools, by its type." });
const McpChoice = z
  .looseObject({
    type: createTypeField('mcp'),
    server_label: serverLabel,
    name: toNullish(Label).describe('The tool of that server that must be called. Omit to allow any of them.'),
  })
  .meta({ id: 'McpChoice', description: 'The tools of an MCP server, or one of them.' });
const AllowedTool = z
  .looseObject({
    type: Label.describe('The type of the tool. `function` and `custom` also need a `name`.'),
  })
  .meta({ id: 'AllowedTool', description: 'A tool in the request, identified in the same way as there.', additionalProperties: true });
const AllowedTools = z
  .looseObject({
    type: createTypeField('allowed_tools'),
    mode,
    tools: z.array(AllowedTool).min(1).max(MAX_TOOLS).describe(`The tools that the model can call: 1 to ${MAX_TOOLS}.`),
  })
  .meta({ id: 'AllowedTools', description: 'A subset of the tools in the request.' });

const ToolSelection = z
  .discriminatedUnion('type', [NamedChoice, HostedChoice, McpChoice, AllowedTools])
  .meta({ id: 'ToolSelection', description: 'A tool, or a subset of the tools.' });

export const ToolChoice = z.union([AnyOrNone, ToolSelection]).meta({
  id: 'ToolChoice',
  description:
    '`none`: the model calls no tools. `auto`: the model decides. `required`: the model must call at least one tool. An object selects one tool, which must be called, or a subset of the tools (`allowed_tools`), which is a hard limit.',
});
