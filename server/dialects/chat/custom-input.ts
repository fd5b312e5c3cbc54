/** Free-form tools for upstreams that know functions alone: the text travels as the one argument `input`, and is taken out again. */
import { isFields } from '../../../contract/rule.ts';
import type { CustomTool } from '../turn/turn.ts';

export const wrapInput = (text: string): string => JSON.stringify({ input: text });

export const inputSchema = {
  type: 'object',
  properties: { input: { type: 'string', description: 'The text for the tool, exactly as it is to receive it.' } },
  required: ['input'],
  additionalProperties: false,
} as const;

/** A function has no place for a grammar: the model reads it in the description. */
export function inputDescription({ description, grammar }: CustomTool): string | null {
  if (grammar === null) return description;
  const rule = `\`input\` has to match this ${grammar.syntax} grammar:\n${grammar.definition}`;
  return description ? `${description}\n\n${rule}` : rule;
}

const OPENING = /^\s*\{\s*"input"\s*:\s*"/;
/** Longer than any opening that a model writes: what has none by then is read at the end, as a whole. */
const LONGEST_OPENING = 256;

/**
 * Takes the text out of `{"input":"…"}` while it grows. Lenient, since a model wrote it: what is no such object comes out unchanged,
 * at the end.
 */
export class InputDecoder {
  #state: 'opening' | 'inside' | 'closed' | 'plain' = 'opening';
  /** What is not decoded yet: an opening, half an escape, or all of what has another form. */
  #held = '';

  push(piece: string): string {
    if (this.#state === 'closed') return '';
    this.#held += piece;
    if (this.#state === 'opening') this.#open();
    return this.#state === 'inside' ? this.#decode() : '';
  }

  /** What is left when the call is complete. */
  end(): string {
    const held = this.#held;
    this.#held = '';
    return this.#state === 'inside' || this.#state === 'closed' ? '' : inputIn(held);
  }

  #open(): void {
    const opening = OPENING.exec(this.#held);
    if (opening) {
      this.#state = 'inside';
      this.#held = this.#held.slice(opening[0].length);
    } else if (this.#held.length > LONGEST_OPENING) this.#state = 'plain';
  }

  #decode(): string {
    const text = this.#held;
    let decoded = '';
    let at = 0;
    while (at < text.length && this.#state === 'inside') {
      const next = nextMark(text, at);
      decoded += text.slice(at, next);
      at = next;
      if (text[at] === '"') this.#state = 'closed';
      if (text[at] !== '\\') continue;
      const found = readEscape(text.slice(at, at + 12));
      if (found === null) break;
      decoded += found.text;
      at += found.length;
    }
    this.#held = this.#state === 'closed' ? '' : text.slice(at);
    return decoded;
  }
}

function nextMark(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (text[at] === '"' || text[at] === '\\') return at;
  return text.length;
}

const simple: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', '/': '/' };
const UNIT = /^\\u([\da-f]{4})/i;
/** The first of two units waits for the second: apart, neither could be written as UTF-8. */
const UNFINISHED = /^\\(?:u(?:[\da-f]{0,3}|d[89ab][\da-f]{2}(?:\\(?:u[\da-f]{0,3})?)?))?$/i;

/** The escape that the text begins with; null while it is not all there. */
function readEscape(text: string): { readonly text: string; readonly length: number } | null {
  if (UNFINISHED.test(text)) return null;
  const unit = UNIT.exec(text)?.[1];
  if (unit !== undefined) return { text: String.fromCharCode(Number.parseInt(unit, 16)), length: 6 };
  const mark = text[1] ?? '';
  // `\d` is no escape of JSON: the model meant the backslash.
  return { text: simple[mark] ?? `\\${mark}`, length: 2 };
}

function inputIn(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'string') return value;
    return isFields(value) && typeof value.input === 'string' ? value.input : text;
  } catch {
    // A model that wrote the bare text meant just that.
    return text;
  }
}
