/** Writes each page as Markdown, plus `llms.txt` (a list of pages) and `llms-full.txt` (all texts). */
import type { Section } from '../navigation.ts';
import type { Page } from '../page.ts';

export type Files = ReadonlyMap<string, string>;

export function textFiles(
  pages: readonly Page[],
  { name, sections }: { readonly name: string; readonly sections: readonly Section[] },
): Files {
  const byPath = new Map(pages.map((page) => [page.path, page] as const));
  const lines = sections.map(({ title, paths }) => `## ${title}\n\n${paths.map((path) => lineOf(byPath.get(path))).join('')}`);
  const home = byPath.get('index');
  const ordered = ['index', ...sections.filter(({ isForContributors }) => !isForContributors).flatMap(({ paths }) => paths)].flatMap(
    (path) => byPath.get(path) ?? [],
  );
  return new Map([
    ...pages.map(({ path, markdown }) => [`${path}.md`, markdown] as const),
    ['llms.txt', `# ${name}\n\n> ${home?.description ?? ''}\n\n${lines.join('\n')}`],
    ['llms-full.txt', ordered.map(({ path, markdown }) => `<!-- ${path} -->\n\n${markdown}`).join('\n\n')],
  ]);
}

const lineOf = (page: Page | undefined): string => (page === undefined ? '' : `- [${page.title}](${page.path}.md): ${page.description}\n`);

/** Written only if the URL of the published site is known, because a sitemap needs absolute URLs. */
export const sitemap = (pages: readonly Page[], site: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${pages
    .map(({ path }) => `<url><loc>${site}${path === 'index' ? '' : path}</loc></url>`)
    .join('\n')}\n</urlset>\n`;
