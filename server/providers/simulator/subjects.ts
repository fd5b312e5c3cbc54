/** Finds the subjects of a prompt. The simulator makes up tool arguments from them. */

import { createExcerpt } from './excerpt.ts';
import type { PromptSource } from './schema-example.ts';

/** Only the start is searched: a prompt may be megabytes, but its subject comes early. */
const MAX_SEARCHED_CHARACTERS = 2_000;

const MAX_SUBJECTS = 8;

interface Span {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Returns at least one subject. Returns several only if the prompt joins them with "and", as in "Oslo and Paris". */
export function findSubjects(prompt: string): readonly string[] {
  const text = prompt.slice(0, MAX_SEARCHED_CHARACTERS);
  for (const findSpans of [findQuotedSpans, findNameSpans]) {
    const joinedTexts = joinSpans(text, findSpans(text));
    if (joinedTexts.length > 0) return joinedTexts;
  }
  const objects = findPrepositionObjects(text);
  return objects.length > 0 ? objects : ['simulator'];
}

/** Returns the prompt parts that values are created from. */
export const createPromptSource = (prompt: string, subjects: readonly string[]): PromptSource => ({
  quote: createExcerpt(prompt, 200),
  subjects,
  numbers: findNumbers(prompt),
});

/** Returns the numbers of a prompt, in order. */
function findNumbers(prompt: string): readonly number[] {
  return (prompt.slice(0, MAX_SEARCHED_CHARACTERS).match(/(?<![\w.])-?\d{1,12}(?:\.\d{1,6})?(?!\w)/gu) ?? []).map(Number);
}

function findQuotedSpans(text: string): Span[] {
  return [...text.matchAll(/["“„`«]([^"“”„`«»]{1,80})["“”`»]/gu)].map((match) => createSpan(match, match[1] ?? ''));
}

/** Finds capitalized words, except at the start of a sentence. */
function findNameSpans(text: string): Span[] {
  const names = /(?<![\p{L}\p{N}_])\p{Lu}[\p{L}\p{M}\p{N}'’-]{0,40}(?:[ \t]\p{Lu}[\p{L}\p{M}\p{N}'’-]{0,40}){0,4}/gu;
  return [...text.matchAll(names)].flatMap((match) => {
    const isSentenceStart = /(?:^|[.!?:\n])\s*$/u.test(text.slice(Math.max(0, match.index - 8), match.index));
    const words = match[0].split(/\s/u).slice(isSentenceStart ? 1 : 0);
    const name = words.join(' ');
    return name === '' || /^I(['’].*)?$/u.test(name) ? [] : [{ text: name, start: match.index, end: match.index + match[0].length }];
  });
}

/** Finds the words after a preposition, for prompts without capital letters. */
function findPrepositionObjects(text: string): string[] {
  const phrase = /\b(?:in|for|at|of|about|near)\s+([^.?!;:\n]{1,120})/iu.exec(text)?.[1] ?? '';
  return phrase
    .split(/\s*,\s*|\s+(?:and|und|or|&)\s+/iu)
    .map((part) =>
      part
        .trim()
        .replace(/^(?:the|a|an)\s+/iu, '')
        .split(/\s+/u)
        .slice(0, 4)
        .join(' '),
    )
    .filter((part) => part !== '')
    .slice(0, MAX_SUBJECTS);
}

/** Returns the first span and all spans that commas and one "and" join to it. */
function joinSpans(text: string, spans: readonly Span[]): string[] {
  const joinedSpans: Span[] = [];
  let isJoined = false;
  for (const span of spans.slice(0, MAX_SUBJECTS)) {
    const last = joinedSpans.at(-1);
    const separator = last ? text.slice(last.end, span.start) : '';
    if (last && !/^\s*(?:,|,?\s*(?:and|und|&))\s*(?:(?:in|for|of|at|about)\s+)?$/iu.test(separator)) break;
    isJoined ||= /and|und|&/iu.test(separator);
    joinedSpans.push(span);
  }
  const texts = joinedSpans.map((span) => span.text);
  return isJoined ? [...new Set(texts)] : texts.slice(0, 1);
}

function createSpan(match: RegExpExecArray, text: string): Span {
  return { text, start: match.index, end: match.index + match[0].length };
}
