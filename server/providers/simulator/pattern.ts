/**
 * A string that matches a regular expression, built from the expression without ever running it:
 * a caller's expression may take years to run.
 */
import type { Budget } from './budget.ts';

const MAX_CHARACTERS = 1_000;
/** Repeating text is this much cheaper per character than reading the expression. */
const CHARACTERS_PER_STEP = 32;
const MAX_DEPTH = 32;

interface PatternReader {
  readonly pattern: string;
  at: number;
  depth: number;
  /** How often to repeat `*` and `+`, if that exceeds their minimum. */
  readonly extra: number;
  readonly budget: Budget;
}

/** Returns at least `least` characters if the expression allows it. Look-around and back references aren't supported. */
export function samplePattern(pattern: string, minLength: number, budget: Budget): string {
  const sample = (minRepeats: number) =>
    readAlternatives({ pattern: pattern.slice(0, MAX_CHARACTERS), at: 0, depth: 0, extra: minRepeats, budget });
  let [low, high] = [0, 0];
  let text = sample(high);
  // More repeats never shorten the text: finds the fewest that suffice by doubling, then by bisection.
  while (text.length < minLength && high < Math.min(minLength, MAX_CHARACTERS)) {
    low = high + 1;
    high = Math.min(Math.max(1, high * 2), minLength, MAX_CHARACTERS);
    text = sample(high);
  }
  while (low < high) {
    const middle = (low + high) >> 1;
    const shorterText = sample(middle);
    if (shorterText.length < minLength) low = middle + 1;
    else [high, text] = [middle, shorterText];
  }
  return text;
}

/** Returns a string for the first alternative, and skips the others. */
function readAlternatives(reader: PatternReader): string {
  const first = readSequence(reader);
  while (reader.pattern[reader.at] === '|') {
    reader.at += 1;
    readSequence(reader);
  }
  return first;
}

function readSequence(reader: PatternReader): string {
  let text = '';
  while (reader.at < reader.pattern.length && !'|)'.includes(reader.pattern.charAt(reader.at))) {
    const atom = readAtom(reader);
    const [minCount, maxCount] = readRepeat(reader);
    const times = Math.min(Math.max(minCount, reader.extra), maxCount);
    const maxRepeats = atom === '' ? 0 : Math.ceil((MAX_CHARACTERS - text.length) / atom.length);
    const repeatedAtom = atom.repeat(Math.min(times, maxRepeats));
    reader.budget.spend(1 + Math.ceil(repeatedAtom.length / CHARACTERS_PER_STEP));
    text = (text + repeatedAtom).slice(0, MAX_CHARACTERS);
  }
  return text;
}

/** Returns the minimum and maximum repeats. */
function readRepeat(reader: PatternReader): [number, number] {
  const repeatMatch = /^(?:([*+?])|\{(\d{1,6})(,(\d{0,6}))?\})\??/.exec(reader.pattern.slice(reader.at, reader.at + 24));
  if (!repeatMatch) return [1, 1];
  reader.at += repeatMatch[0].length;
  if (repeatMatch[1]) return [repeatMatch[1] === '+' ? 1 : 0, repeatMatch[1] === '?' ? 1 : MAX_CHARACTERS];
  const minCount = Number(repeatMatch[2]);
  return [minCount, repeatMatch[3] ? Number(repeatMatch[4] || MAX_CHARACTERS) : minCount];
}

function readAtom(reader: PatternReader): string {
  const character = reader.pattern.charAt(reader.at);
  reader.at += 1;
  switch (character) {
    case '^':
    case '$':
      return '';
    case '.':
      return 'a';
    case '\\':
      return readEscape(reader);
    case '[':
      return readClass(reader);
    case '(':
      return readGroup(reader);
    default:
      return character;
  }
}

function readGroup(reader: PatternReader): string {
  const opening = /^\?(?:<?[=!]|:|<[^>]{0,60}>)/.exec(reader.pattern.slice(reader.at, reader.at + 64))?.[0] ?? '';
  reader.at += opening.length;
  reader.depth += 1;
  const text = reader.depth > MAX_DEPTH ? '' : readAlternatives(reader);
  reader.depth -= 1;
  if (reader.pattern[reader.at] === ')') reader.at += 1;
  else if (reader.depth >= MAX_DEPTH) reader.at = reader.pattern.length;
  return /[=!]$/.test(opening) ? '' : text;
}

const escapes: Readonly<Record<string, string>> = {
  d: '0',
  D: 'a',
  w: 'a',
  W: '-',
  s: ' ',
  S: 'a',
  b: '',
  B: '',
  t: '\t',
  n: '\n',
  r: '\r',
};

function readEscape(reader: PatternReader): string {
  const remainder = reader.pattern.slice(reader.at, reader.at + 40);
  const propertyMatch = /^[pP]\{([^}]{1,32})\}/.exec(remainder);
  const codeMatch = /^(?:u([\da-f]{4})|u\{([\da-f]{1,5})\}|x([\da-f]{2}))/i.exec(remainder);
  const escapeMatch = propertyMatch ?? codeMatch;
  reader.at += escapeMatch ? escapeMatch[0].length : 1;
  if (propertyMatch) return sampleProperty(propertyMatch[0].startsWith('p'), propertyMatch[1] ?? '');
  if (codeMatch) return String.fromCodePoint(Number.parseInt(codeMatch[1] ?? codeMatch[2] ?? codeMatch[3] ?? '61', 16));
  return escapes[remainder.charAt(0)] ?? remainder.charAt(0);
}

function sampleProperty(isMember: boolean, name: string): string {
  const sample = /^(Lu|Uppercase)/.test(name) ? 'A' : /^N/.test(name) ? '0' : /^P/.test(name) ? '-' : 'a';
  if (isMember) return sample;
  return sample === '0' || sample === '-' ? 'a' : '0';
}

/** Returns the first member of `[abc]`, or a plain character that `[^abc]` doesn't exclude. */
function readClass(reader: PatternReader): string {
  const isNegated = reader.pattern[reader.at] === '^';
  if (isNegated) reader.at += 1;
  const members: [string, string][] = [];
  while (reader.at < reader.pattern.length && reader.pattern[reader.at] !== ']') members.push(readMember(reader));
  reader.at += 1;
  if (!isNegated) return members[0]?.[0] ?? '';
  const isExcludedByNone = (candidate: string) => members.every(([from, to]) => candidate < from || candidate > to);
  return [...'a- .~é0A_'].find(isExcludedByNone) ?? '';
}

/** Reads a single member, or the ends of a range. A class such as `\d` becomes a range. */
function readMember(reader: PatternReader): [string, string] {
  const isEscape = reader.pattern[reader.at] === '\\';
  const letter = reader.pattern.charAt(reader.at + 1);
  const from = readClassCharacter(reader);
  if (isEscape && /[dwsDWSpP]/.test(letter)) return letter === 'd' ? ['0', '9'] : letter === 'w' ? ['a', 'z'] : [from, from];
  if (reader.pattern[reader.at] !== '-' || reader.pattern[reader.at + 1] === ']') return [from, from];
  reader.at += 1;
  return [from, readClassCharacter(reader)];
}

function readClassCharacter(reader: PatternReader): string {
  const character = reader.pattern.charAt(reader.at);
  reader.at += 1;
  return character === '\\' ? readEscape(reader) : character;
}
