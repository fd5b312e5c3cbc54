/**
 * A string that matches a regular expression, built from the expression without ever running it:
 * a caller's expression may take years to run.
 */
import { type CallCode, GatewayError } from '../errors.ts';

const MAX_CHARACTERS = 1_000;
/** Repeating a text costs so much less than reading the expression. */
const CHARACTERS_PER_STEP = 32;
const MAX_DEPTH = 32;

interface Reader {
  readonly pattern: string;
  at: number;
  depth: number;
  /** How often `*` and `+` repeat, beyond what they must. */
  readonly extra: number;
  readonly budget: Budget;
}

/** At least `least` characters long where the expression allows. Look-around and back references aren't understood. */
export function samplePattern(pattern: string, least: number, budget: Budget): string {
  const sample = (extra: number) => readAlternatives({ pattern: pattern.slice(0, MAX_CHARACTERS), at: 0, depth: 0, extra, budget });
  let [low, high] = [0, 0];
  let found = sample(high);
  // More repeats never make it shorter: the fewest that do are found by doubling, then by halving.
  while (found.length < least && high < Math.min(least, MAX_CHARACTERS)) {
    low = high + 1;
    high = Math.min(Math.max(1, high * 2), least, MAX_CHARACTERS);
    found = sample(high);
  }
  while (low < high) {
    const middle = (low + high) >> 1;
    const tried = sample(middle);
    if (tried.length < least) low = middle + 1;
    else [high, found] = [middle, tried];
  }
  return found;
}

/** The first alternative; the others are read and dropped. */
function readAlternatives(reader: Reader): string {
  const first = readSequence(reader);
  while (reader.pattern[reader.at] === '|') {
    reader.at += 1;
    readSequence(reader);
  }
  return first;
}

function readSequence(reader: Reader): string {
  let text = '';
  while (reader.at < reader.pattern.length && !'|)'.includes(reader.pattern.charAt(reader.at))) {
    const atom = readAtom(reader);
    const [least, most] = readRepeat(reader);
    const times = Math.min(Math.max(least, reader.extra), most);
    const fitting = atom === '' ? 0 : Math.ceil((MAX_CHARACTERS - text.length) / atom.length);
    const added = atom.repeat(Math.min(times, fitting));
    reader.budget.spend(1 + Math.ceil(added.length / CHARACTERS_PER_STEP));
    text = (text + added).slice(0, MAX_CHARACTERS);
  }
  return text;
}

/** The least and the greatest number of times. */
function readRepeat(reader: Reader): [number, number] {
  const found = /^(?:([*+?])|\{(\d{1,6})(,(\d{0,6}))?\})\??/.exec(reader.pattern.slice(reader.at, reader.at + 24));
  if (!found) return [1, 1];
  reader.at += found[0].length;
  if (found[1]) return [found[1] === '+' ? 1 : 0, found[1] === '?' ? 1 : MAX_CHARACTERS];
  const least = Number(found[2]);
  return [least, found[3] ? Number(found[4] || MAX_CHARACTERS) : least];
}

function readAtom(reader: Reader): string {
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

function readGroup(reader: Reader): string {
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

function readEscape(reader: Reader): string {
  const rest = reader.pattern.slice(reader.at, reader.at + 40);
  const property = /^[pP]\{([^}]{1,32})\}/.exec(rest);
  const code = /^(?:u([\da-f]{4})|u\{([\da-f]{1,5})\}|x([\da-f]{2}))/i.exec(rest);
  const known = property ?? code;
  reader.at += known ? known[0].length : 1;
  if (property) return sampleProperty(property[0].startsWith('p'), property[1] ?? '');
  if (code) return String.fromCodePoint(Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '61', 16));
  return escapes[rest.charAt(0)] ?? rest.charAt(0);
}

function sampleProperty(isMember: boolean, name: string): string {
  const sample = /^(Lu|Uppercase)/.test(name) ? 'A' : /^N/.test(name) ? '0' : /^P/.test(name) ? '-' : 'a';
  if (isMember) return sample;
  return sample === '0' || sample === '-' ? 'a' : '0';
}

/** Of `[abc]` the first member; of `[^abc]` a plain character that is none of them. */
function readClass(reader: Reader): string {
  const isNegated = reader.pattern[reader.at] === '^';
  if (isNegated) reader.at += 1;
  const members: [string, string][] = [];
  while (reader.at < reader.pattern.length && reader.pattern[reader.at] !== ']') members.push(readMember(reader));
  reader.at += 1;
  if (!isNegated) return members[0]?.[0] ?? '';
  const isOutside = (candidate: string) => members.every(([from, to]) => candidate < from || candidate > to);
  return [...'a- .~é0A_'].find(isOutside) ?? '';
}

/** A single member, or the two ends of a range; a class such as `\d` as the range it stands for. */
function readMember(reader: Reader): [string, string] {
  const isEscape = reader.pattern[reader.at] === '\\';
  const letter = reader.pattern.charAt(reader.at + 1);
  const from = readClassCharacter(reader);
  if (isEscape && /[dwsDWSpP]/.test(letter)) return letter === 'd' ? ['0', '9'] : letter === 'w' ? ['a', 'z'] : [from, from];
  if (reader.pattern[reader.at] !== '-' || reader.pattern[reader.at + 1] === ']') return [from, from];
  reader.at += 1;
  return [from, readClassCharacter(reader)];
}

function readClassCharacter(reader: Reader): string {
  const character = reader.pattern.charAt(reader.at);
  reader.at += 1;
  return character === '\\' ? readEscape(reader) : character;
}

/** One step is a look at one name, node or part of a pattern: a hundred milliseconds at the very most. */
export const MAX_STEPS = 1_000_000;

export class Budget {
  /** The characters that may still be made. With none left, the text is longer than any answer, which is then cut as that of a model. */
  characters: number;
  /** How many steps were taken. */
  steps = 0;
  /** The field whose schema is filled, and the schema in words: for a refusal. */
  #param = '';
  #what = '';

  constructor(characters: number) {
    this.characters = characters;
  }

  begin(param: string, what: string): void {
    this.#param = param;
    this.#what = what;
  }

  /** Throws when no steps are left. */
  spend(steps: number): void {
    this.steps += steps;
    if (this.steps <= MAX_STEPS) return;
    const message = `The built-in simulator fills a schema in at most ${MAX_STEPS} steps, and ${this.#what} needs more. Send a smaller one.`;
    throw new GatewayError<CallCode>('invalid_value', { message, param: this.#param });
  }

  /** As many of them as are left. */
  take(characters: number): void {
    this.characters = Math.max(0, this.characters - characters);
  }

  get isSpent(): boolean {
    return this.characters === 0;
  }

  /** Of a value that is the caller's own; it is looked at no further than the budget goes. */
  takeValue(value: unknown): void {
    const open = [value];
    while (open.length > 0 && !this.isSpent) {
      const next = open.pop();
      this.take(typeof next === 'string' ? next.length + 2 : 1);
      if (typeof next !== 'object' || next === null) continue;
      for (const entry of Object.values(next)) open.push(entry);
      if (!Array.isArray(next)) for (const key of Object.keys(next)) this.take(key.length + 2);
    }
  }
}
