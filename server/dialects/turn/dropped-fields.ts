/** What unlike upstreams are not sent of a turn, and how the caller and the log learn of it (docs/translation.md). */
import type { ForeignItem, HostedTool, Item, Tool, Turn } from './turn.ts';

/** Hosted tools that a model can do without, since it answers from what it knows: agents offer them always. */
export const isSpare = ({ type }: Pick<HostedTool, 'type'>): boolean => type.startsWith('web_search') || type === 'tool_search';

/** Items of these kinds leave with their tool. What a search for tools has found does not: it is offered. */
const searches = new Set(['web_search_call', 'tool_search_call']);

const isLeftOut = (part: Tool | Item): part is HostedTool | ForeignItem =>
  (part.kind === 'hosted' && isSpare(part)) || (part.kind === 'foreign' && searches.has(part.type));

/** A header has a bound, and so has a line of the log. */
const MOST = 32;

/** Names are the caller's text: a header takes no more than letters, digits and a few marks of it. */
const headerText = (name: string): string => name.slice(0, 64).replace(/[^\w.[\]-]/g, '?');

/** Fields that nobody knows and places of what is left out, fit for a header. What cannot be missed was refused before. */
export function leftOut({ unknown, tools, items }: Turn): readonly string[] {
  const places = [...tools, ...items].filter(isLeftOut).map(({ path }) => path);
  return fitForHeader([...unknown, ...places]);
}

/** As many of the names as a header holds. */
export function fitForHeader(names: readonly string[]): readonly string[] {
  const told = names.slice(0, MOST).map(headerText);
  return names.length > MOST ? [...told, `and-${names.length - MOST}-more`] : told;
}
