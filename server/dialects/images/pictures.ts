/** Pictures in an answer: how many, and of which size and quality, told from its bytes; megabytes of base64 are not parsed for that. */
import type { Fields } from '../../../contract/rule.ts';

export interface Pictures {
  readonly count: number;
  /** `size/quality`: what was asked, and where that was left to the upstream, what it says it made. */
  readonly kind: string;
  /** Nobody said that the picture is whole. */
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

/** In a whole answer: no more than were asked for, since no more are handed on. */
export function picturesIn(asked: Fields, answer: Buffer): Pictures {
  return { count: Math.min(countIn(answer), askedFor(asked)), kind: kindOf(asked, answer) };
}

export const countIn = (answer: Buffer): number => Math.max(occurrences(answer, '"b64_json"'), occurrences(answer, '"url"'));

export const askedFor = ({ n }: Fields): number => (typeof n === 'number' ? n : 1);

const PARTIAL = '.partial_image"';

/** In a stream. */
export class PictureWatch {
  readonly #asked: Fields;
  #hasPartial = false;
  #kind: string;

  constructor(asked: Fields) {
    this.#asked = asked;
    this.#kind = kindOf(asked, Buffer.alloc(0));
  }

  /** Frames on their way to the caller. */
  see(frames: Buffer): void {
    if (frames.length === 0) return;
    this.#hasPartial ||= frames.includes(PARTIAL);
    this.#kind = kindOf(this.#asked, frames);
  }

  /** Whoever left with a partial picture took something along; where the upstream failed, nobody got what was asked. */
  counted(end: 'completed' | 'failed' | 'client_gone'): Pictures {
    if (end === 'completed') return { count: 1, kind: this.#kind };
    const isTaken = end === 'client_gone' && this.#hasPartial;
    return { count: isTaken ? 1 : 0, kind: this.#kind, isEstimated: isTaken };
  }
}

/** The text of a field. Base64 holds no quotes, and a quote inside of a text is escaped: the name in quotes is a name. */
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
