/** Writes the 404 page. It lists all pages, and the gateway keeps only those closest to the requested URL. */
import { escapeHtml } from '../html.ts';
import type { Page } from '../page.ts';

export const MISSING = '404';

export function missingPage(pages: readonly Page[]): Page {
  const links = pages
    .map(({ path, title }) => ({ title, to: path.replace(/(^|\/)index$/, '$1') || './' }))
    .map(({ title, to }) => `<li><a href="${to}">${escapeHtml(title)}</a></li>`);
  return {
    path: MISSING,
    title: 'Page not found',
    description: 'Page not found.',
    kind: 'home',
    html: [
      '<h1>Page not found</h1><p class="lead">The address may be mistyped, or the page was renamed.</p>',
      '<p>Search for it at the top of this page (press <kbd>/</kbd>), go to the <a href="./">first page</a>, or try one of these:</p>',
      `<ul class="nearest"><!-- pages -->${links.join('')}<!-- /pages --></ul>`,
    ].join('\n'),
    markdown: '',
    headings: [],
    entries: [],
  };
}
