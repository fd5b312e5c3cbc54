/** Writes the error types by operation to client/sdk/src/operation-errors.gen.ts. The file contains types only. */
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

export function operationErrorsOutput(): Output {
  // `Object.keys` loses the key types; the keys are exactly the operation names.
  const names = Object.keys(operationErrors) as OperationName[];
  const table = `export interface OperationErrors {\n${names.map(writeOperation).join('')}}\n`;
  return { path: '../../client/sdk/src/operation-errors.gen.ts', text: `${HEAD}/** By operation and status. */\n${table}${TAIL}` };
}

if (import.meta.main) publish(operationErrorsOutput());
