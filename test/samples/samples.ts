/** Finds every sample that the documentation shows: fenced blocks of the pages people read, and the files behind the reference. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export const root = join(import.meta.dirname, '../..');

export interface Sample {
  /** Where it stands, for the name of its test. */
  readonly place: string;
  /** As after the fence, or the ending of the file. */
  readonly language: string;
  readonly code: string;
}

/** The pages that people read: at the top, of the client, and below docs/. */
export const pages: readonly string[] = [root, join(root, 'client/sdk'), ...foldersIn(join(root, 'docs'))]
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  .filter((file) => file.endsWith('.md'))
  .map((file) => relative(root, file));

function foldersIn(folder: string): string[] {
  const inside = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !['openapi', 'site'].includes(entry.name),
  );
  return [folder, ...inside.flatMap(({ name }) => foldersIn(join(folder, name)))];
}

export const readPage = (page: string): string => readFileSync(join(root, page), 'utf8');

/** Blocks of a page in their order. */
export function blocksOf(page: string): Sample[] {
  const samples: Sample[] = [];
  let open: { language: string; line: number; code: string[] } | undefined;
  for (const [index, line] of readPage(page).split('\n').entries()) {
    const fence = /^\s*```(\w*)/.exec(line);
    if (fence && open) {
      samples.push({ place: `${page}:${open.line}`, language: open.language, code: open.code.join('\n') });
      open = undefined;
    } else if (fence) open = { language: fence[1] ?? '', line: index + 1, code: [] };
    else open?.code.push(line);
  }
  if (open) throw new Error(`${page}:${open.line}: the block is not closed`);
  return samples;
}

/** Blocks of a page that is one program in pieces: each goes on from the first, which makes the client. */
export function continuedBlocksOf(page: string): Sample[] {
  const [first, ...rest] = blocksOf(page).filter(({ language }) => language === 'ts');
  return first ? [first, ...rest.map((block) => ({ ...block, code: `${first.code}\n${block.code}` }))] : [];
}

const languages: Readonly<Record<string, string>> = { sh: 'bash', mjs: 'js', py: 'python' };

/** The files below docs/samples, which the reference page shows. */
export function referenceSamples(): Sample[] {
  const folder = join(root, 'docs/samples');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    const language = languages[name.split('.').at(-1) ?? ''];
    return language ? [{ place: `docs/samples/${name}`, language, code: readFileSync(join(folder, name), 'utf8') }] : [];
  });
}

/** They install or start the very thing under test: the first is done before any test, the second by the tests of `serve`. */
const notRun = ['npm ci && npm start', 'npm ci && npm test'];
const runnable = ['bash', 'js', 'ts', 'python', 'yaml'];
const clientPage = 'client/sdk/README.md';
/** Made from the contract, its examples one to a line and its order of events drawn, and tested there. */
const generated = ['docs/generated/errors.md', 'docs/generated/response-events.md'];
/** With packages that have to be packed first: the lane `packages` runs them. */
const withPackages = ['docs/guides/contract-package.md', 'docs/guides/testing-with-a-gateway.md'];
/** With files of other gateways: test/unit/config/import/guide.test.ts runs it. */
const withFiles = 'docs/guides/from-litellm-and-new-api.md';
/** Settings of tools, written from the recipes that connect real tools in test/processes/connect.test.ts. */
const ofTools = 'docs/generated/tools.md';
const elsewhere = [...generated, ...withPackages, withFiles, ofTools, clientPage];
const guides = pages.filter((page) => !elsewhere.includes(page));
/** All blocks of the pages. */
export const blocks = guides.flatMap(blocksOf);

/** Tests under `modelgate test`: testing-in-ci.test.ts and test/generators/scripted-gateway.test.ts run them. */
const isTest = ({ place }: Sample): boolean => /^docs\/guides\/(?:testing-in-ci|scripted-responses)\.md:/.test(place);

export const isRunnable = (sample: Sample): boolean =>
  runnable.includes(sample.language) && !notRun.includes(sample.code) && !isTest(sample);
/** What the lane `samples` runs, the files of the reference included. */
export const runnableSamples = (): Sample[] => [...blocks, ...continuedBlocksOf(clientPage), ...referenceSamples()].filter(isRunnable);
