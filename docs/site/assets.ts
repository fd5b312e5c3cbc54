/** Builds the pages' style sheet, scripts, icon, and font. Each file has the hash of its content in its name. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const browser = fileURLToPath(new URL('browser', import.meta.url));
/** The console and the portal use the same icon. */
const mark = new URL('../../client/pages/src/kit/mark.svg', import.meta.url);
/** The console and the portal use the same font. */
export const typeface = fileURLToPath(import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'));
const typefaceLicense = fileURLToPath(import.meta.resolve('@fontsource-variable/inter/LICENSE'));

export interface Assets {
  readonly css: string;
  readonly script: string;
  readonly icon: string;
  readonly font: string;
  /** All files to write, by path. */
  readonly files: ReadonlyMap<string, string | Buffer>;
}

export interface Scripts {
  readonly entry: string;
  readonly files: ReadonlyMap<string, string>;
  /** Absolute paths of all bundled modules, including those of dependencies. */
  readonly modules: readonly string[];
}

/** Bundles the scripts. The search is a separate chunk, which the page loads on first use. */
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

/** `colors` are the CSS rules for code tokens. */
export async function assetsOf(scripts: Scripts, colors: string): Promise<Assets> {
  const icon = await readFile(mark, 'utf8');
  const font = await readFile(typeface);
  const fontFile = `inter-${hashOf(font)}.woff2`;
  const css = `${faceOf(fontFile)}${await readFile(join(browser, 'site.css'), 'utf8')}${colors}\n`;
  const names = { css: `assets/site-${hashOf(css)}.css`, icon: `assets/icon-${hashOf(icon)}.svg`, font: `assets/${fontFile}` };
  const files = new Map<string, string | Buffer>([...scripts.files, [names.css, css], [names.icon, icon], [names.font, font]]);
  // The license requires that its text accompanies each copy of the font.
  files.set('assets/inter-license.txt', await readFile(typefaceLicense));
  return { ...names, script: scripts.entry, files };
}

/** `file` is relative to the style sheet. */
const faceOf = (file: string): string =>
  `@font-face{font-family:Inter;font-weight:100 900;font-display:swap;src:url("${file}") format("woff2")}\n`;

const hashOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex').slice(0, 10);
