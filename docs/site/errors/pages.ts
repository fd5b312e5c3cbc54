/** Writes a page for each error code: cause, what to do, example, check, client messages, and the operations that return it. */
import { type ErrorCode, errorCodes, errorTable } from '../../../contract/errors.ts';
import { contract } from '../../../contract/index.ts';
import { type OperationName, operationErrors } from '../../../contract/operation-errors.ts';
import { errorExample } from '../../generate/examples/errors.ts';
import { escapeHtml, inline } from '../html.ts';
import type { Painter } from '../markdown/code.ts';
import type { Page } from '../page.ts';
import { advice } from './advice.ts';

/** The exception that OpenAI's SDKs raise for each status. */
const classes: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
  403: 'PermissionDeniedError',
  404: 'NotFoundError',
  409: 'ConflictError',
  429: 'RateLimitError',
};
export const raisedBy = (status: number): string => classes[status] ?? (status >= 500 ? 'InternalServerError' : 'APIStatusError');

// `Object.entries` loses the key types; the keys are exactly the operation names.
const operations = Object.entries(operationErrors) as unknown as readonly [OperationName, readonly ErrorCode[]][];

export interface ErrorOrder {
  readonly painter: Painter;
  /** Whether the site has the reference of the caller API. */
  readonly hasReference: boolean;
}
export const errorPages = (order: ErrorOrder): Page[] => errorCodes.map((code) => errorPage(code, order));

function errorPage(code: ErrorCode, { painter, hasReference }: ErrorOrder): Page {
  const { status, type, message, meaning } = errorTable[code];
  const { check, remedy, seen, guide } = advice[code];
  const body = JSON.stringify(errorExample(code), null, 2);
  const answering = operations.filter(([, codes]) => codes.includes(code)).map(([name]) => name);
  const retried = status === 408 || status === 409 || status === 429 || status >= 500;
  const raised = `OpenAI's SDKs raise \`${raisedBy(status)}\` ${retried ? 'after two automatic retries' : 'immediately, without a retry'}.`;
  const first: readonly Section[] = [
    ['Cause', meaning],
    ['What to do', remedy],
  ];
  const later: readonly Section[] = [
    ['How to check', check],
    ['What an SDK raises', raised],
  ];
  const listed = answering.map((name) => {
    const summary = escapeHtml(contract[name].summary);
    return hasReference ? `<a href="../reference/${name}">${summary}</a>` : summary;
  });
  const html = [
    `<h1><code>${code}</code></h1>`,
    `<p class="status">Status ${status}, type <code>${type}</code>. ${inline(message)}</p>`,
    ...first.map(toHtml),
    ...(guide && hasReference ? [`<p>See <a href="../guides/${guide[0]}">${escapeHtml(guide[1])}</a>.</p>`] : []),
    `<h2 id="example">Example</h2>${painter.paint(body, 'json')}`,
    ...later.map(toHtml),
    `<h2 id="what-you-may-see">What you may see</h2><ul>${seen.map((words) => `<li>${escapeHtml(words)}</li>`).join('')}</ul>`,
    `<h2 id="operations">Operations</h2>${listed.length === 0 ? '<p>Any URL, or only URLs of the admin API.</p>' : `<ul>${listed.map((link) => `<li>${link}</li>`).join('')}</ul>`}`,
  ];
  const titles = [...first.map(([title]) => title), 'Example', ...later.map(([title]) => title), 'What you may see', 'Operations'];
  return {
    path: `errors/${code}`,
    title: code,
    description: `${status}: ${message}`,
    kind: 'error',
    html: html.join('\n'),
    markdown: [
      `# ${code}`,
      `Status ${status}, type \`${type}\`. ${message}`,
      ...first.map(toMarkdown),
      ...(guide && hasReference ? [`See [${guide[1]}](../guides/${guide[0]}.md).`] : []),
      `## Example\n\n\`\`\`json\n${body}\n\`\`\``,
      ...later.map(toMarkdown),
      `## What you may see\n\n${seen.map((words) => `- ${words}`).join('\n')}`,
      `## Operations\n\n${answering.map((name) => `- ${contract[name].summary} (\`${name}\`)`).join('\n') || 'Any URL, or only URLs of the admin API.'}\n`,
    ].join('\n\n'),
    headings: titles.map((text) => ({ id: idOf(text), text, level: 2 })),
    entries: [
      {
        title: code,
        text: `${status} ${type} ${message} ${meaning} ${check} ${remedy}`,
        passage: meaning,
        kind: 'error',
        seen: [...seen, String(status)],
        messages: [...seen.filter(isSentence), message.replace(/\.$/, '')],
      },
    ],
  };
}

/** Shorter phrases are words of many queries. */
const isSentence = (words: string): boolean => (/^[A-Z]|…/.test(words) && words.includes(' ')) || words.split(' ').length > 3;

type Section = readonly [title: string, text: string];
const toHtml = ([title, text]: Section): string => `<h2 id="${idOf(title)}">${title}</h2><p>${inline(text)}</p>`;
const toMarkdown = ([title, text]: Section): string => `## ${title}\n\n${text}`;

const idOf = (title: string): string => title.toLowerCase().replaceAll(' ', '-');
