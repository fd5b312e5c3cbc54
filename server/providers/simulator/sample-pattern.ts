/**
 * Creates a string that matches a regular expression, without ever running it: a caller's expression may take years to run. Only its character classes run,
 * each on single characters.
 */
import type { Budget } from './budget.ts';

const MAX_CHARACTERS = 1_000;
/** Repeating text is this much cheaper per character than reading the expression. */
const CHARACTERS_PER_STEP = 32;
/** Measured: reading an atom, compiling a class and trying the candidates, and failing to compile it. */
const STEPS_PER_ATOM = 5;
const STEPS_PER_CLASS = 60;
const STEPS_PER_INVALID_CLASS = 500;
const MAX_DEPTH = 32;

/** A character or a group, and how often it may be repeated. */
interface Piece {
  readonly atom: string | readonly Piece[];
  readonly min: number;
  readonly max: number;
}

/** Returns at least `minLength` characters if the expression allows it. Lookaround and backreferences aren't supported. */
export function samplePattern(pattern: string, minLength: number, budget: Budget): string {
  const pieces = new PatternReader(pattern.slice(0, MAX_CHARACTERS), budget).readAlternatives();
  const shortest = repeatPieces(pieces, { missing: 0 }, budget);
  return shortest.length >= minLength ? shortest : repeatPieces(pieces, { missing: minLength - shortest.length }, budget);
}

/** Repeats each piece as often as it must be, and the first pieces that can be repeated more until no characters are missing. */
function repeatPieces(pieces: readonly Piece[], goal: { missing: number }, budget: Budget): string {
  let text = '';
  for (const { atom, min, max } of pieces) {
    budget.spend(1);
    if (max === 0 || (min === 0 && goal.missing <= 0)) continue;
    const { missing } = goal;
    const unit = typeof atom === 'string' ? atom : repeatPieces(atom, goal, budget);
    if (unit === '') continue;
    // An optional piece adds all its characters, a required one only its inner repeats, which are already subtracted.
    if (min === 0) goal.missing = missing - unit.length;
    const required = Math.max(min, 1);
    const extra = Math.max(0, Math.min(max - required, Math.ceil(goal.missing / unit.length)));
    goal.missing -= extra * unit.length;
    const repeatedText = unit.repeat(Math.min(required + extra, Math.ceil(MAX_CHARACTERS / unit.length)));
    budget.spend(Math.ceil(repeatedText.length / CHARACTERS_PER_STEP));
    text = (text + repeatedText).slice(0, MAX_CHARACTERS);
  }
  return text;
}

/** A class, an escape, the start of a group, or a single character. */
const TOKEN =
  /\[(?:\\.|[^\]\\])*\]|\\(?:[pP]\{[^}]{1,32}\}|u[\da-f]{4}|u\{[\da-f]{1,5}\}|x[\da-f]{2}|k<[^>]{0,60}>|.)|\(\?(?:<?[=!]|:|<[^>]{0,60}>)|./isuy;
const REPEAT = /(?:([*+?])|\{(\d{1,6})(,(\d{0,6}))?\})\??/y;

class PatternReader {
  readonly #pattern: string;
  readonly #budget: Budget;
  #index = 0;
  #depth = 0;

  constructor(pattern: string, budget: Budget) {
    this.#pattern = pattern;
    this.#budget = budget;
  }

  /** Returns the first alternative, and skips the others. */
  readAlternatives(): readonly Piece[] {
    const first = this.#readSequence();
    while (this.#pattern[this.#index] === '|') {
      this.#index += 1;
      this.#readSequence();
    }
    return first;
  }

  #readSequence(): readonly Piece[] {
    const pieces: Piece[] = [];
    while (this.#index < this.#pattern.length && !'|)'.includes(this.#pattern.charAt(this.#index)))
      pieces.push({ atom: this.#readAtom(), ...this.#readRepeat() });
    return pieces;
  }

  #match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#index;
    const match = expression.exec(this.#pattern);
    if (match) this.#index = expression.lastIndex;
    return match;
  }

  #readAtom(): Piece['atom'] {
    this.#budget.spend(STEPS_PER_ATOM);
    const token = this.#match(TOKEN)?.[0] ?? '';
    if (token.startsWith('(')) return this.#readGroup(token);
    if (token === '^' || token === '$') return '';
    if (token === '.') return 'a';
    return /^[[\\]./su.test(token) ? sampleClass(token, this.#budget) : token;
  }

  /** Skips lookaround, and everything after groups that are nested too deeply. */
  #readGroup(opening: string): Piece['atom'] {
    if (this.#depth === MAX_DEPTH) this.#index = this.#pattern.length;
    this.#depth += 1;
    const pieces = this.readAlternatives();
    this.#depth -= 1;
    this.#index += 1;
    return /[=!]$/.test(opening) ? '' : pieces;
  }

  #readRepeat(): Pick<Piece, 'min' | 'max'> {
    const [text, sign, count, comma, maximum] = this.#match(REPEAT) ?? [];
    if (text === undefined) return { min: 1, max: 1 };
    if (sign !== undefined) return { min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : MAX_CHARACTERS };
    return { min: Number(count), max: Number(comma === undefined ? count : maximum || MAX_CHARACTERS) };
  }
}

const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
const CANDIDATES = [...'a0A- .~_', ...ASCII, ...'\t\n\réα中'];

/** Returns a character that the class or escape matches. Empty for an assertion, such as `\b`. */
function sampleClass(token: string, budget: Budget): string {
  budget.spend(STEPS_PER_CLASS + token.length);
  const expression = compileClass(token, 'u', budget) ?? compileClass(token, '', budget);
  if (!expression) return '';
  const codes = [...token.matchAll(/\\(?:u([\da-f]{4})|u\{([\da-f]{1,5})\}|x([\da-f]{2}))/gi)];
  const characters = codes.map((code) => String.fromCodePoint(Number.parseInt(code.slice(1).join(''), 16)));
  return [...CANDIDATES, ...characters, ...token].find((candidate) => expression.test(candidate)) ?? '';
}

/** Null if the class is invalid. Some escapes are valid only without the `u` flag. */
function compileClass(token: string, flags: string, budget: Budget): RegExp | null {
  try {
    return new RegExp(`^${token}$`, flags);
  } catch {
    budget.spend(STEPS_PER_INVALID_CLASS);
    return null;
  }
}
