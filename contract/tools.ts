/** Tools that a caller offers to a model, and the choice among them, in both text protocols. */
import { z } from 'zod';
import { JsonObject, JsonValue, Label, LongToolName, MAX_TOOLS, maybe, Text, ToolName } from './shared/bounds.ts';
import { kind } from './shared/descriptions.ts';
import { PlainTextFormat } from './shared/formats.ts';

const description = maybe(Text).describe('What the tool does and when to use it; the model reads this. Optional.');
const parameters = maybe(JsonObject).describe('JSON schema of the arguments, at most 64 levels deep. Absent: no arguments.');
const syntax = z.enum(['lark', 'regex']).describe('How the grammar is written: `lark`, or `regex` for one regular expression.');
const definition = Text.min(1).describe(
  'The grammar that the input must follow. Upstreams without free-form tools cannot enforce it; there the model reads it in the description.',
);
const mode = z
  .enum(['auto', 'required'])
  .describe('`auto`: the model may call one of them or answer. `required`: it must call one of them.');

// ── Chat: one level deeper, in an object named like the type ──────────────────────────────────────────────────────────────────────────

const ChatFunction = z
  .looseObject({
    name: ToolName.describe('Name that the model calls it by.'),
    description,
    parameters,
    strict: maybe(z.boolean()).describe('Whether the arguments must follow the schema exactly. Defaults to false.'),
  })
  .meta({ id: 'ChatFunctionDefinition', description: 'Name, description and parameters of a function.' });

export const ChatFunctionTool = z
  .looseObject({ type: kind('function'), function: ChatFunction.describe('The function itself.') })
  .meta({ id: 'ChatFunctionTool', description: 'A function that the caller runs.' });

const ChatGrammarFormat = z
  .looseObject({ type: kind('grammar'), grammar: z.looseObject({ syntax, definition }).describe('The grammar that the input follows.') })
  .meta({ id: 'ChatGrammarFormat', description: 'Text that follows a grammar.' });

const ChatCustomFormat = z
  .discriminatedUnion('type', [PlainTextFormat, ChatGrammarFormat])
  .meta({ id: 'ChatCustomToolFormat', description: 'Format of the input of the tool.' });

export const ChatCustomTool = z
  .looseObject({
    type: kind('custom'),
    custom: z
      .looseObject({
        name: ToolName.describe('Name that the model calls it by.'),
        description,
        format: maybe(ChatCustomFormat).describe('Format of the text that the tool takes. Omit for any.'),
      })
      .describe('The tool itself.'),
  })
  .meta({
    id: 'ChatCustomTool',
    description:
      'A tool that takes free text instead of JSON arguments, run by the caller. Upstreams that support only functions get a function with one string parameter; the call comes back as `custom`.',
  });

export const ChatTool = z
  .discriminatedUnion('type', [ChatFunctionTool, ChatCustomTool])
  .meta({ id: 'ChatTool', description: 'A tool that the model may call and the caller runs.' });

const ChatNamedTool = z
  .looseObject({ name: ToolName.describe('Name of a tool of this request.') })
  .meta({ id: 'ChatNamedTool', description: 'A tool of the request, by its name.' });
const ChatFunctionChoice = z
  .looseObject({ type: kind('function'), function: ChatNamedTool.describe('Names the function.') })
  .meta({ id: 'ChatFunctionChoice', description: 'A function by its name.' });
const ChatCustomChoice = z
  .looseObject({ type: kind('custom'), custom: ChatNamedTool.describe('Names the free-form tool.') })
  .meta({ id: 'ChatCustomChoice', description: 'A free-form tool by its name.' });
const ChatNamedChoice = z
  .discriminatedUnion('type', [ChatFunctionChoice, ChatCustomChoice])
  .meta({ id: 'ChatNamedChoice', description: 'One tool, by its name.' });
const AnyOrNone = z.enum(['none', 'auto', 'required']);

