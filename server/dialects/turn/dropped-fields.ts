/** The parts of a turn that upstreams of another protocol are not sent, and their names for the answer's header and the log (docs/translation.md). */
import type { ForeignItem, HostedTool, Item, Tool, Turn } from './turn.ts';

/** Items that are left out with their tool, and outputs that answer such a call. The list of tools that a search found stays: its tools are offered. */
const searches = new Set(['web_search_call', 'tool_search_call', 'function_call_output', 'custom_tool_call_output']);

/** A hosted tool is merely offered here: a choice that names it was rejected before. Agents offer some with every request. */
const isLeftOut = (part: Tool | Item): part is HostedTool | ForeignItem =>
  part.kind === 'hosted' || (part.kind === 'foreign' && searches.has(part.type));

/** The most names in a header, and in a line of the log. */
const MOST = 32;

/** A name is text of the caller: only letters, digits and a few marks of it may go into a header. */
const headerText = (name: string): string => name.slice(0, 64).replace(/[^\w.[\]-]/g, '?');

/** Unknown fields, and the places of tools and items that are left out, fit for a header. A part that the answer depends on was refused before. */
export function leftOut({ unknown, tools, items }: Turn): readonly string[] {
  const places = [...tools, ...items].filter(isLeftOut).map(({ path }) => path);
  return fitForHeader([...unknown, ...places]);
}

/** As many of the names as a header holds. */
export function fitForHeader(names: readonly string[]): readonly string[] {
  const told = names.slice(0, MOST).map(headerText);
  return names.length > MOST ? [...told, `and-${names.length - MOST}-more`] : told;
}
