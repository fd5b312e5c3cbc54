/** Finds images, files and references in a request, by the values and names of its fields, as the upstream will read them (promise G3). */
import { isFields } from '../../../contract/rule.ts';

/** The most tokens of one image, however few bytes it has. */
export const TOKENS_OF_PICTURE = 10_000;

export interface Enclosed {
  /** Inline images. */
  readonly pictures: number;
  /** Whether there are images or files by URL or id, or compressed documents: their tokens have no bound in the request's bytes. */
  readonly bringsMore: boolean;
}

type Kind = 'picture' | 'more' | 'words';

/** `image_url`, `file_url`, `fileUri`, … and the `url` inside one; some parsers ignore case. */
const ADDRESS = /ur[li]s?$/i;
const FILE = /file_?(?:ids?|data)$/i;
const MEDIA_TYPE = /^(?:media|mime)_?type$/i;
/** The last letters of all these names: a quick check excludes most other names. */
const LAST_LETTER = new Set([...'lisdaeLISDAE'].map((letter) => letter.charCodeAt(0)));

/** Fields whose URLs no upstream fetches: notes of callers, sources and steps of earlier answers, arguments of calls. */
const notes = new Set(['metadata', 'client_metadata', 'annotations', 'action', 'args']);

/** The kind of a string in a field of this name. URL parsers drop leading spaces and line ends, and ignore the case of the scheme. */
function kindOf(name: string, text: string): Kind {
  if (text === '' || !LAST_LETTER.has(name.charCodeAt(name.length - 1))) return 'words';
  if (FILE.test(name)) return 'more';
  if (MEDIA_TYPE.test(name)) return kindOfMedia(plain(text));
  if (!ADDRESS.test(name)) return 'words';
  return plain(text).startsWith('data:image/') ? 'picture' : 'more';
}

/** Plain text and audio have at most as many tokens as bytes. */
function kindOfMedia(type: string): Kind {
  if (type.startsWith('image/')) return 'picture';
  return type.startsWith('text/') || type.startsWith('audio/') ? 'words' : 'more';
}

/** Characters of a string that decide its kind. */
const START = 256;
/** The start of a string without white space, in lower case; a string that starts with only white space does not count as an image. */
const plain = (text: string): string =>
  text
    .slice(0, START)
    .replace(/[\s\p{Cc}]+/gu, '')
    .toLowerCase();

/** Results by parsed body, since holds and limits both need them. */
const seen = new WeakMap<object, Enclosed>();

export function enclosedIn(body: Readonly<Record<string, unknown>>): Enclosed {
  const known = seen.get(body);
  if (known) return known;
  const enclosed = look(body);
  seen.set(body, enclosed);
  return enclosed;
}

/** Entries of a list have the list's name. It uses a loop: a body may be nested too deeply for recursion. */
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
      // A parsed value has no inherited fields.
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

/** Whether a chat message refers to audio of an earlier answer. */
const isEarlierSound = ({ id }: Readonly<Record<string, unknown>>, name: string): boolean => name === 'audio' && typeof id === 'string';

const isNote = ({ type }: Readonly<Record<string, unknown>>, name: string): boolean =>
  notes.has(name) || (name === 'input' && type === 'tool_use');
