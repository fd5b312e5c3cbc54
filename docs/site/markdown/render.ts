/** Renders Markdown as HTML: headings with IDs, highlighted code, scrollable tables, and links to pages of the site. */
import MarkdownIt, { type Token } from 'markdown-it';
import { escapeHtml, slugOf } from '../html.ts';
import type { Heading } from '../page.ts';
import type { Painter } from './code.ts';
import type { Artist } from './diagram.ts';

export interface Rendered {
  readonly html: string;
  readonly headings: readonly Heading[];
}

/** Returns null if the link should become plain text. */
export type ResolveLink = (href: string) => string | null;

export interface RenderOptions {
  readonly painter: Painter;
  readonly artist: Artist;
  readonly resolve: ResolveLink;
  /** IDs that the page already uses. */
  readonly taken?: ReadonlySet<string>;
}

export function renderMarkdown(text: string, { painter, artist, resolve, taken = new Set() }: RenderOptions): Rendered {
  const parser = new MarkdownIt({ html: true, linkify: false });
  const tokens = parser.parse(withoutComments(text), {});
  const headings = nameHeadings(tokens, new Set(taken));
  for (const token of tokens) if (token.type === 'inline') linkInline(token.children ?? [], resolve);
  parser.renderer.rules.fence = (all, index) => {
    const token = all[index];
    const [language = ''] = (token?.info ?? '').split(/\s/);
    if (language === 'mermaid') return artist.draw(token?.content ?? '', `Diagram: ${headingBefore(all, index)}`);
    return painter.paint(token?.content ?? '', language);
  };
  nameTables(tokens);
  parser.renderer.rules.table_open = (all, index) =>
    `<div class="table" role="region" tabindex="0" aria-label="${escapeHtml(String(all[index]?.meta?.label ?? 'Table'))}"><table>`;
  parser.renderer.rules.table_close = () => '</table></div>';
  return { html: parser.renderer.render(tokens, parser.options, {}), headings };
}

const headingBefore = (tokens: readonly Token[], index: number): string =>
  textOf(tokens[tokens.slice(0, index).findLastIndex(({ type }) => type === 'heading_open') + 1]);

/** Keeps the search terms that comments list below a heading. */
const withoutComments = (text: string): string => text.replace(/<!--(?! search: ).*?-->\n*/gs, '');

function nameHeadings(tokens: readonly Token[], taken: Set<string>): Heading[] {
  const headings: Heading[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const text = textOf(tokens[index + 1]);
    const id = freeId(slugOf(text), taken);
    token.attrSet('id', id);
    headings.push({ id, text, level: Number(token.tag.slice(1)) });
  }
  return headings;
}

/** Numbers duplicate IDs the way GitHub does: the second one ends with `-1`. */
function freeId(slug: string, taken: Set<string>): string {
  let id = slug;
  for (let number = 1; taken.has(id); number++) id = `${slug}-${number}`;
  taken.add(id);
  return id;
}

const textOf = (token: Token | undefined): string =>
  (token?.children ?? [])
    .filter(({ type }) => type === 'text' || type === 'code_inline')
    .map(({ content }) => content)
    .join('');

/** Labels each table with the heading above it, plus a number if that heading has several tables. */
function nameTables(tokens: readonly Token[]): void {
  let heading = 'Table';
  const seen = new Map<string, number>();
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') heading = textOf(tokens[index + 1]);
    if (token.type !== 'table_open') continue;
    const number = (seen.get(heading) ?? 0) + 1;
    seen.set(heading, number);
    token.meta = { label: number === 1 ? `Table: ${heading}` : `Table ${number}: ${heading}` };
  }
}

/** Resolves links. Links to files that aren't on the site become plain text. */
function linkInline(tokens: readonly Token[], resolve: ResolveLink): void {
  const dropped: boolean[] = [];
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const href = resolve(String(token.attrGet('href') ?? ''));
      dropped.push(href === null);
      if (href === null) token.tag = 'span';
      if (href === null) token.attrs = null;
      else token.attrSet('href', href);
    }
    if (token.type === 'link_close' && dropped.pop() === true) token.tag = 'span';
    if (token.type === 'image') token.attrSet('src', resolve(String(token.attrGet('src') ?? '')) ?? '');
  }
}
