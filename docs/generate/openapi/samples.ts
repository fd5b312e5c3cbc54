/** Reads the code samples of each operation from docs/samples, which has one folder per language. */
import { existsSync, readFileSync } from 'node:fs';
import type { Contract } from '../../../contract/index.ts';

/** A sample as reference pages expect it in `x-codeSamples`. */
export interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

const languages = [
  { folder: 'curl', extension: 'sh', lang: 'shell', label: 'curl' },
  { folder: 'python', extension: 'py', lang: 'python', label: 'Python' },
  { folder: 'javascript', extension: 'mjs', lang: 'javascript', label: 'JavaScript' },
  { folder: 'client', extension: 'mjs', lang: 'javascript', label: '@modelgate/client' },
] as const;

/** File name suffixes, and the notes they add to the label. */
const variants = [
  { ending: '', note: '' },
  { ending: '-stream', note: ' (stream)' },
  { ending: '-tools', note: ' (tools)' },
  { ending: '-image', note: ' (image)' },
];

const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Returns the samples of an operation, variant by variant. Missing files are skipped. */
export function samplesOf(operation: keyof Contract): CodeSample[] {
  const places = variants.flatMap(({ ending, note }) =>
    languages.map(({ folder, extension, lang, label }) => ({
      url: new URL(`../../samples/${folder}/${kebab(operation)}${ending}.${extension}`, import.meta.url),
      lang,
      label: `${label}${note}`,
    })),
  );
  return places
    .filter(({ url }) => existsSync(url))
    .map(({ url, lang, label }) => ({ lang, label, source: readFileSync(url, 'utf8').trim() }));
}
