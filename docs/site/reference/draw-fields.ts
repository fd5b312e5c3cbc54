/** Writes fields as HTML and as Markdown. In HTML, nested fields are collapsed; the browser's search and links to a field expand them. */
import { escapeHtml, inline } from '../html.ts';
import type { Field, Form } from './fields.ts';

/** `scope` is the prefix of the fields' anchors, such as `createResponse`. */
export const drawFields = (fields: readonly Field[], scope: string): string =>
  fields.length === 0 ? '' : `<ul class="fields">${fields.map((field) => drawField(field, scope)).join('')}</ul>`;

export const anchorOf = (scope: string, path: string): string => `${scope}.${path}`.replace(/[^\w.-]+/g, '-');

function drawField(field: Field, scope: string): string {
  const id = anchorOf(scope, field.path);
  const notes = [
    ...(field.isRequired ? ['<span class="required">required</span>'] : []),
    ...(field.isDeprecated ? ['<span class="deprecated">deprecated</span>'] : []),
    ...field.limits.map((limit) => `<span>${escapeHtml(limit)}</span>`),
  ];
  const about = ` <span class="type">${escapeHtml(field.type)}</span>${notes.map((note) => ` ${note}`).join('')}`;
  const inner = `${drawRest(field, scope)}${field.forms.map((form) => drawForm(form, scope)).join('')}`;
  const name = `<code>${escapeHtml(field.name)}</code>`;
  if (field.fields.length + field.forms.length === 0) {
    const text = field.description === '' ? '' : `<p>${inline(field.description)}</p>`;
    return `<li id="${id}"><p class="field"><a href="#${id}">${name}</a>${about}</p>${text}${inner}</li>`;
  }
  const [opening, rest] = firstSentence(field.description);
  return [
    `<li id="${id}"><details class="fold"><summary><span class="field">${name}${about}</span> <span class="opening">${inline(opening)}</span></summary>`,
    rest === '' ? '' : `<p>${inline(rest)}</p>`,
    `${inner}<p class="above"><a href="#${id}">Link to <code>${escapeHtml(field.path)}</code></a></p></details></li>`,
  ].join('');
}

function drawForm(form: Form, scope: string): string {
  const id = anchorOf(scope, form.path);
  const [opening, rest] = firstSentence(form.description);
  const name = `<span class="form-name">${escapeHtml(form.name)}</span>${opening === '' ? '' : `: ${inline(opening)}`}`;
  const body = `${rest === '' ? '' : `<p>${inline(rest)}</p>`}${drawRest(form, scope)}`;
  return form.fields.length > 0
    ? `<details class="form fold" id="${id}"><summary>${name}</summary>${body}</details>`
    : `<div class="form" id="${id}"><p>${name}</p>${body}</div>`;
}

/** Splits a text after its first sentence. A leading `Optional.` doesn't count as a sentence. */
function firstSentence(text: string): readonly [opening: string, rest: string] {
  const opening = /^(?:Optional\. )?.*?[.!?](?=\s+[\p{Lu}`'"]|$)/su.exec(text)?.[0] ?? text;
  return [opening, text.slice(opening.length).trim()];
}

const drawRest = ({ fields, shownAt }: { readonly fields: readonly Field[]; readonly shownAt?: string }, scope: string): string =>
  shownAt === undefined
    ? drawFields(fields, scope)
    : `<p class="above">Its fields: <a href="#${anchorOf(scope, shownAt)}"><code>${escapeHtml(shownAt)}</code></a>.</p>`;

export function writeFields(fields: readonly Field[], depth = 0): string {
  const indent = '  '.repeat(depth);
  return fields
    .map(({ name, type, isRequired, limits, description, fields: inner, forms }) => {
      const about = [type, ...(isRequired ? ['required'] : []), ...limits].join(', ');
      const parts = forms.map((form) => `${indent}  - ${form.name}\n${writeFields(form.fields, depth + 2)}`);
      return `${indent}- \`${name}\` (${about}): ${description}\n${writeFields(inner, depth + 1)}${parts.join('')}`;
    })
    .join('');
}

/** Returns all fields, including nested ones. */
export const flatFields = (fields: readonly Field[]): readonly Field[] =>
  fields.flatMap((field) => [field, ...flatFields(field.fields), ...field.forms.flatMap((form) => flatFields(form.fields))]);
