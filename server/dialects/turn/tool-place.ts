/** Where the caller wrote a tool, for errors about it and for items that tools stand in. */
import type { Tool, Turn } from './turn.ts';

/** A field of a tool by the caller's name: chat has an object of the tool's kind around its fields, but for the older `functions`. */
export function toolField({ path, kind }: Tool, caller: Turn['caller'], field: string): string {
  return `${path}${caller === 'chat' && path.startsWith('tools') ? `.${kind}` : ''}.${field}`;
}

/** The top-level list or the item of the input that a tool stands in: `tools[3]`, `input[5]`. */
export const holderOf = ({ path }: Tool): string => path.split('.', 1)[0] ?? path;

/** Items whose tools were read with the others. */
export const holdersOf = (tools: readonly Tool[]): ReadonlySet<string> => new Set(tools.map(holderOf));
