/** Style, scripts and icon of the pages, each with the hash of its content in its name. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const browser = fileURLToPath(new URL('browser', import.meta.url));
/** The icon of the console and the portal, too. */
const mark = new URL('../../client/pages/src/kit/mark.svg', import.meta.url);

export interface Assets {
  readonly css: string;
  readonly script: string;
  readonly icon: string;
  /** What is written, by path. */
  readonly files: ReadonlyMap<string, string>;
}

export interface Scripts {
  readonly entry: string;
  readonly files: ReadonlyMap<string, string>;
  /** Every file that went in, those of libraries too. */
  readonly modules: readonly string[];
}

/** The search is a file of its own, which is loaded at first use. */
export async function bundleScripts(): Promise<Scripts> {
  const bundle = await rolldown({ input: join(browser, 'site.mjs') });
  try {
    const names = { entryFileNames: 'assets/[name]-[hash].js', chunkFileNames: 'assets/[name]-[hash].js' };
    const { output } = await bundle.generate({ format: 'es', minify: true, ...names });
    const chunks = output.flatMap((part) => (part.type === 'chunk' ? [part] : []));
    const entry = chunks.find(({ isEntry }) => isEntry)?.fileName ?? '';
    return {
      entry,
      files: new Map(chunks.map(({ fileName, code }) => [fileName, code])),
      modules: chunks.flatMap(({ moduleIds }) => moduleIds),
    };
  } finally {
    await bundle.close();
  }
}

/** `colors`: rules for the tokens of code. */
export async function assetsOf(scripts: Scripts, colors: string): Promise<Assets> {
  const css = `${await readFile(join(browser, 'site.css'), 'utf8')}${colors}\n`;
  const icon = await readFile(mark, 'utf8');
  const names = { css: `assets/site-${hashOf(css)}.css`, icon: `assets/icon-${hashOf(icon)}.svg` };
  return { ...names, script: scripts.entry, files: new Map([...scripts.files, [names.css, css], [names.icon, icon]]) };
}

const hashOf = (content: string): string => createHash('sha256').update(content).digest('hex').slice(0, 10);
