/** Writes what the client knows of errors by operation: client/sdk/src/operation-errors.gen.ts, types alone. */
import { errorTable } from '../../contract/errors.ts';
import { type OperationName, operationErrors } from '../../contract/operation-errors.ts';
import { statusesOf } from './openapi/errors.ts';
import { type Output, publish } from './output.ts';

const HEAD = `/** The codes of the errors that each operation can return, by status. */
// Generated from the contract by \`node docs/generate/operation-errors.ts\`; do not edit.

`;

const TAIL = `
/** The name of an operation, which is that of the client's method. */
export type OperationName = keyof OperationErrors;

/** The codes that an operation can return, with any status or with one: \`ErrorCodeOf<'createResponse', 404>\` is \`'model_not_found'\`. */
export type ErrorCodeOf<Name extends OperationName, Status extends keyof OperationErrors[Name] = keyof OperationErrors[Name]> =
  OperationErrors[Name][Status];
`;

function writeOperation(name: OperationName): string {
  const codes = operationErrors[name];
  const rows = statusesOf(codes).map((status) => {
    const here = Object.keys(errorTable).filter((code) => codes.some((one) => one === code && errorTable[one].status === status));
    const [first, ...more] = here.map((code) => `'${code}'`);
    return more.length === 0
      ? `    ${status}: ${first};\n`
      : `    ${status}:\n${[first, ...more].map((code) => `      | ${code}`).join('\n')};\n`;
  });
  return `  readonly ${name}: {\n${rows.join('')}  };\n`;
}

/** The file as it is checked in. */
export function operationErrorsOutput(): Output {
  // The names of an object are those of its type.
  const names = Object.keys(operationErrors) as OperationName[];
  const table = `export interface OperationErrors {\n${names.map(writeOperation).join('')}}\n`;
  return { path: '../../client/sdk/src/operation-errors.gen.ts', text: `${HEAD}/** By operation and status. */\n${table}${TAIL}` };
}

if (import.meta.main) publish(operationErrorsOutput());
