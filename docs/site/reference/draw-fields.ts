/** Fields as HTML and as Markdown: everything is there without opening anything. */
import { escapeHtml, inline } from '../html.ts';
import type { Field, Form } from './fields.ts';

/** `scope`: what the anchors of these fields begin with, such as `createResponse`. */
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
  return [
    `<li id="${id}"><p class="field"><a href="#${id}"><code>${escapeHtml(field.name)}</code></a> <span class="type">${escapeHtml(field.type)}</span>`,
    `${notes.map((note) => ` ${note}`).join('')}</p>`,
    field.description === '' ? '' : `<p>${inline(field.description)}</p>`,
    drawRest(field, scope),
    field.forms.map((form) => drawForm(form, scope)).join(''),
    '</li>',
  ].join('');
}

const drawForm = (form: Form, scope: string): string =>
  `<div class="form" id="${anchorOf(scope, form.path)}"><p class="form-name">${escapeHtml(form.name)}${form.description === '' ? '' : `: ${inline(form.description)}`}</p>${drawRest(form, scope)}</div>`;

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

/** All of them, also those inside others, with their anchors. */
export const flatFields = (fields: readonly Field[]): readonly Field[] =>
  fields.flatMap((field) => [field, ...flatFields(field.fields), ...field.forms.flatMap((form) => flatFields(form.fields))]);
