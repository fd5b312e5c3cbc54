/** Reads the tools and the tool choice of a chat request, the older `functions` included. */
import type { ChatCompletionRequest } from '../../../contract/chat.ts';
import type { Tool, ToolChoice, ToolName } from '../turn/turn.ts';

type ChatTool = NonNullable<ChatCompletionRequest['tools']>[number];
type ChatFunction = NonNullable<ChatCompletionRequest['functions']>[number];
type ChatChoice = NonNullable<ChatCompletionRequest['tool_choice']>;
type NamedChoice = Exclude<ChatChoice, string | { type: 'allowed_tools' }>;

export function readTools({ tools, functions }: ChatCompletionRequest): Tool[] {
  const newer = (tools ?? []).map((tool, index) => readTool(tool, `tools[${index}]`));
  return [...newer, ...(functions ?? []).map((definition, index) => readFunction(definition, `functions[${index}]`))];
}

function readTool(tool: ChatTool, path: string): Tool {
  if (tool.type === 'function') return readFunction(tool.function, path);
  const { name, description, format } = tool.custom;
  const grammar = format?.type === 'grammar' ? { syntax: format.grammar.syntax, definition: format.grammar.definition } : null;
  return { kind: 'custom', name, namespace: null, description: description ?? null, grammar, path };
}

/** On chat an absent `strict` means false. */
function readFunction(definition: ChatFunction & { readonly strict?: boolean | null | undefined }, path: string): Tool {
  const { name, description, parameters, strict } = definition;
  return {
    kind: 'function',
    name,
    namespace: null,
    description: description ?? null,
    parameters: parameters ?? null,
    strict: strict ?? false,
    path,
  };
}

export function readToolChoice({ tool_choice, function_call }: ChatCompletionRequest): ToolChoice | null {
  if (tool_choice !== null && tool_choice !== undefined) return readChoice(tool_choice);
  if (function_call === null || function_call === undefined) return null;
  if (typeof function_call === 'string') return { kind: function_call };
  return { kind: 'tool', tool: { form: 'function', name: function_call.name } };
}

function readChoice(choice: ChatChoice): ToolChoice {
  if (typeof choice === 'string') return { kind: choice };
  if (choice.type !== 'allowed_tools') return { kind: 'tool', tool: readName(choice) };
  const { mode, tools } = choice.allowed_tools;
  return { kind: 'allowed', mode, tools: tools.map(readName) };
}

function readName(named: NamedChoice): ToolName {
  return { form: named.type, name: named.type === 'custom' ? named.custom.name : named.function.name };
}
