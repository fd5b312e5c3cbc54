/** Custom tools for upstreams that only have functions: the free text is wrapped as the single argument `input`, and unwrapped from the answer. */
import { isFields } from '../../../contract/rule.ts';
import type { CustomTool } from '../turn/turn.ts';

export const wrapInput = (text: string): string => JSON.stringify({ input: text });

export const inputSchema = {
  type: 'object',
  properties: { input: { type: 'string', description: 'The text for the tool, exactly as it is to receive it.' } },
  required: ['input'],
  additionalProperties: false,
} as const;

/** A function has no field for a grammar: it is written into the description, for the model. */
export function inputDescription({ description, grammar }: CustomTool): string | null {
  if (grammar === null) return description;
  const rule = `\`input\` has to match this ${grammar.syntax} grammar:\n${grammar.definition}`;
  return description ? `${description}\n\n${rule}` : rule;
}

const OPENING = /^\s*\{\s*"input"\s*:\s*"/;
/** Longer than any opening that a model writes: a text without one by then is read as a whole, at the end. */
const LONGEST_OPENING = 256;

/**
 * Extracts the text of `{"input":"…"}` while it grows. It is lenient, since a model wrote it: text of any other form is read
 * as a whole, at the end.
 */
export class InputDecoder {
  #state: 'opening' | 'inside' | 'closed' | 'plain' = 'opening';
  /** Text that is not decoded yet: an opening, a part of an escape, or a whole text of another form. */
  #held = '';

  push(piece: string): string {
    if (this.#state === 'closed') return '';
    this.#held += piece;
    if (this.#state === 'opening') this.#open();
    return this.#state === 'inside' ? this.#decode() : '';
  }

  /** The rest of the text, when the call is complete. */
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
/** A high surrogate waits for its low surrogate: neither can be written as UTF-8 alone. */
const UNFINISHED = /^\\(?:u(?:[\da-f]{0,3}|d[89ab][\da-f]{2}(?:\\(?:u[\da-f]{0,3})?)?))?$/i;

/** The escape at the start of the text; null while it is incomplete. */
function readEscape(text: string): { readonly text: string; readonly length: number } | null {
  if (UNFINISHED.test(text)) return null;
  const unit = UNIT.exec(text)?.[1];
  if (unit !== undefined) return { text: String.fromCharCode(Number.parseInt(unit, 16)), length: 6 };
  const mark = text[1] ?? '';
  // `\d` is no JSON escape: the model meant the backslash.
  return { text: simple[mark] ?? `\\${mark}`, length: 2 };
}

function inputIn(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'string') return value;
    return isFields(value) && typeof value.input === 'string' ? value.input : text;
  } catch {
    // It is no JSON: the model wrote the bare text.
    return text;
  }
}