const ChatAllowedTools = z
  .looseObject({
    type: kind('allowed_tools'),
    allowed_tools: z
      .looseObject({
        mode,
        tools: z.array(ChatNamedChoice).min(1).max(MAX_TOOLS).describe(`The tools that may be called, by name: 1 to ${MAX_TOOLS}.`),
      })
      .describe('The subset, and whether one of its tools must be called.'),
  })
  .meta({ id: 'ChatAllowedTools', description: 'A subset of the tools of the request.' });

const ChatToolSelection = z
  .discriminatedUnion('type', [ChatFunctionChoice, ChatCustomChoice, ChatAllowedTools])
  .meta({ id: 'ChatToolSelection', description: 'One tool by its name, or a subset of them.' });

export const ChatToolChoice = z.union([AnyOrNone, ChatToolSelection]).meta({
  id: 'ChatToolChoice',
  description:
    '`none`: no call. `auto`: the model decides. `required`: at least one call. Or one tool by name, which must then be called, or a subset of the tools.',
});

// ── Responses: flat ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────

export const FunctionTool = z
  .looseObject({
    type: kind('function'),
    name: LongToolName.describe(
      'Name that the model calls it by. A name that is too long for an upstream is shortened for it, and comes back in full.',
    ),
    description,
    parameters,
    strict: maybe(z.boolean()).describe(
      'Whether the arguments must follow the schema exactly. Absent: the upstream decides, usually true.',
    ),
  })
  .meta({ id: 'FunctionTool', description: 'A function that the caller runs.' });

const GrammarFormat = z
  .looseObject({ type: kind('grammar'), syntax, definition })
  .meta({ id: 'GrammarFormat', description: 'Text that follows a grammar.' });

const CustomFormat = z
  .discriminatedUnion('type', [PlainTextFormat, GrammarFormat])
  .meta({ id: 'CustomToolFormat', description: 'Format of the input of the tool.' });

export const CustomTool = z
  .looseObject({
    type: kind('custom'),
    name: LongToolName.describe('Name that the model calls it by.'),
    description,
    format: maybe(CustomFormat).describe('Format of the text that the tool takes. Omit for any.'),
  })
  .meta({
    id: 'CustomTool',
    description:
      'A tool that takes free text instead of JSON arguments, run by the caller. Upstreams that support only functions get a function with one string parameter; the call comes back as `custom_tool_call`.',
  });

const NamespaceMember = z
  .discriminatedUnion('type', [FunctionTool, CustomTool])
  .meta({ id: 'NamespaceMember', description: 'A tool of a namespace.' });

export const NamespaceTool = z
  .looseObject({
    type: kind('namespace'),
    name: LongToolName.describe('Name of the group; calls have it as `namespace`.'),
    description,
    tools: z.array(NamespaceMember).max(MAX_TOOLS).describe(`The tools of the group, up to ${MAX_TOOLS}.`),
  })
  .meta({
    id: 'NamespaceTool',
    description: 'Several tools under one name; calls of them have `namespace`. Upstreams without namespaces get flat names.',
  });

const WebSearchTool = z
  .looseObject({
    type: z
      .enum(['web_search', 'web_search_2025_08_26', 'web_search_preview', 'web_search_preview_2025_03_11'])
      .describe('The version of the search tool; new code sends `web_search`.'),
    external_web_access: maybe(z.boolean()).describe(
      'Whether the upstream fetches pages from the web; false: only pages that it has cached. Absent: the upstream decides, usually true.',
    ),
    filters: maybe(JsonObject).describe('Which pages count, in the format of the upstream, such as `allowed_domains`. Omit to search all.'),
    user_location: maybe(JsonObject).describe('Roughly where the user is, in the format of the upstream. Absent: no location.'),
    search_context_size: maybe(z.enum(['low', 'medium', 'high'])).describe(
      'How much of the search results the model reads. Absent: the upstream decides, usually `medium`.',
    ),
  })
  .meta({
    id: 'WebSearchTool',
    description:
      'A search of the web, run by the upstream and charged by the call. When the upstream has none, or it has no price, the tool is left out and named in `x-modelgate-ignored`; a call whose `tool_choice` requires it is 400.',
  });

