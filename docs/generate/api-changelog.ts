/**
 * Writes the changes since the last release into docs/api-changelog.md.
 * `--release` closes the section under the version in package.json, and saves the current document for the next comparison.
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
/** Matches from the title to the next section, or to the end. */
const CHAPTER = /^## Unreleased\n.*?(?=^## |(?![\s\S]))/ms;

/** Removes descriptions, examples, and samples, which can't break a program. */
export function withoutProse(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutProse(item));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([key]) => isNames || !prose.has(key));
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutProse(inner, !isNames && named.has(key))]));
}
const prose = new Set(['description', 'summary', 'example', 'examples', 'tags', 'servers', 'x-codeSamples', 'x-no-discriminator']);
/** The keys inside these objects are names, so a field called `description` is kept. */
const named = new Set(['properties', 'schemas', 'paths', 'content', 'headers', 'mapping']);

export function changesSinceRelease(): readonly Change[] {
  return compareDocuments(JSON.parse(read(RELEASED)), buildDocument(true) as JsonSchema);
}

const bullets = (lines: readonly string[]): string => lines.map((line) => `- ${line}\n`).join('');

/** Returns the handwritten entries for breaking changes since the last release. */
const writtenIn = (page: string): string => CHAPTER.exec(page)?.[0].split(BREAKING)[1]?.split(OTHERS)[0] ?? '';

/** Returns the page with these changes. Handwritten entries for breaking changes stay. */
export function writeChanges(page: string, changes: readonly Change[]): string {
  const chapter = CHAPTER.exec(page)?.[0];
  // Right after a release, there is nothing to write.
  if (chapter === undefined && changes.length === 0) return page;
  const written = writtenIn(page).trim();
  const others = bullets(changes.filter(({ isBreaking }) => !isBreaking).map(({ line }) => line));
  const parts = [TITLE, written && `${BREAKING}\n\n${written}`, others && `${OTHERS}\n\n${others.trim()}`].filter((part) => part !== '');
  const text = `${parts.length > 1 ? parts.join('\n\n') : `${TITLE}\n\nNo changes.`}\n`;
  // A new section goes before the section of the last release.
  return page.replace(chapter ?? /(?=^## )|(?![\s\S])/m, () => `${text}\n`).replace(/\n+$/, '\n');
}

/** Returns the breaking changes without an entry. An entry starts with the change, and can continue with the reason or the remedy. */
export function unnamedChanges(page: string, changes: readonly Change[]): readonly string[] {
  const written = writtenIn(page);
  return changes.flatMap(({ line, isBreaking }) => (isBreaking && !written.includes(`\n- ${line}`) ? [line] : []));
}

export const apiChangelogOutput = (): Output => ({ path: PAGE, text: writeChanges(read(PAGE), changesSinceRelease()) });

/** Sets the exit code to 1 if a breaking change has no entry. */
export function rejectUnnamedChanges(): void {
  const unnamed = unnamedChanges(read(PAGE), changesSinceRelease());
  if (unnamed.length === 0) return;
  process.exitCode = 1;
  console.error(`Breaking changes of the API. Undo them, or list each in docs/api-changelog.md below '${TITLE}' and '${BREAKING}':\n`);
  console.error(bullets(unnamed));
}

/** Run before a version is tagged. */
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
