/** Splits texts into words and ranks hits, for the search index and for the search page. */
import { synonyms } from './synonyms.mjs';

const listWords = (text) => new Set(text.split(' '));

/** Words of a query that don't narrow it down. */
const fillers = listWords(
  'a all am an and any are be can could do does each every find for from get give has have how i if in is it its just me my need now of on one or our right set should so some that the their them there they this to us use using want was we what when where who why will with would you your',
);

/** Names of the reader's tools: they say less than the other words. */
const toolNames = listWords('api curl gateway javascript js library modelgate node openai python py sdk ts typescript');

/** Returns the whole word and its parts: `response.completed`, `/v1`, `retry-after`. */
export function tokenize(text) {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_][\p{L}\p{N}_./:-]*|\/[\p{L}\p{N}_./-]+/gu) ?? [];
  return words.flatMap((word) => {
    const whole = word.replace(/[./:-]+$/, '');
    const parts = whole.split(/[./:_-]+/).filter((part) => part !== '');
    return parts.length > 1 ? [whole, ...parts] : [whole];
  });
}

/** Reduces word forms to one term, so that `editing`, `edits`, and `edit` match each other. Field names and codes stay unchanged. */
function stem(word) {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  const singular = word.replace(/ies$/, 'y').replace(/([^sui])s$/, '$1');
  const root = singular.replace(/(?<=[aeiouy].*[^e])(?:ing|ed)$/, '');
  return root.replace(/([^aeioulsz])\1$/, '$1').replace(/(?<=....)e$/, '');
}

/** Weights by kind of page: instructions rank above reference material. */
const weights = {
  guide: 1.6,
  start: 1.6,
  operation: 1.3,
  home: 1.2,
  error: 0.85,
  field: 0.75,
  concept: 0.45,
  reference: 0.4,
  changelog: 0.4,
  decision: 0.4,
};

export const options = {
  fields: ['title', 'seen', 'text'],
  storeFields: ['title', 'to', 'kind', 'passage', 'messages'],
  tokenize,
  processTerm: stem,
  searchOptions: {
    boost: { title: 3, seen: 3 },
    prefix: (term) => term.length > 2,
    fuzzy: (term) => (term.length > 5 && !/[\d_./]/.test(term) ? 0.15 : false),
    boostDocument: (_id, _term, { kind, to } = {}) => (weights[kind] ?? 1) * (String(to).includes('#') ? 0.8 : 1),
  },
};

/** Ranks keys, commands, and fields first if the query is just their name: fields of text requests before those of other operations. Decisions rank last. */
function rankOf({ title, to, kind }, query) {
  if (kind === 'decision') return 3;
  if (kind === 'reference' && title.startsWith(`${query.trim()} (`)) return 0;
  if (kind !== 'field' || !title.startsWith(`${query.trim()} (`)) return 2;
  return /^reference\/create(?:ChatCompletion|Response)#/.test(to) ? 0 : 1;
}

