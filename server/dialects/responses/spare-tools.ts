/** Hosted tools that a request merely offers: which of them it asks for, and the body without the others. */
import { type Fields, isFields } from '../../../contract/rule.ts';
import { type JsonBody, withFields } from '../wire/json-body.ts';
import type { OfferedTool } from './hosted-calls.ts';

/** Whether the request asks for the tool: `tool_choice` names its type, alone or in a list, or it is a field of chat, which asks for a search. */
export const isWanted = ({ tool_choice: choice }: Fields, { type, path }: OfferedTool): boolean =>
  !path.endsWith(']') || isNamed(choice, type);

function isNamed(choice: unknown, type: string): boolean {
  if (!isFields(choice)) return false;
  const named: readonly unknown[] = Array.isArray(choice.tools) ? choice.tools : [choice];
  return named.some((each) => isFields(each) && each.type === type);
}

/** The body without the tools at these paths; null where one has to be called and none would be left. */
export function withoutTools(body: JsonBody, paths: readonly string[]): JsonBody | null {
  const { tool_choice: choice, tools } = body.value;
  if (choice === 'required' && Array.isArray(tools) && tools.length <= paths.length) return null;
  return without(body, new Set(paths));
}

function without(body: JsonBody, paths: ReadonlySet<string>): JsonBody {
  const { tools, input, tool_choice: choice } = body.value;
  const kept = keep(tools, 'tools', paths);
  // Vendors refuse a `tool_choice` without tools. A choice between tools that the input declares stays.
  const isEmpty = Array.isArray(kept) && kept.length === 0 && (choice === 'auto' || choice === undefined || choice === null);
  const items = Array.isArray(input) ? input.map((item: unknown, index) => keepIn(item, `input[${index}].tools`, paths)) : input;
  const isChanged = Array.isArray(items) && Array.isArray(input) && items.some((item, index) => item !== input[index]);
  return withFields(body, {
    ...(kept !== tools && { tools: isEmpty ? undefined : kept }),
    ...(isEmpty && choice === 'auto' && { tool_choice: undefined }),
    ...(isChanged && { input: items }),
  });
}

function keepIn(item: unknown, path: string, paths: ReadonlySet<string>): unknown {
  if (!isFields(item)) return item;
  const tools = keep(item.tools, path, paths);
  return tools === item.tools ? item : ({ ...item, tools } satisfies Fields);
}

/** The list without the tools at these paths; the same list when none is removed. */
function keep(tools: unknown, path: string, paths: ReadonlySet<string>): unknown {
  if (!Array.isArray(tools)) return tools;
  const kept = tools.filter((_, index) => !paths.has(`${path}[${index}]`));
  return kept.length === tools.length ? tools : kept;
}
