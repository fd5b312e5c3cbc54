/** Lists what the published contract exports: every named schema, and tables such as the error table. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

export const contractFolder = fileURLToPath(new URL('../../../contract', import.meta.url));

/** One export: its file, and the name under which it is published. */
export interface Part {
  /** Absolute path of the file. */
  readonly file: string;
  readonly local: string;
  readonly name: string;
  readonly value: unknown;
}

/** Exported tables that are not schemas, by file. Other exports of these files are only for the gateway. */
export const tables: Readonly<Record<string, readonly string[]>> = {
  'index.ts': ['contract'],
  'errors.ts': ['errorTable', 'errorTypes'],
  'responses/order.ts': [
    ...['streamOrder', 'itemOrder', 'contentOrder', 'terminalEvents', 'KEEPALIVE'],
    ...['BEFORE_STREAM', 'ANY_OUTPUT', 'ITEM_ADDED', 'ITEM_DONE'],
  ],
};

function publishedName(file: string, [local, value]: readonly [string, unknown]): string | undefined {
  return value instanceof z.ZodType ? value.meta()?.id : tables[file]?.find((name) => name === local);
}

async function partsIn(file: string): Promise<Part[]> {
  const path = join(contractFolder, file);
  const exported: Readonly<Record<string, unknown>> = await import(path);
  const gone = tables[file]?.filter((name) => !(name in exported));
  if (gone !== undefined && gone.length > 0) throw new Error(`${file} does not export ${gone.join(', ')}.`);
  return Object.entries(exported).flatMap(([local, value]) => {
    const name = publishedName(file, [local, value]);
    return name === undefined ? [] : [{ file: path, local, name, value }];
  });
}

/** What only operators and the gateway's own pages use. */
const isUnpublished = (file: string) => /^(?:admin|portal)\//.test(file);

/** The parts of the callers' API; those of the operators' API and of the portal are not published. Throws when two parts have the same name. */
export async function listParts(): Promise<readonly Part[]> {
  const files = readdirSync(contractFolder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !isUnpublished(file),
  );
  const parts = (await Promise.all(files.sort().map(partsIn))).flat();
  const [doubled] = [...Map.groupBy(parts, ({ name }) => name)].filter(([, same]) => same.length > 1);
  if (doubled !== undefined) throw new Error(`Two exports of the contract are named ${doubled[0]}.`);
  return parts.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Source text of a module that exports these parts. */
export const exportAll = (parts: readonly Part[]): string =>
  parts.map(({ file, local, name }) => `export { ${local} as ${name} } from ${JSON.stringify(file)};\n`).join('');
