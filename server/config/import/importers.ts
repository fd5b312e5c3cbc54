/** Converts the configuration of another gateway to the text of modelgate.yaml. */

import { parse, stringify } from 'yaml';
import { toFields } from './fields.ts';
import { importLitellm } from './litellm.ts';
import { importNewApi } from './new-api.ts';
import type { Imported } from './remarks.ts';

const importers = { litellm: importLitellm, 'new-api': importNewApi } as const satisfies Readonly<
  Record<string, (file: unknown) => Imported>
>;

export type Importer = keyof typeof importers;

/** Throws a SyntaxError with a readable message if the text is neither YAML nor JSON. */
export function importText(from: Importer, text: string, options?: string): Imported {
  const file = parseText(text);
  const parsedOptions = options === undefined ? undefined : parseText(options);
  if (parsedOptions === undefined) return importers[from](file);
  const channels = Array.isArray(file) ? { channels: file } : toFields(file);
  return importers[from]({ ...channels, options: toFields(parsedOptions).data ?? parsedOptions });
}

function parseText(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 100 });
  } catch (error) {
    // The first line contains the position. The others quote the file, which can contain keys.
    throw new SyntaxError(error instanceof Error ? (error.message.split('\n')[0] ?? '') : "it can't be read");
  }
}

export const formatImported = ({ settings }: Imported, from: Importer): string =>
  `# Written by \`modelgate config import ${from}\`. Keys are environment variables.\n${stringify(settings, { lineWidth: 0 })}`;
