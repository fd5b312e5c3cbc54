/** Writes docs/errors.md from the one table of errors: every code with its status, type, meaning and body (specification part 7). */
import { codesOfStatus, type ErrorCode, type ErrorStatus, errorCodes, errorTable } from '../contract/errors.ts';
import { errorExample } from './examples/errors.ts';
import { statusesOf, statusReasons } from './openapi/errors.ts';
import { type Output, publish } from './output.ts';
import { table } from './table.ts';

const introduction = `<!-- Made by docs/errors.ts from contract/errors.ts. Do not edit: run \`node docs/generate.ts\`. -->

# Errors

Every answer that is not 2xx has this body, on every path, and so has an error inside a stream. All four fields are always there.

${table([
  ['Field', 'What it holds'],
  ['`message`', 'what went wrong and what to do, in a sentence for people'],
  ['`type`', "the coarse class, in the words that OpenAI's SDKs know"],
  ['`param`', 'the path of the field at fault, or null'],
  ['`code`', 'the exact reason, for programs'],
])}

The header \`x-request-id\` is on every answer. An answer with 429 or 503 names its wait in \`retry-after\`, in seconds.
`;

const row = (code: ErrorCode) => [`\`${code}\``, `\`${errorTable[code].type}\``, errorTable[code].meaning];
const body = (code: ErrorCode) => JSON.stringify(errorExample(code));

function section(status: ErrorStatus): string {
  const codes = codesOfStatus(status);
  return [
    `## ${status}`,
    '',
    statusReasons[status],
    '',
    table([['Code', 'Type', 'When, and what to do'], ...codes.map(row)]),
    '',
    '```jsonl',
    ...codes.map(body),
    '```',
    '',
  ].join('\n');
}

/** The file as it is checked in. */
export function errorsOutput(): Output {
  return { path: 'errors.md', text: [introduction, ...statusesOf(errorCodes).map(section)].join('\n') };
}

if (import.meta.main) publish(errorsOutput());
