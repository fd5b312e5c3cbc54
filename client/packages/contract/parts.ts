/** Lists the exports of the published contract: every named schema, and tables such as the error table. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

export const contractFolder = fileURLToPath(new URL('../../../contract', import.meta.url));

/** An export of the package, with its source file and published name. */
export interface PublishedExport {
  /** Absolute path of the file. */
  readonly file: string;
  readonly local: string;
  readonly name: string;
  readonly value: unknown;
}

/** Exported tables by file. All other exports of these files that aren't schemas are internal. */
export const tables: Readonly<Record<string, readonly string[]>> = {
  'index.ts': ['contract'],
  'errors.ts': ['errorTable', 'errorTypes'],
  'responses/order.ts': [
    ...['streamOrder', 'itemOrder', 'contentOrder', 'terminalEvents', 'KEEPALIVE'],
    ...['BEFORE_STREAM', 'ANY_OUTPUT', 'ITEM_ADDED', 'ITEM_DONE'],
  ],
};

function toPublishedName(file: string, [local, value]: readonly [string, unknown]): string | undefined {
  return value instanceof z.ZodType ? value.meta()?.id : tables[file]?.find((name) => name === local);
}

async function listExportsIn(file: string): Promise<PublishedExport[]> {
  const path = join(contractFolder, file);
  const exported: Readonly<Record<string, unknown>> = await import(path);
  const gone = tables[file]?.filter((name) => !(name in exported));
  if (gone !== undefined && gone.length > 0) throw new Error(`${file} does not export ${gone.join(', ')}.`);
  return Object.entries(exported).flatMap(([local, value]) => {
    const name = toPublishedName(file, [local, value]);
    return name === undefined ? [] : [{ file: path, local, name, value }];
  });
}

/** Whether only operators and the gateway's own pages use the file. */
const isInternal = (file: string) => /^(?:admin|portal)\//.test(file);

/** Lists the exports of the caller API. The admin and portal APIs aren't published. Throws an error if two exports have the same name. */
export async function listExports(): Promise<readonly PublishedExport[]> {
  const files = readdirSync(contractFolder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !isInternal(file),
  );
  const parts = (await Promise.all(files.sort().map(listExportsIn))).flat();
  const [doubled] = [...Map.groupBy(parts, ({ name }) => name)].filter(([, same]) => same.length > 1);
  if (doubled !== undefined) throw new Error(`Two exports of the contract are named ${doubled[0]}.`);
  return parts.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Returns the source of a module that exports these parts. */
export const exportAll = (parts: readonly PublishedExport[]): string =>
  parts.map(({ file, local, name }) => `export { ${local} as ${name} } from ${JSON.stringify(file)};\n`).join('');
