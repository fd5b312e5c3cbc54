/** The documentation as a whole: what is searched is found, every field is there, and links lead somewhere. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alertKinds } from '../../../contract/admin/alerts.ts';
import { errorCodes, errorTable } from '../../../contract/errors.ts';
import { contract } from '../../../contract/index.ts';
import { errorExample } from '../../../docs/generate/examples/errors.ts';
import { options, searchIn } from '../../../docs/site/browser/search-options.mjs';
import { buildSites } from '../../../docs/site/build.ts';
import { operatorSearches, pastedMessages, questions, searches } from './searches.ts';

const folder = mkdtempSync(join(tmpdir(), 'modelgate-docs-test-'));
const first = join(folder, 'first');
const read = (path: string, site: 'callers' | 'operators' = 'callers'): string => readFileSync(join(first, site, path), 'utf8');
beforeAll(async () => void (await buildSites({ to: first, site: 'https://docs.example.org/' })), 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the docs search', () => {
  let index: MiniSearch<Record<string, unknown>>;
  let operators: MiniSearch<Record<string, unknown>>;
  beforeAll(() => {
    index = MiniSearch.loadJSON(read('search.json'), options);
    operators = MiniSearch.loadJSON(read('search.json', 'operators'), options);
  });
  const firstPages = (of: typeof index, query: string): readonly (string | undefined)[] =>
    [...new Set(searchIn(of, query).map(({ to }) => to.split('#')[0]))].slice(0, 3);

  test.each(searches)('finds for %s the page %s among the first three', (query, page) => {
    expect(firstPages(index, query)).toContain(page);
  });

  test.each(operatorSearches)("finds for %s the operators' page %s among the first three", (query, page) => {
    expect(firstPages(operators, query)).toContain(page);
  });

  test('finds the answer to 80% of the questions first, and to 95% among the first three pages', () => {
    const ranks = questions.map(([query, ...pages]) => firstPages(index, query).findIndex((page = '') => pages.includes(page)));
    const missed = questions.flatMap(([query], at) => (ranks[at] === -1 ? [query] : []));
    expect(questions).toHaveLength(60);
    expect(missed.length, `not among three: ${missed.join('; ')}`).toBeLessThanOrEqual(3);
    expect(ranks.filter((rank) => rank === 0).length).toBeGreaterThanOrEqual(48);
  });

  test.each([...pastedMessages, ...errorCodes.map((code) => [errorExample(code).error.message, code] as const)])(
    'finds for the pasted message %s the page of %s first',
    (message, code) => {
      const codes = searchIn(index, message).map(({ to }) => to.replace('errors/', ''));
      // Two codes have this message without the ID.
      expect(codes.slice(0, message === 'Response not found.' ? 2 : 1)).toContain(code);
    },
  );

  test.each(searches)('puts decisions last for %s', (query) => {
    const kinds = searchIn(index, query).map(({ kind }) => kind === 'decision');
    expect(kinds).toEqual(kinds.toSorted((one, other) => Number(one) - Number(other)));
  });

  test('begins with the guide for the subject of a guide, even if errors have its words', () => {
    for (const query of ['timeouts', 'top up', 'how do I get JSON', 'stream stops'])
      expect(searchIn(index, query)[0]?.to, query).toMatch(/^guides\//);
  });

  test('finds nothing where nothing is', () => {
    expect(searchIn(index, 'xyzzyplugh')).toEqual([]);
    expect(searchIn(index, ' ? ')).toEqual([]);
    expect(() => searchIn(index, 'constructor')).not.toThrow();
  });
});

test('links from every page as Markdown to another one, or to a file', () => {
  const folders = ['callers', 'operators'].map((site) => join(first, site));
  const links = folders.flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md') && !file.startsWith('files'))
      .flatMap((file) => {
        const text = readFileSync(join(root, file), 'utf8').replaceAll(/```.*?```|`[^`\n]*`/gs, '');
        const found = [...text.matchAll(/\]\(([^()\s#]+)[^()\s]*\)/g)].map(([, href = '']) => href);
        return found.filter((href) => !/^(?:[a-z]+:|\/)/.test(href)).map((href) => join(root, file, '..', href));
      }),
  );
  expect(links.length).toBeGreaterThan(200);
  expect(links.filter((path) => !existsSync(path))).toEqual([]);
});

describe('a page without JavaScript', () => {
  test.each(Object.keys(contract))('names every field of the request of %s', (name) => {
    const document = JSON.parse(readFileSync(new URL('../../../docs/generated/openapi.json', import.meta.url), 'utf8'));
    const operations: readonly Operation[] = Object.values(document.paths as Readonly<Record<string, object>>).flatMap((one) =>
      Object.values(one),
    );
    const operation = operations.find(({ operationId }) => operationId === name);
    const html = read(`reference/${name}.html`);
    const [media] = Object.values(operation?.requestBody?.content ?? {});
    const reference = media?.schema.$ref?.split('/').at(-1) ?? '';
    const fields = Object.keys(document.components.schemas[reference]?.properties ?? {});
    for (const field of fields) expect(html).toContain(`id="${name}.${field}"`);
    for (const { source } of operation?.['x-codeSamples'] ?? []) expect(textIn(html)).toContain(source.split('\n')[0]?.trim() ?? '');
  });

  test.each(errorCodes)('shows the cause of %s, then what to do, an example, a check and the SDK exception', (code) => {
    for (const html of [read(`errors/${code}.html`), read(`errors/${code}.html`, 'operators')])
      expect([...html.matchAll(/<h2 id="([\w-]+)">/g)].map(([, id]) => id)).toEqual([
        ...['cause', 'what-to-do', 'example', 'how-to-check', 'what-an-sdk-raises', 'what-you-may-see', 'operations'],
      ]);
    // A cause says what is wrong: what to do stands under its own heading.
    expect(errorTable[code].meaning).not.toMatch(/(?:^|\. )(?:Send|Wait|Add|Use|Omit|Check|Top up|Shorten|Delete|Try)\b/);
  });

  test('contains no inline script or style, and no address of another host', () => {
    for (const name of readdirSync(join(first, 'callers'), { recursive: true, encoding: 'utf8' }).filter((one) => one.endsWith('.html'))) {
      const html = read(name);
      expect(/<script(?! type="module" src="(?:\.\.\/)*assets\/)/.test(html), name).toBe(false);
      expect(/ style="|<style|<iframe|\son\w+="/.test(html), name).toBe(false);
      expect(/<(?:link|img|script)[^>]+(?:href|src)="(?!https:\/\/docs\.example\.org\/)https?:/.test(html), name).toBe(false);
    }
  });
});

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>> };
  readonly 'x-codeSamples'?: readonly { readonly source: string }[];
}

const textIn = (html: string): string =>
  html
    .replace(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

test.each(alertKinds)("names a remedy for the alert %s on the operators' site", (kind) => {
  expect(readFileSync(join(first, 'operators/guides/alerts.html'), 'utf8')).toContain(`<h3 id="${kind}">`);
});

test('serves programs each page as Markdown, a map of them, and all of them in one file', () => {
  expect(read('llms.txt')).toContain('- [Codex](guides/codex.md): ');
  const all = read('llms-full.txt');
  for (const path of ['guides/codex', 'errors/unknown_url', 'reference/createResponse']) {
    expect(all).toContain(`<!-- ${path} -->`);
    expect(read(`${path}.md`)).toMatch(/^# \S/);
  }
  expect(read('sitemap.xml')).toContain('<loc>https://docs.example.org/guides/codex</loc>');
});
