/**
 * `npm run docs`: builds the documentation into docs/site/dist.
 * `--site ADDRESS`: the URL where it's published. `--to FOLDER`: the output folder. `--partial`: parts of the repository are missing.
 */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { assetsOf, bundleScripts, type Scripts, typeface } from './assets.ts';
import { faultsIn, faultsOfMoved } from './check.ts';
import { writeFrame } from './frame/eleventy.ts';
import { drawPage } from './frame/layout.ts';
import { Painter } from './markdown/code.ts';
import { Artist } from './markdown/diagram.ts';
import { addressOf, repository } from './markdown/links.ts';
import { selectMoved } from './moved.ts';
import { MISSING, missingPage } from './pages/missing.ts';
import { plans, type SiteName } from './sites.ts';
import { searchIndex } from './writers/search.ts';
import { sitemap, textFiles } from './writers/texts.ts';

const built = fileURLToPath(new URL('dist', import.meta.url));

export interface BuildOptions {
  /** Output folder. Defaults to docs/site/dist. */
  readonly to?: string;
  /** URL where the pages are published, with a trailing slash. */
  readonly site?: string;
  /** Whether parts of the repository are missing. Then links to missing files aren't reported. */
  readonly isPartial?: boolean;
}

/** Throws an error with all broken links and anchors. Resolves with the paths of all bundled files of dependencies. */
export async function buildSites({ to = built, site, isPartial = false }: BuildOptions = {}): Promise<readonly string[]> {
  await rm(to, { recursive: true, force: true });
  const scripts = await bundleScripts();
  for (const name of Object.keys(plans) as SiteName[]) {
    await buildSite(name, { folder: join(to, name), scripts, isPartial, ...(site !== undefined && { site }) });
  }
  return [...scripts.modules, typeface].filter((id) => id.includes('/node_modules/'));
}

interface SiteOrder {
  readonly folder: string;
  readonly scripts: Scripts;
  readonly isPartial: boolean;
  readonly site?: string;
}

async function buildSite(name: SiteName, { folder, scripts, site, isPartial }: SiteOrder): Promise<void> {
  const painter = await Painter.open();
  const order = { painter, artist: await Artist.open(), files: new Set<string>(), faults: [] as string[] };
  const { pages, sections, name: title, version } = plans[name](order);
  const { files: assets, ...named } = await assetsOf(scripts, painter.css());
  painter.close();
  const about = { name: title, version, sections, pages: new Map(pages.map((page) => [page.path, page])) };
  const frame = { ...about, assets: named, ...(site !== undefined && { site }) };
  const moved = selectMoved(new Set(pages.map(({ path }) => path)));
  const files = new Map<string, string | Buffer>([
    ...assets,
    ...textFiles(pages, { name: title, sections }),
    ['search.json', searchIndex(pages)] as const,
    ['moved.json', `${JSON.stringify(moved)}\n`] as const,
    // The gateway serves this file with its own URL.
    ['gateway.json', '{"base":null,"pages":null}\n'] as const,
    ...(site === undefined ? [] : [['sitemap.xml', sitemap(pages, site)] as const]),
  ]);
  const copied = [...order.files].map((file) => [file, addressOf(file)] as const);
  const html = new Map([...pages, missingPage(pages)].map((page) => [page.path, drawPage(page, frame)]));
  const faults = [
    ...(isPartial ? [] : [...order.faults, ...faultsOfMoved(moved, html)]),
    ...faultsIn(html, new Set([...files.keys(), ...copied.map(([, to]) => to)])),
  ];
  if (faults.length > 0) throw new Error(`The documentation has ${faults.length} faults:\n${faults.join('\n')}`);
  await writePages(pages, frame, folder);
  await writeOne(join(folder, `${MISSING}.html`), html.get(MISSING) ?? '');
  for (const [path, content] of files) await writeOne(join(folder, path), content);
  for (const [from, to] of copied) await cp(join(repository, from), join(folder, to));
}

async function writePages(pages: Parameters<typeof writeFrame>[0], frame: Parameters<typeof writeFrame>[1], output: string): Promise<void> {
  const input = await mkdtemp(join(tmpdir(), 'modelgate-docs-'));
  try {
    await writeFrame(pages, frame, { input, output });
  } finally {
    await rm(input, { recursive: true, force: true });
  }
}

async function writeOne(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { site: { type: 'string' }, to: { type: 'string' }, partial: { type: 'boolean' } } });
  const { partial = false, ...rest } = values;
  await buildSites({ ...rest, isPartial: partial });
}