/** Returns the length of the longest message of an error page that the query contains, or 0. */
function lengthOfMessage({ messages = [] }, query) {
  const pasted = query.replaceAll(/[‘’`"]/g, "'").replaceAll(/\s+/g, ' ');
  return Math.max(0, ...messages.map((message) => (patternOf(message).test(pasted) ? message.replaceAll('…', '').length : 0)));
}

/** The sign … in a message stands for any text. */
function patternOf(message) {
  const parts = message.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`(?<![a-z])${parts.join('.{1,300}?')}`, 'i');
}

const stemAll = (text) => tokenize(text).map(stem).join(' ');

/** The synonyms by the stems of their words. */
const otherSpellings = new Map(
  Object.entries(synonyms).map(([words, others]) => [stemAll(words), others.split(', ').map((other) => tokenize(other))]),
);
const MAX_PHRASE_WORDS = 4;

/** Splits a query into words and known phrases. Each one is a list of spellings, and each spelling is a list of terms. */
function wordsOf(query) {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/[?!,;]+$/, ''))
    .filter((word) => tokenize(word).length > 0);
  const phrases = [];
  for (let at = 0; at < words.length; at += phrases.at(-1).length) phrases.push(words.slice(at, at + lengthOfPhrase(words, at)));
  const telling = phrases.filter((phrase) => phrase.length > 1 || !fillers.has(phrase[0]));
  return (telling.length > 0 ? telling : phrases).map((phrase) => spellingsOf(phrase.join(' ')));
}

/** Returns the number of words from `at` that are a phrase of the synonyms, or 1. */
function lengthOfPhrase(words, at) {
  for (let length = Math.min(MAX_PHRASE_WORDS, words.length - at); length > 1; length--)
    if (otherSpellings.has(stemAll(words.slice(at, at + length).join(' ')))) return length;
  return 1;
}

function spellingsOf(phrase) {
  const [whole, ...parts] = tokenize(phrase);
  const own = phrase.includes(' ') ? [[whole, ...parts]] : [[whole], ...(parts.length > 0 ? [parts] : [])];
  return [...own, ...(otherSpellings.get(stemAll(phrase)) ?? [])];
}

const hasSpelling = (spellings, has) => spellings.some((terms) => terms.every((term) => has(stem(term))));

/** About the number of entries in the index. */
const ENTRIES = 2000;

/** Adds to each word its weight: the fewer entries contain it, the more it says. */
function addWeights(words, hits) {
  return words.map((spellings) => {
    const count = hits.filter(({ queryTerms }) => hasSpelling(spellings, (term) => queryTerms.includes(term))).length;
    const weight = Math.sqrt(Math.log(1 + ENTRIES / (1 + count)));
    return { spellings, weight: toolNames.has(spellings[0][0]) ? weight / 3 : weight };
  });
}

/** Returns the weighted share of words with a spelling for which `has` accepts every term. */
function shareOf(words, has) {
  const sum = (some) => some.reduce((total, { weight }) => total + weight, 0);
  return sum(words.filter(({ spellings }) => hasSpelling(spellings, has))) / sum(words);
}

/** Raises the score with the share of matched words in the section and on its page, and for error pages of the query's status. */
function scoreOf({ score, kind, queryTerms, terms, match }, words, pageTerms) {
  const isSeen = (term) => terms.includes(term) && match[term].includes('seen');
  const hasStatus = kind === 'error' && queryTerms.some((term) => /^[45]\d\d$/.test(term) && isSeen(term));
  const shares = shareOf(words, (term) => queryTerms.includes(term)) * shareOf(words, (term) => pageTerms.has(term)) ** 2;
  return score * shares * (hasStatus ? 6 : 1);
}

const pageOf = ({ to }) => to.split('#')[0];

/** Raises the scores of a page's hits with its second and third best: it says more about the subject. */
function addPageScore(hits) {
  const [best, second = 0, third = 0] = hits.map(({ score }) => score).sort((one, other) => other - one);
  const factor = best > 0 ? 1 + (0.3 * (second + third)) / best : 1;
  return hits.map((hit) => ({ ...hit, score: hit.score * factor }));
}

function scoreHits(found, spelled, query) {
  const words = addWeights(spelled, found);
  return [...Map.groupBy(found, pageOf).values()].flatMap((hits) => {
    const pageTerms = new Set(hits.flatMap(({ queryTerms }) => queryTerms));
    return addPageScore(hits.map((hit) => ({ ...hit, score: scoreOf(hit, words, pageTerms), pastedLength: lengthOfMessage(hit, query) })));
  });
}

/** Returns at most 12 hits, and at most three per page. Error pages of a pasted message come first, and decisions last. */
export function searchIn(index, query) {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const found = index.search(words.flat(2).join(' '), { combineWith: 'OR' });
  const seen = new Map();
  return scoreHits(found, words, query)
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.pastedLength - one.pastedLength || rankOf(one, query) - rankOf(other, query) || other.score - one.score)
    .filter((hit) => {
      const page = pageOf(hit);
      seen.set(page, (seen.get(page) ?? 0) + 1);
      return seen.get(page) <= 3;
    })
    .slice(0, 12);
}

/** Characters before the first match that a passage keeps. */
const MAX_LEAD = 24;

/** Returns the sentence of a hit that has the most of the matched words, from near the first one, in parts. */
export function passageOf({ passage = '', terms }) {
  const matched = new Set(terms);
  const countIn = (text) => new Set(tokenize(text).map(stem)).intersection(matched).size;
  const sentences = passage.split(/(?<=[.:?!])\s+/);
  const best = sentences.reduce((one, other) => (countIn(other) > countIn(one) ? other : one));
  const parts = best
    .split(/([\p{L}\p{N}_][\p{L}\p{N}_./:-]*)/u)
    .map((text, index) => ({ text, isMatched: index % 2 === 1 && countIn(text) > 0 }));
  const first = parts.findIndex(({ isMatched }) => isMatched);
  let from = 0;
  while (first > 0 && parts.slice(from, first).reduce((sum, { text }) => sum + text.length, 0) > MAX_LEAD) from += 1;
  return [...(from > 0 ? [{ text: '…', isMatched: false }] : []), ...parts.slice(from)];
}
