/** Wraps the free text of a custom tool as the argument `input`, for upstreams that only have functions, and unwraps it from the response. */

import { isFields } from '../../primitives/fields.ts';
import type { CustomTool } from './canonical-request.ts';

export const wrapCustomInput = (text: string): string => JSON.stringify({ input: text });

export const customInputSchema = {
  type: 'object',
  properties: { input: { type: 'string', description: 'The exact text to pass to the tool.' } },
  required: ['input'],
  additionalProperties: false,
} as const;

/** Adds the grammar to the description, because a function has no field for one. */
export function describeCustomInput({ description, grammar }: CustomTool): string | null {
  if (grammar === null) return description;
  const grammarText = `\`input\` must match this ${grammar.syntax} grammar:\n${grammar.definition}`;
  return description ? `${description}\n\n${grammarText}` : grammarText;
}

const OPENING_PATTERN = /^\s*\{\s*"input"\s*:\s*"/;

/** Longer than any opening that a model writes. Longer text without an opening is read in full at the end. */
const MAX_OPENING_LENGTH = 256;

/**
 * Extracts the text of `{"input":"…"}` incrementally. It's lenient, because a model wrote the JSON: text in any other form is read in full at the
 * end.
 */
export class CustomInputDecoder {
  #state: 'opening' | 'inside' | 'closed' | 'plain' = 'opening';
  /** Text that isn't decoded yet: an opening, a partial escape, or an entire text in another form. */
  #pendingText = '';

  push(piece: string): string {
    if (this.#state === 'closed') return '';
    this.#pendingText += piece;
    if (this.#state === 'opening') this.#readOpening();
    return this.#state === 'inside' ? this.#decode() : '';
  }

  /** Returns the remaining text after the call is complete. */
  end(): string {
    const pendingText = this.#pendingText;
    this.#pendingText = '';
    return this.#state === 'inside' || this.#state === 'closed' ? '' : extractInput(pendingText);
  }

  #readOpening(): void {
    const opening = OPENING_PATTERN.exec(this.#pendingText);
    if (opening) {
      this.#state = 'inside';
      this.#pendingText = this.#pendingText.slice(opening[0].length);
    } else if (this.#pendingText.length > MAX_OPENING_LENGTH) this.#state = 'plain';
  }

  #decode(): string {
    const text = this.#pendingText;
    let output = '';
    let at = 0;
    while (at < text.length && this.#state === 'inside') {
      const next = findNextSpecial(text, at);
      output += text.slice(at, next);
      at = next;
      if (text[at] === '"') this.#state = 'closed';
      if (text[at] !== '\\') continue;
      const escapeSequence = readEscape(text.slice(at, at + 12));
      if (escapeSequence === null) break;
      output += escapeSequence.text;
      at += escapeSequence.length;
    }
    this.#pendingText = this.#state === 'closed' ? '' : text.slice(at);
    return output;
  }
}

function findNextSpecial(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (text[at] === '"' || text[at] === '\\') return at;
  return text.length;
}

const simpleEscapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', '/': '/' };

const UNICODE_ESCAPE = /^\\u([\da-f]{4})/i;

/** A high surrogate must wait for its low surrogate: neither can be encoded as UTF-8 alone. */
const INCOMPLETE_ESCAPE = /^\\(?:u(?:[\da-f]{0,3}|d[89ab][\da-f]{2}(?:\\(?:u[\da-f]{0,3})?)?))?$/i;

/** The escape at the start of the text. Null if it's incomplete. */
function readEscape(text: string): { readonly text: string; readonly length: number } | null {
  if (INCOMPLETE_ESCAPE.test(text)) return null;
  const codeUnit = UNICODE_ESCAPE.exec(text)?.[1];
  if (codeUnit !== undefined) return { text: String.fromCharCode(Number.parseInt(codeUnit, 16)), length: 6 };
  const escapedCharacter = text[1] ?? '';
  // `\d` isn't a JSON escape: the model meant a literal backslash.
  return { text: simpleEscapes[escapedCharacter] ?? `\\${escapedCharacter}`, length: 2 };
}

function extractInput(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'string') return value;
    return isFields(value) && typeof value.input === 'string' ? value.input : text;
  } catch {
    // The text isn't JSON: the model wrote it without the wrapper.
    return text;
  }
}

/** The free text in the complete arguments of a wrapped tool. */
export function unwrapCustomInput(json: string): string {
  const decoder = new CustomInputDecoder();
  return decoder.push(json) + decoder.end();
}
