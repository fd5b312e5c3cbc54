/** Makes pages from the Markdown files of the repository, and lists where each one is on the site. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { errorTable } from '../../../contract/errors.ts';
import { plainText } from '../html.ts';
import type { Painter } from '../markdown/code.ts';
import type { Artist } from '../markdown/diagram.ts';
import { addressOf, repository, type Target, targetOf } from '../markdown/links.ts';
import { renderMarkdown } from '../markdown/render.ts';
import { type Entry, type Heading, type Kind, linkTo, type Page } from '../page.ts';

interface Source {
  /** Defaults to the first heading. */
  readonly title?: string;
  readonly source: string;
  readonly path: string;
  readonly kind: Kind;
}

const names = (folder: string): readonly string[] =>
  readdirSync(join(repository, folder))
    .filter((name) => name.endsWith('.md'))
    .toSorted();

const errors = 'docs/generated/errors.md';
/** Pages that list everything of one kind. */
const references: readonly Source[] = ['configuration', 'commands', 'metrics', 'tools'].map((name) => ({
  source: `docs/generated/${name}.md`,
  path: `reference/${name}`,
  kind: 'reference',
}));
/** A page of the concepts that operators need like a guide. */
const scale = 'docs/scale.md';
const concepts = ['docs', 'docs/generated']
  .flatMap((folder) => names(folder).map((name) => `${folder}/${name}`))
  .filter((source) => source !== errors && source !== scale && !references.some((reference) => reference.source === source));

export const sources: readonly Source[] = [
  ...names('docs/guides').map((name): Source => ({ source: `docs/guides/${name}`, path: `guides/${base(name)}`, kind: 'guide' })),
  { source: 'client/sdk/README.md', path: 'client/README', kind: 'guide' },
  { source: scale, path: 'concepts/scale', kind: 'guide' },
  ...references,
  ...concepts.map((source): Source => ({ source, path: `concepts/${base(basename(source))}`, kind: 'concept' })),
  { source: errors, path: 'errors/index', kind: 'concept' },
  { source: 'README.md', path: 'readme', kind: 'guide', title: 'Overview' },
  { source: 'CHANGELOG.md', path: 'changelog', kind: 'changelog' },
  ...names('docs/decisions').map(
    (name): Source => ({
      source: `docs/decisions/${name}`,
      path: `decisions/${name === 'README.md' ? 'index' : base(name)}`,
      kind: 'decision',
    }),
  ),
];

function base(name: string): string {
  return name.slice(0, -3);
}

const pathBySource = new Map(sources.map(({ source, path }) => [source, path] as const));
const known: ReadonlySet<string> = new Set(pathBySource.keys());

export interface DocumentOrder {
  readonly painter: Painter;
  readonly artist: Artist;
  /** Published files that the pages link to. `documentPage` adds to the set. */
  readonly files: Set<string>;
  /** Broken links. The build fails if there are any. */
  readonly faults: string[];
}

export const documentPages = (order: DocumentOrder): Page[] => sources.map((source) => documentPage(source, order));

export function documentPage({ source, path, kind, title: given }: Source, { painter, artist, files, faults }: DocumentOrder): Page {
  const text = readFileSync(join(repository, source), 'utf8');
  const resolve = (href: string): string | null => hrefOf(targetOf(href, source, known), { href, path, source, files, faults });
  const { html, headings } = renderMarkdown(text, { painter, artist, resolve });
  const heading = headings.find(({ level }) => level === 1)?.text ?? '';
  const title = given ?? (heading || base(source));
  const sections = sectionsIn(html);
  // Some pages, such as decisions, begin with a section.
  const lead = sections[0]?.text.slice(heading.length).trim() || sections.find(({ prose }) => prose !== '')?.prose.trim();
  const description = lead?.split(/(?<=\.)\s/)[0] ?? '';
  return {
    path,
    title,
    description: description.slice(0, 200),
    kind,
    html: withoutComments(path === 'errors/index' ? linkCodes(html) : html),
    markdown: withLinks(withoutComments(text), (href) => markdownHref(resolve(href))),
    source,
    headings: listMenuHeadings(headings),
    entries: [...sections.map((section, index) => entryOf(section, { title, kind, isFirst: index === 0 })), ...variablesIn(html)],
  };
}

/** A menu of more headings than this is no help. */
const MAX_HEADINGS = 60;

