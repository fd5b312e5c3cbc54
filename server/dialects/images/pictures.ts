/** Counts the images of an answer, and finds their size and quality, in its bytes: megabytes of base64 are not parsed. */
import type { Fields } from '../../../contract/rule.ts';

export interface Pictures {
  readonly count: number;
  /** `size/quality`: as requested; when the request leaves one to the upstream, as the answer says. */
  readonly kind: string;
  /** True when only a partial image was sent before a disconnect. */
  readonly isEstimated?: boolean;
}

const AUTO = 'auto';

/** `asked`: the caller's request. */
export function kindOf(asked: Fields, answer: Buffer): string {
  const part = (name: 'size' | 'quality'): string => {
    const word = asked[name];
    return typeof word === 'string' && word !== AUTO ? word : (lastWord(answer, name) ?? AUTO);
  };
  return `${part('size')}/${part('quality')}`;
}

/** The images of a whole answer: at most as many as were requested, since no more are forwarded. */
export function picturesIn(asked: Fields, answer: Buffer): Pictures {
  return { count: Math.min(countIn(answer), askedFor(asked)), kind: kindOf(asked, answer) };
}

export const countIn = (answer: Buffer): number => Math.max(occurrences(answer, '"b64_json"'), occurrences(answer, '"url"'));

export const askedFor = ({ n }: Fields): number => (typeof n === 'number' ? n : 1);

const PARTIAL = '.partial_image"';

/** Watches the images of a stream. */
export class PictureWatch {
  readonly #asked: Fields;
  #hasPartial = false;
  #kind: string;

  constructor(asked: Fields) {
    this.#asked = asked;
    this.#kind = kindOf(asked, Buffer.alloc(0));
  }

  /** Takes frames that are sent to the caller. */
  see(frames: Buffer): void {
    if (frames.length === 0) return;
    this.#hasPartial ||= frames.includes(PARTIAL);
    this.#kind = kindOf(this.#asked, frames);
  }

  /** The images to charge. A caller who disconnects after a partial image has received something; after a failure nothing is charged. */
  counted(end: 'completed' | 'failed' | 'client_gone'): Pictures {
    if (end === 'completed') return { count: 1, kind: this.#kind };
    const isTaken = end === 'client_gone' && this.#hasPartial;
    return { count: isTaken ? 1 : 0, kind: this.#kind, isEstimated: isTaken };
  }
}

/** The last value of a string field. Base64 holds no quotes, and JSON escapes a quote inside a string, so a quoted name is a field name. */
function lastWord(bytes: Buffer, name: string): string | undefined {
  const at = bytes.lastIndexOf(`"${name}"`);
  if (at < 0) return undefined;
  const word = /^"\w+"\s*:\s*"([\w*.-]{1,32})"/.exec(bytes.toString('latin1', at, at + 96))?.[1];
  return word === AUTO ? undefined : word;
}

export function occurrences(bytes: Buffer, name: string): number {
  let count = 0;
  for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at + name.length)) count += 1;
  return count;
}
