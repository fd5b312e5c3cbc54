/** A bound on the work of translating one request, counted in places that are visited (fields, entries, values), never in time. */
import { type CallCode, GatewayError } from '../../errors.ts';

/** Reading and writing a schema once visits less than one place for each of its bytes. */
const PLACES_PER_BYTE = 2;
/** The bound for a request of any length: twice the values that a body may hold, since one may be two places, a name and a schema. */
export const MOST_PLACES = 160_000;

/** The work for one field of the caller. */
export interface Budget {
  readonly param: string;
  /** Throws `invalid_value` above the request's bound. Call it before the work, or right after work that the body's size bounds. */
  spend(places: number): void;
}

/** One for the whole request: many small fields cost as much as a large one. */
export class Work {
  /** The most places for this request. */
  readonly most: number;
  #done = 0;

  /** `bytes`: the request's length. Absent: the bound of the longest request. */
  constructor(bytes: number = MOST_PLACES) {
    this.most = Math.min(bytes * PLACES_PER_BYTE, MOST_PLACES);
  }

  /** Places visited so far. */
  get done(): number {
    return this.#done;
  }

  /** The budget for the field with this name in the caller's request. */
  on(param: string): Budget {
    return {
      param,
      spend: (places) => {
        this.#done += places;
        if (this.#done > this.most) throw this.#tooMuch(param);
      },
    };
  }

  #tooMuch(param: string): GatewayError {
    const [most, longest] = [this.most, MOST_PLACES].map((count) => count.toLocaleString('en'));
    const bound = `${most} places, the most for a request of its size (${PLACES_PER_BYTE} for each byte, ${longest} at most)`;
    const message = `'${param}' is too much: what this request stands for, with the references and unions of its tools and the values packed in its texts written out, would come to more than ${bound}. Refer to less, or send less.`;
    return new GatewayError<CallCode>('invalid_value', { param, message });
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;

/** A bound on the values in a JSON text: one, and one more for each `,`, `[` and `{` outside of strings. */
export function valuesIn(text: string): number {
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(text, at);
    else if (code === COMMA || code === OPEN_LIST || code === OPEN_OBJECT) values++;
  }
  return values;
}

/** Index of the quote that closes the string; the end of the text when it is not closed. */
function stringEnd(text: string, open: number): number {
  let end = text.indexOf('"', open + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

/** Whether an odd number of backslashes stands before the quote. */
function isEscaped(text: string, quote: number): boolean {
  let first = quote;
  while (text.charCodeAt(first - 1) === BACKSLASH) first--;
  return (quote - first) % 2 === 1;
}
