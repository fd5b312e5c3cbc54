/** Limits the work that a request can cause, in proportion to its length. */
import { type CallCode, GatewayError } from '../../primitives/errors.ts';

/** Reading and writing a schema once visits less than one place per byte. */
const VALUES_PER_BYTE = 2;

/** The limit for any request: twice the maximum number of values in a body, because a value can be two places, a name and a schema. */
export const MAX_WORK_VALUES = 160_000;

/** The budget for one field of the caller's request. */
export interface Budget {
  readonly param: string;
  /** Throws `invalid_value` if the request exceeds its limit. Call this before the work, or right after work that the body's size already bounds. */
  spend(count: number): void;
}

/** Shared by the entire request, because many small fields cost as much as one large field. */
export class WorkBudget {
  /** The maximum number of places for this request. */
  readonly most: number;
  #spentValues = 0;

  /** `bytes` is the length of the request. If omitted, the budget is that of the longest request. */
  constructor(bytes: number = MAX_WORK_VALUES) {
    this.most = Math.min(bytes * VALUES_PER_BYTE, MAX_WORK_VALUES);
  }

  get spentValues(): number {
    return this.#spentValues;
  }

  /** The budget for a field, by its name in the caller's request. */
  forField(param: string): Budget {
    return {
      param,
      spend: (count) => {
        this.#spentValues += count;
        if (this.#spentValues > this.most) throw this.#createTooComplexError(param);
      },
    };
  }

  #createTooComplexError(param: string): GatewayError {
    const [limitText, maxText] = [this.most, MAX_WORK_VALUES].map((count) => count.toLocaleString('en'));
    const limitDescription = `${limitText} values, the limit for its size (${VALUES_PER_BYTE} per byte, at most ${maxText})`;
    const message = `'${param}' is too complex: with references, unions, and packed values expanded, the request exceeds ${limitDescription}. Simplify the schemas or send less.`;
    return new GatewayError<CallCode>('invalid_value', { param, message });
  }
}

const QUOTE = 0x22;

const COMMA = 0x2c;

const OPEN_LIST = 0x5b;

const BACKSLASH = 0x5c;

const OPEN_OBJECT = 0x7b;

/** An upper bound on the values in a JSON text: 1, plus 1 for each `,`, `[`, and `{` outside of strings. */
export function countValues(text: string): number {
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = findStringEnd(text, at);
    else if (code === COMMA || code === OPEN_LIST || code === OPEN_OBJECT) values++;
  }
  return values;
}

/** The index of the quote that closes the string. The end of the text if the string isn't closed. */
function findStringEnd(text: string, open: number): number {
  let end = text.indexOf('"', open + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

/** True if an odd number of backslashes precedes the quote. */
function isEscaped(text: string, quote: number): boolean {
  let first = quote;
  while (text.charCodeAt(first - 1) === BACKSLASH) first--;
  return (quote - first) % 2 === 1;
}
