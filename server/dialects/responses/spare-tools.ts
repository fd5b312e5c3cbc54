/** Offered web searches that a model can do without: which they are, and the body without them. */
import { type Fields, isFields } from '../../../contract/rule.ts';
import { isSpare } from '../turn/dropped-fields.ts';
import { type JsonBody, withFields } from '../wire/json-body.ts';
import { type OfferedTool, offeredTools } from './hosted-calls.ts';

/** Those that the body offers and does not tell the model to use. */
export const spareTools = (value: Fields): readonly OfferedTool[] =>
  offeredTools(value).filter((tool) => isSpareTool(tool) && !isWanted(value.tool_choice, tool));

/** The body without the tools at these paths; null where one has to be called and none would be left. */
export function withoutTools(body: JsonBody, paths: readonly string[]): JsonBody | null {
  const { tool_choice: choice, tools } = body.value;
  if (choice === 'required' && Array.isArray(tools) && tools.length <= paths.length) return null;
  return without(body, new Set(paths));
}

/** Whether the tool is an offered web search in a list of tools. A chat request asks for a search by a field, which is not an offer. */
const isSpareTool = ({ type, path }: OfferedTool): boolean => isSpare({ type }) && path.endsWith(']');

/** Whether `tool_choice` names the type of the tool, alone or in a list. */
function isWanted(choice: unknown, { type }: OfferedTool): boolean {
  if (!isFields(choice)) return false;
  const named: readonly unknown[] = Array.isArray(choice.tools) ? choice.tools : [choice];
  return named.some((each) => isFields(each) && each.type === type);
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
