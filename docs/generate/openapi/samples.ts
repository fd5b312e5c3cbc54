/** The code samples beside each operation: real files under docs/samples, one folder for each language. */
import { existsSync, readFileSync } from 'node:fs';
import type { Contract } from '../../../contract/index.ts';

/** One sample, in the form that reference pages know as `x-codeSamples`. */
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

/** Endings of a sample's file name, and what they add to its label. */
const variants = [
  { ending: '', note: '' },
  { ending: '-stream', note: ' (stream)' },
  { ending: '-tools', note: ' (tools)' },
  { ending: '-picture', note: ' (image)' },
];

const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Samples of an operation, one language after the other; a variant without a file is skipped. */
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
