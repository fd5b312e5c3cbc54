/** What one request may cost to be said in the words of another protocol: counted in places that are looked at, never in time. */
import { type CallCode, GatewayError } from '../../errors.ts';

/** To read a schema and to write it out once takes less than one for each byte of it. */
const PLACES_PER_BYTE = 2;
/** However long the request is: twice the values that a body may hold, each of which may be two places, a name and a schema. */
export const MOST_PLACES = 160_000;

/** What is looked at for one field of the caller's. */
export interface Budget {
  readonly param: string;
  /** Throws `invalid_value` over the bound of the request. Called before the work, or right behind so much of it as was there in the bytes. */
  spend(places: number): void;
}

/** One for all that is translated of a request: many small fields are no cheaper than a large one. */
export class Work {
  /** How much this request may take. */
  readonly most: number;
  #done = 0;

  /** `bytes`: of the request. Left out, the bound is that of the longest. */
  constructor(bytes: number = MOST_PLACES) {
    this.most = Math.min(bytes * PLACES_PER_BYTE, MOST_PLACES);
  }

  /** Places looked at so far. */
  get done(): number {
    return this.#done;
  }

  /** For the field that the caller calls so. */
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

/** How many values a text holds if it is JSON: one stands behind each `,`, `[` and `{` outside of its strings. */
export function valuesIn(text: string): number {
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(text, at);
    else if (code === COMMA || code === OPEN_LIST || code === OPEN_OBJECT) values++;
  }
  return values;
}

/** Where the string that opens here closes; the end of the text where it does not. Its escapes alone are looked at one by one. */
function stringEnd(text: string, open: number): number {
  let end = text.indexOf('"', open + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

/** An odd number of backslashes before it. */
function isEscaped(text: string, quote: number): boolean {
  let first = quote;
  while (text.charCodeAt(first - 1) === BACKSLASH) first--;
  return (quote - first) % 2 === 1;
}
