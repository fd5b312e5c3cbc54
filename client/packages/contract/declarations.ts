/** Writes the type declarations of the published contract, for ESM and CommonJS. */
import { z } from 'zod';
import { literalOf } from './literals.ts';
import type { Part } from './parts.ts';
import { writeTypes } from './written-types.ts';

/** Types of the tables whose type is exported by name. */
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

/** The declaration text of these parts. Throws when a table has no comment. */
export function writeDeclarations(parts: readonly Part[]): string {
  const types = writeTypes();
  const constants = parts.map(({ name, value }) => {
    const type = literalOf(value, types);
    // A schema and its type have the same name and the same comment.
    const comment = value instanceof z.ZodType ? '' : `/** ${comments[name] ?? missing(name)} */\n`;
    return `${comment}export declare const ${name}: ${type};\n${named[name] ?? ''}`;
  });
  return `import type { z } from 'zod';\n\n${types.declarations()}\n${constants.join('\n')}`;
}

function missing(name: string): never {
  throw new Error(`Nothing says what ${name} is.`);
}
