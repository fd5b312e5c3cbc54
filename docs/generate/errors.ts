/** Writes docs/generated/errors.md from the error table: every code with its status, type, meaning, and body. */
import { type ErrorCode, type ErrorStatus, errorCodes, errorTable, listCodes } from '../../contract/errors.ts';
import { contract } from '../../contract/index.ts';
import { type OperationName, operationErrors } from '../../contract/operation-errors.ts';
import { advice } from '../site/errors/advice.ts';
import { errorExample } from './examples/errors.ts';
import { statusesOf, statusReasons } from './openapi/errors.ts';
import { type Output, publish } from './output.ts';
import { table } from './table.ts';

const introduction = `<!-- Made by docs/generate/errors.ts from contract/errors.ts. Do not edit: run \`npm run generate\`. -->

# Errors

Every response that isn't 2xx has this body, on every path, and so has an error inside a stream. All four fields are always present.

${table([
  ['Field', 'Content'],
  ['`message`', 'a human-readable message with the problem and how to fix it'],
  ['`type`', "the general category, with the names that OpenAI's SDKs know"],
  ['`param`', 'the path of the field that caused the error, or null'],
  ['`code`', 'the exact reason, for use in code'],
])}

The contract says which operation can return which code: the column _Operations_ shows it, the OpenAPI document lists the codes by status, and
the client has them as the type \`ErrorCodeOf\`.

Every response has the header \`x-request-id\`. A response with 429 or 503 has the number of seconds to wait in \`retry-after\`.
`;

// `Object.keys` loses the key types; the keys are exactly the operation names.
const names = Object.keys(operationErrors) as OperationName[];
/** Names for common sets of operations. */
const groups: readonly (readonly [label: string, operations: readonly OperationName[]])[] = [
  ['all', names],
  ['all that need a key', names.filter((name) => name !== 'getCatalog')],
  ['all that call a model', names.filter((name) => contract[name].method === 'POST')],
  ['all with a body', names.filter((name) => contract[name].method !== 'GET')],
];

const listed = (some: readonly OperationName[]) => some.map((name) => `\`${name}\``).join(' ');

/** Describes the operations that can return a code. */
function whereOf(code: ErrorCode): string {
  const where = names.filter((name) => operationErrors[name].some((one) => one === code));
  if (where.length === 0) return code === 'conflict' ? 'the admin API' : 'any URL without an operation';
  const group = groups.find(([, members]) => members.length === where.length && members.every((name) => where.includes(name)));
  if (group) return group[0];
  const others = names.filter((name) => !where.includes(name));
  return where.length <= others.length ? listed(where) : `all but ${listed(others)}`;
}

const row = (code: ErrorCode) => [
  `\`${code}\``,
  `\`${errorTable[code].type}\``,
  whereOf(code),
  errorTable[code].meaning,
  advice[code].remedy + writeGuide(code),
];

function writeGuide(code: ErrorCode): string {
  const [name, title] = advice[code].guide ?? [];
  return name === undefined ? '' : ` See [${title}](../guides/${name}.md).`;
}

const body = (code: ErrorCode) => JSON.stringify(errorExample(code));

function section(status: ErrorStatus): string {
  const codes = listCodes(status);
  return [
    `## ${status}`,
    '',
    statusReasons[status],
    '',
    table([['Code', 'Type', 'Operations', 'Cause', 'What to do'], ...codes.map(row)]),
    '',
    '```jsonl',
    ...codes.map(body),
    '```',
    '',
  ].join('\n');
}

export function errorsOutput(): Output {
  return { path: '../generated/errors.md', text: [introduction, ...statusesOf(errorCodes).map(section)].join('\n') };
}

if (import.meta.main) publish(errorsOutput());
