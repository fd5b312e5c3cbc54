/** Writes the home page of the operators' reference. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { escapeHtml } from '../html.ts';
import { repository } from '../markdown/links.ts';
import { renderMarkdown } from '../markdown/render.ts';
import { linkTo, type Page } from '../page.ts';
import type { Document } from '../reference/document.ts';
import type { DocumentOrder } from './documents.ts';

export function operatorsHome(
  document: Document,
  operations: readonly Page[],
  { painter, artist }: Pick<DocumentOrder, 'painter' | 'artist'>,
): Page {
  const text = readFileSync(join(repository, 'docs/generate/openapi/admin-introduction.md'), 'utf8');
  const { html, headings } = renderMarkdown(text, { painter, artist, resolve: (href) => href });
  const operationsIn = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const lists = document.tags.map(({ name, description }) => {
    const own = operationsIn
      .filter(({ tags }) => tags.includes(name))
      .map(({ operationId }) => operations.find(({ path }) => path.endsWith(`/${operationId}`)));
    const links = own.flatMap((page) =>
      page === undefined ? [] : [`<li><a href="${linkTo('index', page.path)}">${escapeHtml(page.title)}</a></li>`],
    );
    return `<h3 id="${name.toLowerCase()}">${escapeHtml(name)}</h3><p>${escapeHtml(description)}</p><ul class="columns">${links.join('')}</ul>`;
  });
  return {
    path: 'index',
    title: "The operators' API",
    description: 'Keys, accounts, money, limits, and upstreams, for operators.',
    kind: 'home',
    html: `<h1>The operators' API</h1>${html}<h2 id="operations">Operations</h2>${lists.join('')}`,
    markdown: `# The operators' API\n\n${text}`,
    headings: headings.filter(({ level }) => level === 2),
    entries: [{ title: "The operators' API", text, kind: 'home' }],
  };
}
