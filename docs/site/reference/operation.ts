/** Writes the page of one operation: purpose, samples, headers, fields, responses, and errors. */

import { escapeHtml, inline, slugOf } from '../html.ts';
import type { Painter } from '../markdown/code.ts';
import type { Entry, Heading, Page } from '../page.ts';
import { type Document, type Example, exampleOf, headerOf, type Media, type Operation, type Parameter } from './document.ts';
import { anchorOf, drawFields, flatFields, writeFields } from './draw-fields.ts';
import { type Field, Fields } from './fields.ts';
import { groupsOf } from './groups.ts';
import { drawSamples } from './samples.ts';

export interface OperationOrder {
  readonly document: Document;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  readonly painter: Painter;
  /** Whether the site has pages for error codes. */
  readonly hasErrorPages: boolean;
}

/** Collects the HTML and Markdown of a page, and its headings. */
class Sheet {
  readonly html: string[] = [];
  readonly markdown: string[] = [];
  readonly headings: Heading[] = [];

  heading(text: string, level = 2): void {
    const id = slugOf(text);
    this.headings.push({ id, text, level });
    this.html.push(`<h${level} id="${id}">${escapeHtml(text)}</h${level}>`);
    this.markdown.push(`${'#'.repeat(level)} ${text}\n`);
  }

  add(html: string, markdown: string): void {
    this.html.push(html);
    this.markdown.push(markdown);
  }
}

export function operationPage(order: OperationOrder): Page {
  const { operation, method, path } = order;
  const sheet = new Sheet();
  const address = `${method.toUpperCase()} ${path}`;
  sheet.add(
    `<p class="address"><code>${escapeHtml(address)}</code></p><p>${inline(operation.description ?? '')}</p>`,
    `\`${address}\`\n\n${operation.description ?? ''}\n`,
  );
  addSamples(sheet, order);
  addParameters(sheet, order);
  const fields = addBody(sheet, order);
  addAnswers(sheet, order);
  addErrors(sheet, order);
  return {
    path: `reference/${operation.operationId}`,
    title: operation.summary,
    description: `${address}. ${operation.description ?? ''}`.trim(),
    kind: 'operation',
    html: `<h1>${escapeHtml(operation.summary)}</h1>${sheet.html.join('\n')}`,
    markdown: `# ${operation.summary}\n\n${sheet.markdown.join('\n')}`,
    headings: sheet.headings,
    entries: [
      {
        title: `${operation.summary} (${operation.operationId})`,
        text: `${address} ${operation.description ?? ''}`,
        kind: 'operation',
        seen: [path, ...(operation['x-codeSamples'] ?? []).map(({ label }) => `${label} example`)],
      },
      ...fields.map((field): Entry => fieldEntry(field, operation)),
    ],
  };
}

const fieldEntry = ({ path, name, description, type }: Field, { operationId, summary }: Operation): Entry => ({
  anchor: anchorOf(operationId, path),
  title: `${path} (${summary})`,
  text: `${name} ${type} ${description}`,
  passage: description,
  kind: 'field',
});

function addSamples(sheet: Sheet, { operation, painter }: OperationOrder): void {
  const samples = operation['x-codeSamples'] ?? [];
  if (samples.length === 0) return;
  sheet.heading('Samples');
  sheet.add(
    drawSamples(samples, painter),
    samples.map(({ label, lang, source }) => `${label}:\n\n\`\`\`${lang}\n${source}\n\`\`\`\n`).join('\n'),
  );
}

function addParameters(sheet: Sheet, { document, operation }: OperationOrder): void {
  const parameters = operation.parameters ?? [];
  if (parameters.length === 0) return;
  sheet.heading('Path, query, and headers');
  const walker = new Fields(document);
  const asField = ({ name, required, description = '', schema, in: place }: Parameter): Field => ({
    name,
    path: `${place}.${name}`,
    type: `${walker.typeOf(schema)}, ${place}`,
    isRequired: required === true,
    description,
    isDeprecated: false,
    limits: [],
    fields: [],
    forms: [],
  });
  const fields = parameters.map(asField);
  sheet.add(drawFields(fields, operation.operationId), writeFields(fields));
}

/** Returns all fields of the body, for the search index. */
function addBody(sheet: Sheet, { document, operation, painter }: OperationOrder): readonly Field[] {
  const [[type, media] = []] = Object.entries(operation.requestBody?.content ?? {});
  if (type === undefined || media?.schema === undefined) return [];
  const top = new Fields(document).of(media.schema, '');
  const byName = new Map(top.map((field) => [field.name, field]));
  sheet.heading('Request body');
  if (type !== 'application/json') sheet.add(`<p>Sent as <code>${escapeHtml(type)}</code>.</p>`, `Sent as \`${type}\`.\n`);
  for (const { title, names } of groupsOf(operation.operationId, [...byName.keys()])) {
    const fields = names.flatMap((name) => byName.get(name) ?? []);
    if (title !== 'Fields') sheet.heading(title, 3);
    sheet.add(drawFields(fields, operation.operationId), writeFields(fields));
  }
  addExamples(sheet, { document, media, painter, title: 'Request examples' });
  return flatFields(top);
}

