/** Tools that a caller offers to a model, and how it may choose among them, in both text protocols (specification 2.2 and 2.4). */
import { z } from 'zod';
import { JsonObject, JsonValue, Label, LongToolName, MAX_TOOLS, maybe, Text, ToolName } from './bounds.ts';
import { PlainTextFormat } from './formats.ts';

const description = Text.describe('What the tool does and when to use it; the model reads this.');
const parameters = JsonObject.describe('JSON schema of the arguments. Absent: no arguments.');
const GrammarSyntax = z.enum(['lark', 'regex']);
const definition = Text.min(1).describe('The grammar that the input has to follow.');

// ── Chat: one level deeper, in an object named like the type ──────────────────────────────────────────────────────────────────────────

const ChatFunction = z
  .looseObject({
    name: ToolName,
    description: maybe(description),
    parameters: maybe(parameters),
    strict: maybe(z.boolean()).describe('Whether the arguments must follow the schema exactly. Absent: false.'),
  })
  .meta({ id: 'ChatFunctionDefinition' });

export const ChatFunctionTool = z
  .looseObject({ type: z.literal('function'), function: ChatFunction })
  .meta({ id: 'ChatFunctionTool', description: 'A function that the caller runs.' });

const ChatGrammarFormat = z
  .looseObject({ type: z.literal('grammar'), grammar: z.looseObject({ syntax: GrammarSyntax, definition }) })
  .meta({ id: 'ChatGrammarFormat', description: 'Text that follows a grammar.' });

const ChatCustomFormat = z
  .discriminatedUnion('type', [PlainTextFormat, ChatGrammarFormat])
  .meta({ id: 'ChatCustomToolFormat', description: 'What the input of the tool has to look like.' });

export const ChatCustomTool = z
  .looseObject({
    type: z.literal('custom'),
    custom: z.looseObject({ name: ToolName, description: maybe(description), format: maybe(ChatCustomFormat) }),
  })
  .meta({ id: 'ChatCustomTool', description: 'A tool that takes free text instead of JSON arguments.' });

export const ChatTool = z.discriminatedUnion('type', [ChatFunctionTool, ChatCustomTool]).meta({ id: 'ChatTool' });

const ChatNamedTool = z.looseObject({ name: ToolName }).meta({ id: 'ChatNamedTool', description: 'A tool of the request, by its name.' });
const ChatFunctionChoice = z
  .looseObject({ type: z.literal('function'), function: ChatNamedTool })
  .meta({ id: 'ChatFunctionChoice', description: 'One function, by its name.' });
const ChatCustomChoice = z
  .looseObject({ type: z.literal('custom'), custom: ChatNamedTool })
  .meta({ id: 'ChatCustomChoice', description: 'One custom tool, by its name.' });
const ChatNamedChoice = z
  .discriminatedUnion('type', [ChatFunctionChoice, ChatCustomChoice])
  .meta({ id: 'ChatNamedChoice', description: 'One tool, by its name.' });
const AnyOrNone = z.enum(['none', 'auto', 'required']);
const AllowedMode = z.enum(['auto', 'required']);

const ChatAllowedTools = z
  .looseObject({
    type: z.literal('allowed_tools'),
    allowed_tools: z.looseObject({ mode: AllowedMode, tools: z.array(ChatNamedChoice).min(1).max(MAX_TOOLS) }),
  })
  .meta({ id: 'ChatAllowedTools', description: 'A subset of the tools of the request.' });

const ChatToolSelection = z
  .discriminatedUnion('type', [ChatFunctionChoice, ChatCustomChoice, ChatAllowedTools])
  .meta({ id: 'ChatToolSelection', description: 'One tool by its name, or a subset of them.' });

export const ChatToolChoice = z
  .union([AnyOrNone, ChatToolSelection])
  .meta({ id: 'ChatToolChoice', description: '`none`, `auto`, `required`, one tool by name, or a subset of the tools.' });

// ── Responses: flat ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────

export const FunctionTool = z
  .looseObject({
    type: z.literal('function'),
    name: LongToolName,
    description: maybe(description),
    parameters: maybe(parameters),
    strict: maybe(z.boolean()).describe(
      'Whether the arguments must follow the schema exactly. Absent: the upstream decides, usually true.',
    ),
  })
  .meta({ id: 'FunctionTool', description: 'A function that the caller runs.' });

