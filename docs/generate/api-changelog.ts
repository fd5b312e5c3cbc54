/**
 * Writes the changes since the last release into docs/api-changelog.md. `--release`: closes the chapter under the version of package.json, and
 * keeps today's document for the next comparison.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { readVersion } from './openapi/build.ts';
import { type Change, compareDocuments } from './openapi/changes.ts';
import { isObject, type JsonSchema } from './openapi/json-schema.ts';
import { buildDocument } from './openapi.ts';
import { type Output, publish } from './output.ts';

const RELEASED = '../generated/released-openapi.json';
const PAGE = '../api-changelog.md';
const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

const TITLE = '## Unreleased';
const BREAKING = '### Breaking';
const OTHERS = '### Other changes';
/** From the title to the next chapter, or to the end. */
const CHAPTER = /^## Unreleased\n.*?(?=^## |(?![\s\S]))/ms;

/** Everything about the API that can change for a program: no descriptions, examples, or samples. */
export function withoutProse(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutProse(item));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([key]) => isNames || !prose.has(key));
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutProse(inner, !isNames && named.has(key))]));
}
const prose = new Set(['description', 'summary', 'example', 'examples', 'tags', 'servers', 'x-codeSamples', 'x-no-discriminator']);
/** Below these, the keys are names, and a field may be called `description`. */
const named = new Set(['properties', 'schemas', 'paths', 'content', 'headers', 'mapping']);

/** What changed since the last release. */
export function changesSinceRelease(): readonly Change[] {
  return compareDocuments(JSON.parse(read(RELEASED)), buildDocument(true) as JsonSchema);
}

const bullets = (lines: readonly string[]): string => lines.map((line) => `- ${line}\n`).join('');

/** What someone wrote about the breaking changes since the last release. */
const writtenIn = (page: string): string => CHAPTER.exec(page)?.[0].split(BREAKING)[1]?.split(OTHERS)[0] ?? '';

/** The page with these changes. What someone wrote about the breaking ones stays. */
export function writeChanges(page: string, changes: readonly Change[]): string {
  const chapter = CHAPTER.exec(page)?.[0];
  // Between a release and the first change after it, there is nothing to write.
  if (chapter === undefined && changes.length === 0) return page;
  const written = writtenIn(page).trim();
  const others = bullets(changes.filter(({ isBreaking }) => !isBreaking).map(({ line }) => line));
  const parts = [TITLE, written && `${BREAKING}\n\n${written}`, others && `${OTHERS}\n\n${others.trim()}`].filter((part) => part !== '');
  const text = `${parts.length > 1 ? parts.join('\n\n') : `${TITLE}\n\nNo changes.`}\n`;
  // A new chapter goes before that of the last release.
  return page.replace(chapter ?? /(?=^## )|(?![\s\S])/m, () => `${text}\n`).replace(/\n+$/, '\n');
}

/** Breaking changes without an entry: a line under Breaking starts with the change, and may go on with the reason or the remedy. */
export function unnamedChanges(page: string, changes: readonly Change[]): readonly string[] {
  const written = writtenIn(page);
  return changes.flatMap(({ line, isBreaking }) => (isBreaking && !written.includes(`\n- ${line}`) ? [line] : []));
}

/** The page as it is checked in. */
export const apiChangelogOutput = (): Output => ({ path: PAGE, text: writeChanges(read(PAGE), changesSinceRelease()) });

/** Fails the run where a breaking change has no entry. */
export function rejectUnnamedChanges(): void {
  const unnamed = unnamedChanges(read(PAGE), changesSinceRelease());
  if (unnamed.length === 0) return;
  process.exitCode = 1;
  console.error(`Breaking changes of the API. Undo them, or list each in docs/api-changelog.md below '${TITLE}' and '${BREAKING}':\n`);
  console.error(bullets(unnamed));
}

/** Of a version that is about to be tagged. */
function release(): void {
  const title = `## ${readVersion()}`;
  const page = writeChanges(read(PAGE), changesSinceRelease());
  if (page.includes(`${title}\n`)) throw new Error(`docs/api-changelog.md already has the chapter '${title}'.`);
  const closed = page.includes(TITLE) ? page.replace(TITLE, title) : page.replace(/(?=^## )/m, `${title}\n\nNo changes.\n\n`);
  writeFileSync(new URL(PAGE, import.meta.url), closed);
  writeFileSync(new URL(RELEASED, import.meta.url), `${JSON.stringify(withoutProse(buildDocument(true)), null, 2)}\n`);
}

if (import.meta.main) {
  rejectUnnamedChanges();
  if (process.exitCode === undefined && process.argv.includes('--release')) release();
  else publish(apiChangelogOutput());
}