interface ExampleOrder {
  readonly document: Document;
  readonly media: Media;
  readonly painter: Painter;
  readonly title: string;
}

function addExamples(sheet: Sheet, { document, media, painter, title }: ExampleOrder): void {
  const examples = Object.values(media.examples ?? {}).map((example) => exampleOf(document, example));
  if (examples.length === 0) return;
  sheet.heading(title, 3);
  for (const example of examples) {
    const [code, language] = textOf(example);
    sheet.add(
      fold(inline(example.summary ?? 'Example'), painter.paint(code, language)),
      `${example.summary ?? 'Example'}:\n\n\`\`\`${language}\n${code}\n\`\`\`\n`,
    );
  }
}

/** Streams are already text; other examples become JSON. */
const textOf = ({ value }: Example): [code: string, language: string] =>
  typeof value === 'string' ? [value, 'text'] : [JSON.stringify(value, null, 2), 'json'];

/** Maximum number of fields of an expanded response. Longer responses are collapsed, so that the request stays in view. */
const MAX_OPEN = 6;
const fold = (title: string, html: string): string => `<details class="example"><summary>${title}</summary>${html}</details>`;

function addAnswers(sheet: Sheet, { document, operation, painter }: OperationOrder): void {
  for (const [status, answer] of Object.entries(operation.responses).filter(([code]) => code.startsWith('2'))) {
    sheet.heading(`Response ${status}`);
    sheet.add(`<p>${inline(answer.description)}</p>`, `${answer.description}\n`);
    for (const [type, media] of Object.entries(answer.content ?? {})) {
      const isStream = type === 'text/event-stream';
      if (media.schema !== undefined && !isStream) {
        const walker = new Fields(document);
        const fields = walker.of(media.schema, `answer${status}`);
        const html = drawFields(fields, operation.operationId);
        const title = `<code>${escapeHtml(walker.typeOf(media.schema))}</code>, ${fields.length} fields`;
        sheet.add(fields.length > MAX_OPEN ? fold(title, html) : html, writeFields(fields));
      }
      addExamples(sheet, { document, media, painter, title: isStream ? 'Stream example' : 'Response examples' });
    }
    const headers = Object.entries(answer.headers ?? {});
    if (headers.length === 0) continue;
    sheet.heading('Response headers', 3);
    const rows = headers.map(([name, header]) => [name, headerOf(document, header)] as const);
    const list = rows.map(([name, text]) => `<dt><code>${escapeHtml(name)}</code></dt><dd>${inline(text)}</dd>`);
    sheet.add(
      fold(`${rows.length} headers`, `<dl class="headers">${list.join('')}</dl>`),
      rows.map(([name, text]) => `- \`${name}\`: ${text}\n`).join(''),
    );
  }
}

/** Error statuses that every caller should know, listed first. */
const first = ['400', '401', '403', '429', '503'];

function addErrors(sheet: Sheet, { document, operation, hasErrorPages }: OperationOrder): void {
  const failures = Object.entries(operation.responses)
    .filter(([code]) => !code.startsWith('2'))
    .toSorted(([one], [other]) => rank(one) - rank(other) || Number(one) - Number(other));
  if (failures.length === 0) return;
  sheet.heading('Errors');
  const rows = failures.map(([status, answer]) => {
    const codes = Object.values(answer.content ?? {}).flatMap(({ examples = {} }) =>
      Object.values(examples).flatMap((example) => codeIn(exampleOf(document, example)) ?? []),
    );
    return { status, description: answer.description, codes: [...new Set(codes)] };
  });
  const link = (code: string): string => (hasErrorPages ? `<a href="../errors/${code}"><code>${code}</code></a>` : `<code>${code}</code>`);
  sheet.add(
    `<dl class="errors">${rows
      .map(({ status, description, codes }) => `<dt>${status}</dt><dd>${inline(description)} ${codes.map(link).join(', ')}</dd>`)
      .join('')}</dl>`,
    rows.map(({ status, description, codes }) => `- ${status}: ${description} ${codes.map((code) => `\`${code}\``).join(', ')}\n`).join(''),
  );
}

const rank = (status: string): number => (first.includes(status) ? 0 : 1);

/** Reads the error code from an example body. */
function codeIn({ value }: Example): string | undefined {
  const code = (value as { readonly error?: { readonly code?: unknown } } | undefined)?.error?.code;
  return typeof code === 'string' ? code : undefined;
}
