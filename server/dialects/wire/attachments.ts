/** What lies in a request beside its words, told from its parsed values and the names of its fields, as the upstream will read them (promise G3). */
import { isFields } from '../../../contract/rule.ts';

/** A picture of a few bytes may stand for so many tokens. */
export const TOKENS_OF_PICTURE = 10_000;

export interface Enclosed {
  /** Pictures whose bytes are in the request. */
  readonly pictures: number;
  /** Pictures and files by address or id, and packed documents: few bytes that may stand for many tokens. */
  readonly bringsMore: boolean;
}

type Kind = 'picture' | 'more' | 'words';

/** `image_url`, `file_url`, `fileUri`, … and the `url` inside of one; readers of some languages do not care about capitals. */
const ADDRESS = /ur[li]s?$/i;
const FILE = /file_?(?:ids?|data)$/i;
const MEDIA_TYPE = /^(?:media|mime)_?type$/i;
/** Of all these names: most others are told by it. */
const LAST_LETTER = new Set([...'lisdaeLISDAE'].map((letter) => letter.charCodeAt(0)));

/** Fields that no upstream looks anything up for: notes of callers, sources and steps of earlier answers, arguments of calls. */
const notes = new Set(['metadata', 'client_metadata', 'annotations', 'action', 'args']);

/** A text under a name: readers of addresses leave out blanks before and line ends within, and take capitals as well. */
function kindOf(name: string, text: string): Kind {
  if (text === '' || !LAST_LETTER.has(name.charCodeAt(name.length - 1))) return 'words';
  if (FILE.test(name)) return 'more';
  if (MEDIA_TYPE.test(name)) return kindOfMedia(plain(text));
  if (!ADDRESS.test(name)) return 'words';
  return plain(text).startsWith('data:image/') ? 'picture' : 'more';
}

/** Nobody makes more tokens of a plain text or a sound than it has bytes. */
function kindOfMedia(type: string): Kind {
  if (type.startsWith('image/')) return 'picture';
  return type.startsWith('text/') || type.startsWith('audio/') ? 'words' : 'more';
}

/** The most of a text that its kind is told from. */
const START = 256;
/** A start of nothing but blanks says nothing of what is behind it: it is no picture for sure. */
const plain = (text: string): string =>
  text
    .slice(0, START)
    .replace(/[\s\p{Cc}]+/gu, '')
    .toLowerCase();

/** By the parsed body: it is asked for holds and for limits. */
const seen = new WeakMap<object, Enclosed>();

export function enclosedIn(body: Readonly<Record<string, unknown>>): Enclosed {
  const known = seen.get(body);
  if (known) return known;
  const enclosed = look(body);
  seen.set(body, enclosed);
  return enclosed;
}

/** What stands in a list has the name of the list. A body may be nested so deep that there is no calling oneself for each level. */
function look(body: object): Enclosed {
  const found: Record<Kind, number> = { picture: 0, more: 0, words: 0 };
  const left: unknown[] = [body];
  const names = [''];
  while (left.length > 0) {
    const part = left.pop();
    const name = names.pop() ?? '';
    if (typeof part === 'string') found[kindOf(name, part)] += 1;
    else if (Array.isArray(part)) for (const each of part) take(each, name);
    else if (isFields(part)) {
      if (isEarlierSound(part, name)) found.more += 1;
      // What a parser made has no fields but its own.
      for (const inner in part) if (!isNote(part, inner)) take(part[inner], inner);
    }
  }
  return { pictures: found.picture, bringsMore: found.more > 0 };

  function take(part: unknown, name: string): void {
    if (typeof part !== 'string' && (typeof part !== 'object' || part === null)) return;
    left.push(part);
    names.push(name);
  }
}

/** A message of chat names what its model said before. */
const isEarlierSound = ({ id }: Readonly<Record<string, unknown>>, name: string): boolean => name === 'audio' && typeof id === 'string';

const isNote = ({ type }: Readonly<Record<string, unknown>>, name: string): boolean =>
  notes.has(name) || (name === 'input' && type === 'tool_use');
