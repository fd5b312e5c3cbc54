/** Writes the type declarations of the published contract, for ESM and CommonJS. */
import { z } from 'zod';
import { toLiteral } from './literals.ts';
import type { PublishedExport } from './parts.ts';
import { writeTypes } from './written-types.ts';

/** Additional type exports, by the table they're derived from. */
const named: Readonly<Record<string, string>> = {
  contract: `/** The contract as a type: what \`initClient\` and its kin are given. A type and no interface, which would be no router of ts-rest. */
export type Contract = typeof contract;
`,
  errorTable: `/** The code of an error. */
export type ErrorCode = keyof typeof errorTable;
`,
  errorTypes: `/** The coarse class of an error. */
export type ErrorType = (typeof errorTypes)[number];
`,
};

const comments: Readonly<Record<string, string>> = {
  contract:
    'Every operation of the gateway as a route of ts-rest: method, path, schemas of what goes in and comes out by status. docs/guides/contract-package.md',
  errorTable: 'Code → HTTP status, class, message, and what it means. docs/generated/errors.md',
  errorTypes: 'Every coarse class of an error.',
  streamOrder:
    'Which event of a stream of responses may follow which. A key or value is the type of an event, `start` before the first, or `output` for all events of items. docs/generated/response-events.md',
  itemOrder: 'The same inside one output item, by its type.',
  contentOrder: 'How each kind of content is opened, told and closed.',
  terminalEvents: 'The events of which exactly one ends a stream.',
  KEEPALIVE: 'An event that may stand anywhere between the first and the last.',
  BEFORE_STREAM: 'Stands in `streamOrder` before the first event.',
  ANY_OUTPUT: 'Stands in `streamOrder` for every event that belongs to an item.',
  ITEM_ADDED: 'The event that opens an item.',
  ITEM_DONE: 'The event that closes an item.',
};

/** Writes the type declarations of these exports. Throws an error if a table has no comment. */
export function writeDeclarations(parts: readonly PublishedExport[]): string {
  const types = writeTypes();
  const constants = parts.map(({ name, value }) => {
    const type = toLiteral(value, types);
    // Schemas share their name with their type, so the type's comment is enough.
    const comment = value instanceof z.ZodType ? '' : `/** ${comments[name] ?? throwMissing(name)} */\n`;
    return `${comment}export declare const ${name}: ${type};\n${named[name] ?? ''}`;
  });
  return `import type { z } from 'zod';\n\n${types.declarations()}\n${constants.join('\n')}`;
}

function throwMissing(name: string): never {
  throw new Error(`Nothing says what ${name} is.`);
}
