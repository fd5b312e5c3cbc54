/** Builds the search index from all pages, sections, and fields. */
import MiniSearch from 'minisearch';
import { options } from '../browser/search-options.mjs';
import type { Entry, Page } from '../page.ts';

/** Characters of a passage that the index keeps: passages are a fifth of its size. Guides have the longest sections. */
const MAX_PASSAGE = 120;
const MAX_GUIDE_PASSAGE = 450;

export function searchIndex(pages: readonly Page[]): string {
  const index = new MiniSearch<Record<string, unknown>>(options);
  const entries = pages.flatMap((page) => listEntries(page, pages).map((entry) => toDocument(entry, page)));
  index.addAll(entries.map((entry, id) => ({ id, ...entry })));
  return JSON.stringify(index);
}

function toDocument({ anchor, title, text, kind, seen = [], messages, passage = text }: Entry, { path }: Page): Record<string, unknown> {
  return {
    to: `${path.replace(/(^|\/)index$/, '$1')}${anchor === undefined ? '' : `#${anchor}`}`,
    title,
    kind,
    text: text.slice(0, 12_000),
    seen: seen.join(' \n '),
    passage: cutPassage(passage, kind === 'guide' ? MAX_GUIDE_PASSAGE : MAX_PASSAGE),
    ...(messages !== undefined && { messages }),
  };
}

const cutPassage = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length).replace(/\s+\S*$/, '')} …`;

/** The body of these operations has the fields of `createResponse`, where each of them is found. */
const repeating: ReadonlySet<string> = new Set(['reference/countInputTokens', 'reference/compactResponse']);

function listEntries({ path, entries }: Page, pages: readonly Page[]): readonly Entry[] {
  if (!repeating.has(path)) return entries;
  const original = pages.find((page) => page.path === 'reference/createResponse')?.entries ?? [];
  const known = new Set(original.map(toFieldKey));
  return entries.filter((entry) => !known.has(toFieldKey(entry)));
}

const toFieldKey = ({ anchor = '', text }: Entry): string => `${anchor.replace(/^\w+/, '')} ${text}`;
