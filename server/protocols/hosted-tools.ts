/** Finds the hosted tools that a request offers, checks which of them it asks for, and removes others from the body. */
import { type Fields, isFields, isSet } from '../primitives/fields.ts';
import { type JsonBody, withFields } from './wire/json-body.ts';

/** True if the request asks for this tool: `tool_choice` names its type, alone or in a list, or the tool is a chat field that requests a search. */
export const isToolRequested = ({ tool_choice: choice }: Fields, { type, path }: OfferedHostedTool): boolean =>
  !path.endsWith(']') || isTypeChosen(choice, type);

function isTypeChosen(choice: unknown, type: string): boolean {
  if (!isFields(choice)) return false;
  const chosenTools: readonly unknown[] = Array.isArray(choice.tools) ? choice.tools : [choice];
  return chosenTools.some((each) => isFields(each) && each.type === type);
}

/** The body without the tools at these paths. Null if `tool_choice` requires a call but no tool would remain. */
export function withoutHostedTools(body: JsonBody, paths: readonly string[]): JsonBody | null {
  const { tool_choice: choice, tools } = body.value;
  if (choice === 'required' && Array.isArray(tools) && tools.length <= paths.length) return null;
  return removeTools(body, new Set(paths));
}

function removeTools(body: JsonBody, paths: ReadonlySet<string>): JsonBody {
  const { tools, input, tool_choice: choice } = body.value;
  const remainingTools = filterTools(tools, 'tools', paths);
  // Providers reject a `tool_choice` without tools. A choice between tools declared in the input stays.
  const shouldRemoveTools =
    Array.isArray(remainingTools) && remainingTools.length === 0 && (choice === 'auto' || choice === undefined || choice === null);
  const items = Array.isArray(input) ? input.map((item: unknown, index) => filterItemTools(item, `input[${index}].tools`, paths)) : input;
  const isChanged = Array.isArray(items) && Array.isArray(input) && items.some((item, index) => item !== input[index]);
  return withFields(body, {
    ...(remainingTools !== tools && { tools: shouldRemoveTools ? undefined : remainingTools }),
    ...(shouldRemoveTools && choice === 'auto' && { tool_choice: undefined }),
    ...(isChanged && { input: items }),
  });
}

function filterItemTools(item: unknown, path: string, paths: ReadonlySet<string>): unknown {
  if (!isFields(item)) return item;
  const tools = filterTools(item.tools, path, paths);
  return tools === item.tools ? item : ({ ...item, tools } satisfies Fields);
}

/** Removes the tools at these paths. Returns the same list if none match. */
function filterTools(tools: unknown, path: string, paths: ReadonlySet<string>): unknown {
  if (!Array.isArray(tools)) return tools;
  const remainingTools = tools.filter((_, index) => !paths.has(`${path}[${index}]`));
  return remainingTools.length === tools.length ? tools : remainingTools;
}

/** A hosted tool that a request offers. */
export interface OfferedHostedTool {
  readonly type: string;
  /** The type of the tool's output items, which sets the price of a call. */
  readonly call: string;
  readonly path: string;
}

/** Tools that providers charge for: type prefix → call type. Caller-run tools and tool searches cost only tokens. */
const hostedToolTypes = [
  ...['web_search', 'file_search', 'code_interpreter', 'image_generation', 'mcp', 'shell'].map((name) => [name, `${name}_call`] as const),
  ['programmatic_tool_calling', 'program_call'] as const,
];

/** True if the caller runs the shell. */
const isLocalShell = ({ environment }: Fields): boolean => isFields(environment) && environment.type === 'local';

/** The type of a tool's calls. Null if the upstream doesn't run the tool. */
function findCallType(tool: unknown): string | null {
  if (!isFields(tool) || typeof tool.type !== 'string' || isLocalShell(tool)) return null;
  const { type } = tool;
  return hostedToolTypes.find(([name]) => type.startsWith(name))?.[1] ?? null;
}

/** Searches `tools`, every input item that declares tools, and chat's `web_search_options`. */
export function findHostedTools({ tools, input, messages, web_search_options: search }: Fields): OfferedHostedTool[] {
  const offeredTools = isSet(search) ? [{ type: 'web_search', call: 'web_search_call', path: 'web_search_options' }] : [];
  if (Array.isArray(messages)) collectChatTools(tools, offeredTools);
  else collectHostedTools(tools, 'tools', offeredTools);
  if (Array.isArray(input))
    for (const [index, item] of input.entries()) if (isFields(item)) collectHostedTools(item.tools, `input[${index}].tools`, offeredTools);
  return offeredTools;
}

function collectHostedTools(tools: unknown, path: string, offeredTools: OfferedHostedTool[]): void {
  if (!Array.isArray(tools)) return;
  for (const [index, tool] of tools.entries()) {
    const callType = findCallType(tool);
    if (callType !== null) offeredTools.push({ type: String(tool.type), call: callType, path: `${path}[${index}]` });
    if (isFields(tool)) collectHostedTools(tool.tools, `${path}[${index}].tools`, offeredTools);
  }
}

/** Collects hosted tools from a chat request. Besides the caller's own tools, it can name tools of providers, each with its own price. */
function collectChatTools(tools: unknown, offeredTools: OfferedHostedTool[]): void {
  if (!Array.isArray(tools)) return;
  for (const [index, tool] of tools.entries()) {
    if (!isFields(tool) || typeof tool.type !== 'string' || tool.type === 'function' || tool.type === 'custom') continue;
    const callType = findCallType(tool) ?? `${tool.type.toLowerCase().replace(/[^a-z0-9]+/g, '_')}_call`;
    offeredTools.push({ type: tool.type, call: callType, path: `tools[${index}]` });
  }
}

/** The maximum number of hosted tool calls. Null if the request sets no limit. */
export const findMaxToolCalls = ({ max_tool_calls: maxCalls }: Fields): number | null =>
  typeof maxCalls === 'number' && maxCalls > 0 ? maxCalls : null;