function listMenuHeadings(headings: readonly Heading[]): readonly Heading[] {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  return shown.length > MAX_HEADINGS ? shown.filter(({ level }) => level === 2) : shown;
}

/** Links each code in the error tables to its page. */
const linkCodes = (html: string): string =>
  html.replace(/<td><code>(\w+)<\/code><\/td>/g, (cell, code: string) =>
    Object.hasOwn(errorTable, code) ? `<td><a href="${code}"><code>${code}</code></a></td>` : cell,
  );

const withoutComments = (text: string): string => text.replace(/<!--.*?-->\n*/gs, '');

/** Rewrites the links of Markdown text. If `resolve` returns null, only the link's text remains. Code stays unchanged. */
const withLinks = (text: string, resolve: (href: string) => string | null): string =>
  text.replace(
    /(?:^|\n)```.*?\n```|`[^`\n]*`|(!?)\[([^\]\n]*(?:\n[^\]\n]+)?)\]\(([^()\s]+)\)/gs,
    (all, mark: string, words: string, href?: string) => {
      if (href === undefined) return all;
      const to = resolve(href);
      return to === null ? words : `${mark}[${words}](${to})`;
    },
  );

/** Turns a link to a page into a link to its Markdown version. */
const markdownHref = (href: string | null): string | null =>
  href === null || /^[a-z]+:|^[#/]|files\//i.test(href) ? href : href.replace(/(?=#|$)/, '.md');

interface LinkOrder {
  readonly href: string;
  readonly path: string;
  readonly source: string;
  readonly files: Set<string>;
  readonly faults: string[];
}

function hrefOf(target: Target, { href, path, source, files, faults }: LinkOrder): string | null {
  switch (target.type) {
    case 'page':
      return linkTo(path, pathBySource.get(target.source) ?? 'index', target.anchor);
    case 'file':
      files.add(target.file);
      return linkTo(path, addressOf(target.file));
    case 'elsewhere':
      return href;
    case 'code':
      return null;
    case 'broken':
      faults.push(`${source}: ${href} leads nowhere`);
      return null;
  }
}

interface Section {
  readonly anchor: string;
  readonly title: string;
  readonly text: string;
  /** The sentences of the text, without code blocks and tables, or the text if it has none. */
  readonly prose: string;
  /** Readers' words for the section, from a comment below the heading: `<!-- search: budget, quota -->`. */
  readonly keywords: readonly string[];
}

/** Returns the text below each heading. */
function sectionsIn(html: string): readonly Section[] {
  const parts = html.split(/(?=<h[1-3] id=")/);
  return parts.flatMap((part) => {
    const found = /^<h[1-3] id="([^"]*)">(.*?)<\/h[1-3]>/s.exec(part);
    if (found === null) return [];
    const content = part.slice(found[0].length);
    const prose = plainText(content.replace(/<(pre|table).*?<\/\1>/gs, '')) || plainText(content);
    const keywords = [...part.matchAll(/<!-- search: (.*?) -->/g)].flatMap(([, words = '']) => words.split(', '));
    return [{ anchor: found[1] ?? '', title: plainText(found[2] ?? ''), text: plainText(part), prose, keywords }];
  });
}

/** Returns a search entry for each table row that starts with an environment variable. */
function variablesIn(html: string): readonly Entry[] {
  const parts = html.split(/(?=<h[1-3] id=")/);
  return parts.flatMap((part) => {
    const anchor = /^<h[1-3] id="([^"]*)"/.exec(part)?.[1] ?? '';
    const rows = [...part.matchAll(/<tr>\s*<td><code>([A-Z][A-Z0-9_]+)<\/code><\/td>(.*?)<\/tr>/gs)];
    return rows.map(
      ([, name = '', rest = '']): Entry => ({
        anchor,
        title: name,
        text: plainText(rest),
        kind: 'guide',
        seen: [name.replaceAll('_', ' ')],
      }),
    );
  });
}

interface EntryOrder {
  readonly title: string;
  readonly kind: Kind;
  readonly isFirst: boolean;
}

const entryOf = (section: Section, { title, kind, isFirst }: EntryOrder): Entry => ({
  ...(isFirst ? {} : { anchor: section.anchor }),
  title: isFirst ? title : `${section.title} (${title})`,
  text: section.text,
  passage: section.prose,
  kind,
  seen: section.keywords,
});
