/** Tools, the choice among them and the form of the answer, which lie one level flatter on responses. */
import type { MigrationNote } from './migrate.ts';
import type { ChatCompletionRequest, ChatTool, ResponseRequest, TextFormat, Tool } from './types.gen.ts';

type Chat = ChatCompletionRequest;

/** Strict is named where it was absent: on chat that means false, on responses the upstream decides. */
function moveTool(tool: ChatTool): Tool {
  if (tool.type === 'function') return { type: 'function', ...tool.function, strict: tool.function.strict ?? false };
  const { format, ...rest } = tool.custom;
  if (!format) return { type: 'custom', ...rest };
  return { type: 'custom', ...rest, format: format.type === 'grammar' ? { type: 'grammar', ...format.grammar } : { type: 'text' } };
}

/** On chat the place is one level deeper. */
function moveSearch({ search_context_size, user_location }: NonNullable<Chat['web_search_options']>): Tool {
  const { approximate, ...place } = user_location ?? {};
  return {
    type: 'web_search',
    ...(search_context_size && { search_context_size }),
    ...(user_location && { user_location: { ...place, ...(typeof approximate === 'object' && approximate) } }),
  };
}

/** Tools, functions of the older kind, and the search that is an option on chat. */
export function moveTools({
  tools,
  functions,
  web_search_options,
}: Pick<Chat, 'tools' | 'functions' | 'web_search_options'>): Pick<ResponseRequest, 'tools'> {
  const moved: Tool[] = [
    ...(tools ?? []).map(moveTool),
    ...(functions ?? []).map((definition): Tool => ({ type: 'function', ...definition, strict: false })),
    ...(web_search_options ? [moveSearch(web_search_options)] : []),
  ];
  return moved.length > 0 ? { tools: moved } : {};
}

const nameOf = (choice: { type: 'function'; function: { name: string } } | { type: 'custom'; custom: { name: string } }) =>
  choice.type === 'function' ? { type: choice.type, name: choice.function.name } : { type: choice.type, name: choice.custom.name };

export function moveToolChoice(choice: Chat['tool_choice'] | Chat['function_call']): Pick<ResponseRequest, 'tool_choice'> {
  if (choice === null || choice === undefined) return {};
  if (typeof choice === 'string') return { tool_choice: choice };
  if (!('type' in choice)) return { tool_choice: { type: 'function', name: String(choice.name) } };
  // Only the older kind of choice has no type, and it was answered on the line before.
  const typed = choice as Exclude<NonNullable<Chat['tool_choice']>, string>;
  if (typed.type !== 'allowed_tools') return { tool_choice: nameOf(typed) };
  const { mode, tools } = typed.allowed_tools;
  return { tool_choice: { type: 'allowed_tools', mode, tools: tools.map(nameOf) } };
}

/** `response_format` → `text.format`. */
export function moveFormat(format: Chat['response_format'], notes: MigrationNote[]): TextFormat | undefined {
  if (!format) return undefined;
  if (format.type !== 'json_schema') return { type: format.type };
  const { name, description, schema, strict } = format.json_schema;
  if (strict !== true) {
    notes.push({
      field: 'response_format.json_schema.strict',
      remedy: 'Set `strict: true` in `text.format` to have the schema followed exactly.',
    });
  }
  return { type: 'json_schema', name, ...(description && { description }), schema: schema ?? {}, strict: strict ?? false };
}
