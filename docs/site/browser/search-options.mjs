/** How texts are cut into words and weighed: the same for the index and for the page that searches it. */

/** Other spellings of a word; each has a test. */
const synonyms = {
  healthcheck: 'health check',
  topup: 'top-up',
  ratelimit: 'rate limit',
  'rate-limit': 'rate limit',
  apikey: 'api key',
  k8s: 'kubernetes',
  postgres: 'postgresql',
  timeout: 'timeout timed',
  cost: 'costs',
  price: 'prices',
  pricing: 'prices costs',
  billing: 'costs charged',
  invoice: 'statement receipt',
  upgrade: 'upgrade releases',
  websearch: 'web_search',
  login: 'sign',
  sso: 'single sign-on',
  failover: 'candidates fallback',
  fallback: 'candidates',
  'json mode': 'response_format',
};

/** The whole word and its parts: `response.completed`, `/v1`, `retry-after`. */
export function tokenize(text) {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_][\p{L}\p{N}_./:-]*|\/[\p{L}\p{N}_./-]+/gu) ?? [];
  return words.flatMap((word) => {
    const whole = word.replace(/[./:-]+$/, '');
    const parts = whole.split(/[./:_-]+/).filter((part) => part !== '');
    return parts.length > 1 ? [whole, ...parts] : [whole];
  });
}

/** What somebody typed, with other spellings of its words. */
export const expand = (query) =>
  query
    .toLowerCase()
    .split(/\s+/)
    .map((word) => (Object.hasOwn(synonyms, word) ? `${synonyms[word]}` : word))
    .join(' ');

const weights = { error: 1.6, operation: 1.4, guide: 1.25, home: 1, start: 1.25, concept: 0.9, field: 0.75, changelog: 0.3, decision: 0.4 };

export const options = {
  fields: ['title', 'seen', 'text'],
  storeFields: ['title', 'to', 'kind'],
  tokenize,
  processTerm: (term) => term,
  searchOptions: {
    boost: { title: 4, seen: 3 },
    prefix: (term) => term.length > 2,
    fuzzy: (term) => (term.length > 5 && !/[\d_./]/.test(term) ? 0.15 : false),
    boostDocument: (_id, _term, { kind, to } = {}) => (weights[kind] ?? 1) * (String(to).includes('#') ? 0.8 : 1),
  },
};

/** A field of a text model's request comes first when just its name was typed, and after it those of other operations. */
function rankOf({ title, to, kind }, query) {
  if (kind !== 'field' || !title.startsWith(`${query.trim()} (`)) return 2;
  return /^reference\/create(?:ChatCompletion|Response)#/.test(to) ? 0 : 1;
}

/** All words must be there; only where nothing has them all, any. The first hit of a page stands for the page where several are alike. */
export function searchIn(index, query) {
  const text = expand(query);
  const all = index.search(text, { combineWith: 'AND' });
  const hits = all.length > 0 ? all : index.search(text, { combineWith: 'OR' });
  const seen = new Map();
  return [...hits]
    .sort((one, other) => rankOf(one, query) - rankOf(other, query))
    .filter(({ to }) => {
      const page = to.split('#')[0];
      seen.set(page, (seen.get(page) ?? 0) + 1);
      return seen.get(page) <= 3;
    })
    .slice(0, 12);
}
