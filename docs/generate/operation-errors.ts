/** Writes the error types by operation to client/sdk/src/operation-errors.gen.ts. The file contains types only. */
import { type ErrorCode, errorCodes, errorTable } from '../../contract/errors.ts';
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

/** Writes the codes by status, each in its own property. */
function writeStatuses(codes: readonly ErrorCode[], indent: string): string {
  const rows = statusesOf(codes).map((status) => {
    const here = errorCodes.filter((code) => codes.includes(code) && errorTable[code].status === status);
    const [first, ...more] = here.map((code) => `'${code}'`);
    return more.length === 0
      ? `${indent}${status}: ${first};\n`
      : `${indent}${status}:\n${[first, ...more].map((code) => `${indent}  | ${code}`).join('\n')};\n`;
  });
  return rows.join('');
}

export function operationErrorsOutput(): Output {
  // `Object.keys` loses the key types; the keys are exactly the operation names.
  const names = Object.keys(operationErrors) as OperationName[];
  const operations = names.map((name) => `  readonly ${name}: {\n${writeStatuses(operationErrors[name], '    ')}  };\n`);
  const table = `export interface OperationErrors {\n${operations.join('')}}\n`;
  const all = `/** Every code of the gateway, by status. */\nexport interface ErrorCodes {\n${writeStatuses(errorCodes, '  ')}}\n`;
  return { path: '../../client/sdk/src/operation-errors.gen.ts', text: `${HEAD}/** By operation and status. */\n${table}\n${all}${TAIL}` };
}

if (import.meta.main) publish(operationErrorsOutput());
