/** Finds the images and files that a request contains or refers to. */
import { isFields } from '../primitives/fields.ts';

export interface Attachments {
  /** Inline images. */
  readonly images: number;
  /** True if the request has images or files by URL or ID, or compressed documents. The request's size doesn't bound their token count. */
  readonly bringsMore: boolean;
}

type AttachmentKind = 'image' | 'more' | 'words';

/** `image_url`, `file_url`, `fileUri`, … and the `url` inside one; some parsers ignore case. */
const URL_FIELD = /ur[li]s?$/i;

const FILE_FIELD = /file_?(?:ids?|data)$/i;

const MEDIA_TYPE_FIELD = /^(?:media|mime)_?type$/i;

/** The last letters of all field names above. Checking them first skips most other fields quickly. */
const LAST_LETTER_CODES = new Set([...'lisdaeLISDAE'].map((letter) => letter.charCodeAt(0)));

/** Fields whose URLs no upstream fetches: caller metadata, sources and steps of earlier responses, call arguments, and schemas. */
const ignoredFields = new Set(['metadata', 'client_metadata', 'annotations', 'action', 'args', 'input_schema', 'parametersJsonSchema']);

/** Classifies a string by its field name. URL parsers drop leading spaces and line ends, and ignore the case of the scheme. */
function getAttachmentKind(name: string, text: string): AttachmentKind {
  if (text === '' || !LAST_LETTER_CODES.has(name.charCodeAt(name.length - 1))) return 'words';
  if (FILE_FIELD.test(name)) return 'more';
  if (MEDIA_TYPE_FIELD.test(name)) return toAttachmentKind(normalizeStart(text));
  if (!URL_FIELD.test(name)) return 'words';
  return normalizeStart(text).startsWith('data:image/') ? 'image' : 'more';
}

/** Plain text and audio count as words because they have at most one token per byte. */
function toAttachmentKind(type: string): AttachmentKind {
  if (type.startsWith('image/')) return 'image';
  return type.startsWith('text/') || type.startsWith('audio/') ? 'words' : 'more';
}

/** The number of leading characters that decide a string's kind. */
const START_LENGTH = 256;

/** The start of a string in lower case, without white space. A start that is only white space doesn't count as an image. */
const normalizeStart = (text: string): string =>
  text
    .slice(0, START_LENGTH)
    .replace(/[\s\p{Cc}]+/gu, '')
    .toLowerCase();

/** List entries inherit the name of their list. Loops instead of recursing: a body can be nested deeper than the stack allows. */
export function countAttachments(body: object): Attachments {
  const counts: Record<AttachmentKind, number> = { image: 0, more: 0, words: 0 };
  const pendingParts: object[] = [body];
  const names = [''];
  while (pendingParts.length > 0) {
    const part = pendingParts.pop();
    const name = names.pop() ?? '';
    if (Array.isArray(part)) for (const each of part) addPart(each, name);
    else if (isFields(part)) {
      if (isEarlierAudio(part, name)) counts.more += 1;
      // Parsed JSON has no inherited fields, so `for … in` is safe.
      for (const fieldName in part) {
        const value = part[fieldName];
        // No string counts for an ignored name.
        if (typeof value === 'string' || !isIgnoredField(fieldName, part, name)) addPart(value, fieldName);
      }
    }
  }
  return { images: counts.image, bringsMore: counts.more > 0 };

  function addPart(part: unknown, name: string): void {
    if (typeof part === 'string') counts[getAttachmentKind(name, part)] += 1;
    else if (typeof part === 'object' && part !== null) {
      pendingParts.push(part);
      names.push(name);
    }
  }
}

/** True if a chat message refers to the audio of an earlier response. */
const isEarlierAudio = ({ id }: Readonly<Record<string, unknown>>, name: string): boolean => name === 'audio' && typeof id === 'string';

/** Tool schemas are most of an agent's request, so they're skipped. `parentName`: chat has the schema of a function in a field `function`. */
const isIgnoredField = (name: string, { type }: Readonly<Record<string, unknown>>, parentName: string): boolean =>
  ignoredFields.has(name) ||
  (name === 'input' && type === 'tool_use') ||
  (name === 'parameters' && (type === 'function' || parentName === 'function'));
