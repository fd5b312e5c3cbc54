/** What the published contract exports: every schema that has a name, and the tables beside them. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

export const contractFolder = fileURLToPath(new URL('../../../contract', import.meta.url));

/** One export: where it stands, under which name it is published. */
export interface Part {
  /** Absolute. */
  readonly file: string;
  readonly local: string;
  readonly name: string;
  readonly value: unknown;
}

/** Tables that are no schemas, by their file. What else is exported there is for the gateway. */
export const tables: Readonly<Record<string, readonly string[]>> = {
  'index.ts': ['contract'],
  'errors.ts': ['errorTable', 'errorTypes'],
  'response-order.ts': [
    ...['streamOrder', 'itemOrder', 'contentOrder', 'terminalEvents', 'keepalive'],
    ...['beforeStream', 'anyOutput', 'itemAdded', 'itemDone'],
  ],
};

function publishedName(file: string, [local, value]: readonly [string, unknown]): string | undefined {
  return value instanceof z.ZodType ? value.meta()?.id : tables[file]?.find((name) => name === local);
}

async function partsIn(file: string): Promise<Part[]> {
  const path = join(contractFolder, file);
  const exported: Readonly<Record<string, unknown>> = await import(path);
  return Object.entries(exported).flatMap(([local, value]) => {
    const name = publishedName(file, [local, value]);
    return name === undefined ? [] : [{ file: path, local, name, value }];
  });
}

/** For pages of our own. */
const unpublished = ['admin.ts', 'portal.ts'];

/** Of the callers' API; those of operators and of the portal are not published. Throws where one name stands for two. */
export async function listParts(): Promise<readonly Part[]> {
  const files = readdirSync(contractFolder).filter((file) => file.endsWith('.ts') && !unpublished.includes(file));
  const parts = (await Promise.all(files.sort().map(partsIn))).flat();
  const [doubled] = [...Map.groupBy(parts, ({ name }) => name)].filter(([, same]) => same.length > 1);
  if (doubled !== undefined) throw new Error(`Two exports of the contract are named ${doubled[0]}.`);
  return parts.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** The source of a module that exports these parts. */
export const exportAll = (parts: readonly Part[]): string =>
  parts.map(({ file, local, name }) => `export { ${local} as ${name} } from ${JSON.stringify(file)};\n`).join('');
