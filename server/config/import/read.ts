/** Reads the file of another gateway, YAML or JSON, and writes ours. */
import { parse, stringify } from 'yaml';
import { importLitellm } from './litellm.ts';
import type { Imported } from './report.ts';

export const importers = { litellm: importLitellm } as const satisfies Readonly<Record<string, (file: unknown) => Imported>>;
export type Importer = keyof typeof importers;

/** Throws a sentence for a text that is neither YAML nor JSON. */
export function importText(from: Importer, text: string): Imported {
  let file: unknown;
  try {
    file = parse(text, { maxAliasCount: 100 });
  } catch (error) {
    // The first line says where; the others quote the file, which may hold keys.
    throw new SyntaxError(error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'it cannot be read');
  }
  return importers[from](file);
}

export const writeImported = ({ settings }: Imported, from: Importer): string =>
  `# Written by \`modelgate config import ${from}\`. Keys are variables of the environment.\n${stringify(settings, { lineWidth: 0 })}`;