const serverLabel = Label.describe('Name of the server, as in calls of its tools.');
const McpTool = z
  .looseObject({
    type: kind('mcp'),
    server_label: serverLabel,
    server_url: maybe(Label).describe(
      'Address of the server. The upstream connects to it; the gateway never does. Absent: the upstream knows the server.',
    ),
    allowed_tools: maybe(JsonValue).describe('Names of its tools that may be called, or a filter for them. Omit to allow all.'),
    require_approval: maybe(JsonValue).describe(
      'Which calls need approval by the caller: `always`, `never`, or a filter. Optional; the provider decides if omitted.',
    ),
  })
  .meta({
    id: 'McpTool',
    description:
      'Tools of an MCP server, run by the upstream and charged by the call. When the upstream has none, or `mcp_call` has no price, they are left out and named in `x-modelgate-ignored`; a call whose `tool_choice` requires them is 400.',
  });

const hosted = [
  ...(['tool_search', 'local_shell', 'shell', 'apply_patch', 'file_search', 'code_interpreter', 'image_generation'] as const),
  ...(['computer', 'computer_use_preview', 'programmatic_tool_calling'] as const),
] as const;

const HostedTool = z.looseObject({ type: z.enum(hosted).describe('The tool.') }).meta({
  id: 'HostedTool',
  description:
    'Another tool of the upstream; its settings are forwarded. One that the upstream runs is charged by the call. When the upstream does not speak responses, or a tool that it runs has no price, the tool is left out and named in `x-modelgate-ignored`; a call whose `tool_choice` requires it is 400.',
  additionalProperties: true,
});

export const Tool = z
  .discriminatedUnion('type', [FunctionTool, CustomTool, NamespaceTool, WebSearchTool, McpTool, HostedTool])
  .meta({ id: 'Tool', description: 'A tool that the model may call: run by the caller, or by the upstream itself.' });

const NamedChoice = z
  .looseObject({
    type: z.enum(['function', 'custom']).describe('The kind of tool.'),
    name: LongToolName.describe('Name of a tool of this request, which must be called.'),
  })
  .meta({ id: 'NamedChoice', description: 'A tool by its name. A tool in a namespace may also have `namespace`.' });
const HostedChoice = z
  .looseObject({
    type: z
      .enum([...hosted, 'web_search', 'web_search_preview', 'web_search_preview_2025_03_11'])
      .describe('The tool of the upstream that must be used. 400 when the upstream does not speak responses.'),
  })
  .meta({ id: 'HostedChoice', description: 'A tool of the upstream by its type.' });
const McpChoice = z
  .looseObject({
    type: kind('mcp'),
    server_label: serverLabel,
    name: maybe(Label).describe('The tool of that server that must be called. Absent: any of them.'),
  })
  .meta({ id: 'McpChoice', description: 'The tools of an MCP server, or one of them.' });
const AllowedTool = z
  .looseObject({
    type: Label.describe('The kind of tool: `function` and `custom` come with a `name`, others need only their type.'),
  })
  .meta({ id: 'AllowedTool', description: 'A tool of the request, named as in the request.', additionalProperties: true });
const AllowedTools = z
  .looseObject({
    type: kind('allowed_tools'),
    mode,
    tools: z.array(AllowedTool).min(1).max(MAX_TOOLS).describe(`The tools that may be called: 1 to ${MAX_TOOLS}.`),
  })
  .meta({ id: 'AllowedTools', description: 'A subset of the tools of the request.' });

const ToolSelection = z
  .discriminatedUnion('type', [NamedChoice, HostedChoice, McpChoice, AllowedTools])
  .meta({ id: 'ToolSelection', description: 'One tool, or a subset of them.' });

export const ToolChoice = z.union([AnyOrNone, ToolSelection]).meta({
  id: 'ToolChoice',
  description:
    '`none`: no call. `auto`: the model decides. `required`: at least one call. Or one tool, which must then be called, or a subset of the tools (`allowed_tools`, a hard limit).',
});
