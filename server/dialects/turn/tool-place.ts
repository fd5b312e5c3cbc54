/** The path of a tool in the caller's request, for errors, and the item that holds the tool. */
import type { Tool, Turn } from './turn.ts';

/** The caller's path of a tool's field: chat nests the fields in an object named after the tool's kind, except in the older `functions`. */
export function toolField({ path, kind }: Tool, caller: Turn['caller'], field: string): string {
  return `${path}${caller === 'chat' && path.startsWith('tools') ? `.${kind}` : ''}.${field}`;
}

/** The entry of `tools` or the input item that holds a tool: `tools[3]`, `input[5]`. */
export const holderOf = ({ path }: Tool): string => path.split('.', 1)[0] ?? path;

/** The places of all tools; an input item whose tools were read is among them. */
export const holdersOf = (tools: readonly Tool[]): ReadonlySet<string> => new Set(tools.map(holderOf));
