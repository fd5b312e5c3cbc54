/** What a prompt is about: the few words worth handing to a tool. */

import { excerpt } from '../excerpt.ts';
import type { Source } from '../schema/walk.ts';

/** Only the beginning is searched: a prompt may be megabytes, its subject stands early. */
const SEARCHED_CHARACTERS = 2_000;
const MOST_SUBJECTS = 8;

interface Span {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** At least one subject; several only where the prompt joins them by "and", as in "Oslo and Paris". */
export function findSubjects(prompt: string): readonly string[] {
  const text = prompt.slice(0, SEARCHED_CHARACTERS);
  for (const find of [findQuoted, findNames]) {
    const joined = takeJoined(text, find(text));
    if (joined.length > 0) return joined;
  }
  const objects = findObjects(text);
  return objects.length > 0 ? objects : ['simulator'];
}

/** What made-up values are drawn from. */
export const findSource = (prompt: string, subjects: readonly string[]): Source => ({
  quote: excerpt(prompt, 200),
  subjects,
  numbers: findNumbers(prompt),
});

/** The numbers of a prompt in their order. */
function findNumbers(prompt: string): readonly number[] {
  return (prompt.slice(0, SEARCHED_CHARACTERS).match(/(?<![\w.])-?\d{1,12}(?:\.\d{1,6})?(?!\w)/gu) ?? []).map(Number);
}

function findQuoted(text: string): Span[] {
  return [...text.matchAll(/["“„`«]([^"“”„`«»]{1,80})["“”`»]/gu)].map((match) => createSpan(match, match[1] ?? ''));
}

/** Capitalised words, less the first word of a sentence, which is capital anyway. */
function findNames(text: string): Span[] {
  const names = /(?<![\p{L}\p{N}_])\p{Lu}[\p{L}\p{M}\p{N}'’-]{0,40}(?:[ \t]\p{Lu}[\p{L}\p{M}\p{N}'’-]{0,40}){0,4}/gu;
  return [...text.matchAll(names)].flatMap((match) => {
    const opensSentence = /(?:^|[.!?:\n])\s*$/u.test(text.slice(Math.max(0, match.index - 8), match.index));
    const words = match[0].split(/\s/u).slice(opensSentence ? 1 : 0);
    const name = words.join(' ');
    return name === '' || /^I(['’].*)?$/u.test(name) ? [] : [{ text: name, start: match.index, end: match.index + match[0].length }];
  });
}

/** What follows a preposition, for prompts without capital letters. */
function findObjects(text: string): string[] {
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
    .slice(0, MOST_SUBJECTS);
}

/** The first span with those that commas and one "and" join to it. */
function takeJoined(text: string, spans: readonly Span[]): string[] {
  const chain: Span[] = [];
  let isJoined = false;
  for (const span of spans.slice(0, MOST_SUBJECTS)) {
    const last = chain.at(-1);
    const between = last ? text.slice(last.end, span.start) : '';
    if (last && !/^\s*(?:,|,?\s*(?:and|und|&))\s*(?:(?:in|for|of|at|about)\s+)?$/iu.test(between)) break;
    isJoined ||= /and|und|&/iu.test(between);
    chain.push(span);
  }
  const texts = chain.map((span) => span.text);
  return isJoined ? [...new Set(texts)] : texts.slice(0, 1);
}

function createSpan(match: RegExpExecArray, text: string): Span {
  return { text, start: match.index, end: match.index + match[0].length };
}
