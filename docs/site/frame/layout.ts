/** The layout around each page: head, search, menu, table of contents, and a link to the page as Markdown. */
import { escapeHtml } from '../html.ts';
import type { Section } from '../navigation.ts';
import { linkTo, type Page, rootFrom } from '../page.ts';

export interface Frame {
  /** Name of the site, used as the suffix of page titles. */
  readonly name: string;
  readonly version: string;
  readonly sections: readonly Section[];
  readonly pages: ReadonlyMap<string, Page>;
  /** Paths of the assets, with the content hash in each name. */
  readonly assets: { readonly css: string; readonly script: string; readonly icon: string; readonly font: string };
  /** URL where the site is published, with a trailing slash. */
  readonly site?: string;
}

export function drawPage(page: Page, frame: Frame): string {
  const { path, title, description, html } = page;
  const root = rootFrom(path);
  const { css, script, icon, font } = frame.assets;
  const full = path === 'index' ? frame.name : `${title} · ${frame.name}`;
  return `<!doctype html>
<html lang="en" data-root="${root === '' ? './' : root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(full)}</title>
<meta name="description" content="${escapeHtml(description)}">
<meta name="color-scheme" content="light dark">
${frame.site === undefined ? '' : `<link rel="canonical" href="${escapeHtml(frame.site + (path === 'index' ? '' : path))}">\n`}<link rel="icon" href="${root}${icon}" type="image/svg+xml">
<link rel="preload" href="${root}${font}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${root}${css}">
${page.markdown === '' ? '' : `<link rel="alternate" type="text/markdown" href="${linkTo(path, `${path}.md`)}">\n`}<script type="module" src="${root}${script}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header><a class="brand" href="${linkTo(path, 'index')}">${escapeHtml(frame.name)}</a>
<button type="button" class="to-menu" popovertarget="menu">Pages</button>
<form class="search" role="search" hidden><label><span class="hidden">Search</span><input type="search" placeholder="Search, or paste an error" autocomplete="off" spellcheck="false" aria-controls="hits"></label><kbd>/</kbd>
<div id="hits" class="hits" role="region" aria-label="Search results" hidden></div></form></header>
<div class="columns-of-page">
<nav class="menu" id="menu" aria-label="Pages" popover>${drawMenu(page, frame)}</nav>
<main id="content" tabindex="-1">${drawContentsInPage(page)}${html}
<footer><p>Modelgate ${escapeHtml(frame.version)}${page.markdown === '' ? '' : ` · <a href="${linkTo(path, `${path}.md`)}">This page as Markdown</a>`}</p></footer></main>
${drawContents(page)}
</div>
</body>
</html>
`;
}

/** Pages for contributors have a menu of their own. Each menu starts or ends with a link to the other. */
function drawMenu(page: Page, { sections, pages }: Frame): string {
  const contributors = sections.filter(({ isForContributors = false }) => isForContributors);
  const isContributor = contributors.some(({ paths }) => paths.includes(page.path));
  const shown = sections.filter(({ isForContributors = false }) => isForContributors === isContributor);
  const [first] = contributors.flatMap(({ paths }) => paths);
  const menu = shown.map((section) => drawSection(section, page, pages)).join('');
  if (first === undefined) return menu;
  return isContributor ? drawSwitch('Documentation', 'index', page) + menu : menu + drawSwitch('For contributors', first, page);
}

const drawSwitch = (title: string, to: string, { path }: Page): string =>
  `<p class="section"><a href="${linkTo(path, to)}">${escapeHtml(title)}</a></p>`;

function drawSection({ title, paths, isFolded }: Section, page: Page, pages: Frame['pages']): string {
  const isHere = paths.includes(page.path) || (isFolded === true && page.path.split('/')[0] === paths[0]?.split('/')[0]);
  const [first] = paths;
  if (isFolded === true && !isHere && first !== undefined) {
    const index = `${first.split('/')[0]}/index`;
    return drawSwitch(title, pages.has(index) ? index : first, page);
  }
  return `<p class="section">${escapeHtml(title)}</p><ul>${paths.map((path) => drawLink(path, page, pages)).join('')}</ul>`;
}

function drawLink(path: string, page: Page, pages: ReadonlyMap<string, Page>): string {
  const current = path === page.path ? ' aria-current="page"' : '';
  return `<li><a href="${linkTo(page.path, path)}"${current}>${escapeHtml(pages.get(path)?.title ?? path)}</a></li>`;
}

/** The table of contents beside the page, for wide screens. */
function drawContents(page: Page): string {
  const list = drawHeadings(page);
  return list === '' ? '' : `<nav class="contents" aria-label="On this page"><p>On this page</p>${list}</nav>`;
}

/** The table of contents at the top of the page, for narrow screens. */
function drawContentsInPage(page: Page): string {
  const list = drawHeadings(page);
  return list === ''
    ? ''
    : `<nav class="contents-in-page" aria-label="On this page"><details><summary>On this page</summary>${list}</details></nav>`;
}

function drawHeadings({ headings }: Page): string {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 2) return '';
  return `<ul>${shown.map(({ id, text, level }) => `<li class="level${level}"><a href="#${id}">${escapeHtml(text)}</a></li>`).join('')}</ul>`;
}