const GrammarFormat = z
  .looseObject({ type: z.literal('grammar'), syntax: GrammarSyntax, definition })
  .meta({ id: 'GrammarFormat', description: 'Text that follows a grammar.' });

const CustomFormat = z
  .discriminatedUnion('type', [PlainTextFormat, GrammarFormat])
  .meta({ id: 'CustomToolFormat', description: 'What the input of the tool has to look like.' });

export const CustomTool = z
  .looseObject({ type: z.literal('custom'), name: LongToolName, description: maybe(description), format: maybe(CustomFormat) })
  .meta({ id: 'CustomTool', description: 'A tool that takes free text instead of JSON arguments.' });

const NamespaceMember = z
  .discriminatedUnion('type', [FunctionTool, CustomTool])
  .meta({ id: 'NamespaceMember', description: 'A tool of a namespace.' });

export const NamespaceTool = z
  .looseObject({
    type: z.literal('namespace'),
    name: LongToolName,
    description: maybe(description),
    tools: z.array(NamespaceMember).max(MAX_TOOLS),
  })
  .meta({ id: 'NamespaceTool', description: 'Several tools under one name; calls to them carry `namespace`.' });

const WebSearchTool = z
  .looseObject({
    type: z.enum(['web_search', 'web_search_2025_08_26', 'web_search_preview', 'web_search_preview_2025_03_11']),
    external_web_access: maybe(z.boolean()),
    filters: maybe(JsonObject),
    user_location: maybe(JsonObject),
    search_context_size: maybe(z.enum(['low', 'medium', 'high'])),
  })
  .meta({ id: 'WebSearchTool', description: 'A search of the web, run by the upstream.' });

const McpTool = z
  .looseObject({
    type: z.literal('mcp'),
    server_label: Label,
    server_url: maybe(Label),
    allowed_tools: maybe(JsonValue),
    require_approval: maybe(JsonValue),
  })
  .meta({ id: 'McpTool', description: 'Tools of an MCP server, run by the upstream.' });

const hosted = [
  ...(['tool_search', 'local_shell', 'shell', 'apply_patch', 'file_search', 'code_interpreter', 'image_generation'] as const),
  ...(['computer', 'computer_use_preview', 'programmatic_tool_calling'] as const),
] as const;

const HostedTool = z
  .looseObject({ type: z.enum(hosted) })
  .meta({ id: 'HostedTool', description: 'Another tool of the upstream; its own settings are handed on.', additionalProperties: true });

export const Tool = z
  .discriminatedUnion('type', [FunctionTool, CustomTool, NamespaceTool, WebSearchTool, McpTool, HostedTool])
  .meta({ id: 'Tool' });

const NamedChoice = z
  .looseObject({ type: z.enum(['function', 'custom']), name: LongToolName })
  .meta({ id: 'NamedChoice', description: 'One tool of the request, by its name.' });
const HostedChoice = z
  .looseObject({ type: z.enum([...hosted, 'web_search', 'web_search_preview', 'web_search_preview_2025_03_11']) })
  .meta({ id: 'HostedChoice', description: 'A tool that the upstream runs.' });
const McpChoice = z
  .looseObject({ type: z.literal('mcp'), server_label: Label, name: maybe(Label) })
  .meta({ id: 'McpChoice', description: 'The tools of an MCP server, or one of them.' });
const AllowedTool = z
  .looseObject({ type: Label })
  .meta({ id: 'AllowedTool', description: 'A tool of the request, named as it is there.', additionalProperties: true });
const AllowedTools = z
  .looseObject({ type: z.literal('allowed_tools'), mode: AllowedMode, tools: z.array(AllowedTool).min(1).max(MAX_TOOLS) })
  .meta({ id: 'AllowedTools', description: 'A subset of the tools of the request.' });

const ToolSelection = z
  .discriminatedUnion('type', [NamedChoice, HostedChoice, McpChoice, AllowedTools])
  .meta({ id: 'ToolSelection', description: 'One tool, or a subset of them.' });

export const ToolChoice = z.union([AnyOrNone, ToolSelection]).meta({
  id: 'ToolChoice',
  description: '`none`, `auto`, `required`, one tool, or a subset of the tools (`allowed_tools`, a hard limit).',
});
