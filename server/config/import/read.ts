/** Reads the file of another gateway, YAML or JSON, and writes ours. */
import { parse, stringify } from 'yaml';
import { importLitellm } from './litellm.ts';
import { importNewApi } from './new-api.ts';
import type { Imported } from './report.ts';
import { fieldsOf } from './values.ts';

export const importers = { litellm: importLitellm, 'new-api': importNewApi } as const satisfies Readonly<
  Record<string, (file: unknown) => Imported>
>;
export type Importer = keyof typeof importers;

/** Throws a sentence for a text that is neither YAML nor JSON. */
export function importText(from: Importer, text: string, options?: string): Imported {
  const file = parseText(text);
  const more = options === undefined ? undefined : parseText(options);
  if (more === undefined) return importers[from](file);
  const channels = Array.isArray(file) ? { channels: file } : fieldsOf(file);
  return importers[from]({ ...channels, options: fieldsOf(more).data ?? more });
}

function parseText(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 100 });
  } catch (error) {
    // The first line says where; the others quote the file, which may hold keys.
    throw new SyntaxError(error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'it cannot be read');
  }
}

export const writeImported = ({ settings }: Imported, from: Importer): string =>
  `# Written by \`modelgate config import ${from}\`. Keys are variables of the environment.\n${stringify(settings, { lineWidth: 0 })}`;
