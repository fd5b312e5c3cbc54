/** Splits texts into words and ranks hits, for the search index and for the search page. */

/** Readers' words, with the words that the pages use instead. Each entry has a test. */
const synonyms = {
  availability: 'processes',
  billing: 'charge costs',
  healthcheck: 'health check',
  https: 'tls',
  instances: 'processes',
  invoice: 'statement receipt',
  k8s: 'kubernetes',
  sso: 'single sign-on',
};

/** Words of a query that don't narrow it down. */
const fillers = new Set(
  'a an and are be can do does for from get give has have how i if in is it its my of on or the their this to was we what vs when where who why will with you your'.split(
    ' ',
  ),
);

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
  concept: 0.6,
  reference: 0.4,
  changelog: 0.4,
  decision: 0.4,
};

export const options = {
  fields: ['title', 'seen', 'text'],
  storeFields: ['title', 'to', 'kind'],
  tokenize,
  processTerm: stem,
  searchOptions: {
    boost: { title: 4, seen: 3 },
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

/** Splits a query into words. Each word is a list of spellings, and each spelling is a list of terms. */
function wordsOf(query) {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/[?!,;]+$/, ''))
    .filter((word) => tokenize(word).length > 0);
  const telling = words.filter((word) => !fillers.has(word));
  return (telling.length > 0 ? telling : words).map((word) => {
    const [whole, ...parts] = tokenize(word);
    const other = Object.hasOwn(synonyms, word) ? synonyms[word].split(' ') : [];
    return [[whole], ...(parts.length > 0 ? [parts] : []), ...other.map((one) => tokenize(one))];
  });
}

/** Returns the share of words with a spelling for which `has` accepts every term. */
const shareOf = (words, has) =>
  words.filter((spellings) => spellings.some((terms) => terms.every((term) => has(stem(term))))).length / words.length;

/** Raises the score with the share of matched words. Doubles it for an error page that contains the pasted message. */
function scoreOf({ score, kind, queryTerms, terms, match }, words) {
  const isMessage =
    kind === 'error' && words.length > 2 && shareOf(words, (term) => terms.includes(term) && match[term].includes('seen')) === 1;
  return score * shareOf(words, (term) => queryTerms.includes(term)) ** 3 * (isMessage ? 2 : 1);
}

/** Returns at most 12 hits, and at most three per page. Decisions come last. */
export function searchIn(index, query) {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const hits = index.search(words.flat(2).join(' '), { combineWith: 'OR' }).map((hit) => ({ ...hit, score: scoreOf(hit, words) }));
  const seen = new Map();
  return hits
    .filter(({ score }) => score > 0)
    .sort((one, other) => rankOf(one, query) - rankOf(other, query) || other.score - one.score)
    .filter(({ to }) => {
      const page = to.split('#')[0];
      seen.set(page, (seen.get(page) ?? 0) + 1);
      return seen.get(page) <= 3;
    })
    .slice(0, 12);
}
