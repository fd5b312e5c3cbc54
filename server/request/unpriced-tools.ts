/** Removes offered web searches that have no price, and names them in `x-modelgate-ignored`: agents offer them in every request. */
import { type Fields, isFields } from '../../contract/rule.ts';
import { findPrice } from '../billing/hold.ts';
import type { Candidate } from '../config/catalog.ts';
import { type OfferedTool, offeredTools } from '../dialects/responses/hosted-calls.ts';
import { fitForHeader, isSpare } from '../dialects/turn/dropped-fields.ts';
import { type JsonBody, withFields } from '../dialects/wire/json-body.ts';
import type { Gateway } from '../gateway.ts';
import { unpricedOf } from '../ledger/charge.ts';
import type { RequestContext } from './context.ts';
import type { Transcoder } from './transcoder.ts';

/** Any other tool without a price is refused when the money is held: a model can do without an offered search, but not without a tool that it was told to use. */
export async function withoutUnpriced(
  { money }: Gateway,
  { principal }: RequestContext,
  model: Candidate,
  transcoder: Transcoder,
): Promise<Transcoder> {
  const { body } = transcoder;
  if (!money || !principal || body.kind === 'form') return transcoder;
  const offered = offeredTools(body.value).filter((tool) => isSpareTool(tool) && !isWanted(body.value.tool_choice, tool));
  if (offered.length === 0) return transcoder;
  const price = await findPrice(money, principal.accountId, model.id);
  const left = price ? offered.filter(({ call, path }) => unpricedOf(price.prices, [{ kind: 'tool', name: call, path }])) : [];
  if (left.length === 0) return transcoder;
  const paths = left.map(({ path }) => path);
  // A tool has to be called, and there would be none left.
  if (body.value.tool_choice === 'required' && Array.isArray(body.value.tools) && body.value.tools.length <= paths.length)
    return transcoder;
  return { ...transcoder, body: without(body, new Set(paths)), ignored: [...transcoder.ignored, ...fitForHeader(paths)] };
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
