/** The size of a request's input, in the fields of every dialect: an upper bound, a rough estimate, its text, and the bound for its images and files (promise G3). */
import { isFields } from '../../../contract/rule.ts';
import { enclosedIn, TOKENS_OF_PICTURE } from '../wire/attachments.ts';
import type { JsonBody } from '../wire/json-body.ts';

/** Tokens that vendors add around each message and tool. */
const TOKENS_AROUND = 16;
const BYTES_PER_TOKEN = 4;

/** The most input tokens: a tokenizer makes at most one token of each byte. Infinite when the upstream fetches content of unknown length. */
export function mostInputTokens({ value, bytes }: JsonBody): number {
  const { pictures, bringsMore: isOpen } = enclosedIn(value);
  if (isOpen || isFields(value.prompt)) return Number.POSITIVE_INFINITY;
  const around = [value.messages, value.input, value.tools, value.contents].reduce<number>(
    (sum, list) => sum + (Array.isArray(list) ? list.length : 1),
    0,
  );
  return bytes.length + around * TOKENS_AROUND + pictures * TOKENS_OF_PICTURE;
}

/** A rough estimate of input tokens, without inline images: they have far fewer tokens than bytes. */
export function roughInputTokens({ value, bytes }: JsonBody): number {
  const inline = enclosedIn(value).pictures > 0 ? inlineBytes(value) : 0;
  return Math.ceil(Math.max(bytes.length - inline, 0) / BYTES_PER_TOKEN);
}

/** Bytes of inline files: data URLs and base64. */
function inlineBytes(body: unknown): number {
  let sum = 0;
  const left = [body];
  while (left.length > 0) {
    const part = left.pop();
    if (typeof part === 'string') sum += part.startsWith('data:') || isBase64(part) ? part.length : 0;
    else if (isFields(part)) for (const each of Object.values(part)) left.push(each);
  }
  return sum;
}
const isBase64 = (text: string): boolean => text.length > 1024 && !text.includes(' ') && /^[A-Za-z0-9+/=_-]+$/.test(text);

/**
 * All texts of a request except inline files, whose tokens cannot be derived from their bytes. It uses a loop, not recursion: fields that the
 * contract does not know may be nested deeper than the stack allows.
 */
export function textOf(request: unknown): string {
  const texts: string[] = [];
  const left = [request];
  while (left.length > 0) {
    const part = left.pop();
    if (typeof part === 'string') {
      if (!part.startsWith('data:')) texts.push(part);
    } else if (Array.isArray(part)) for (let index = part.length - 1; index >= 0; index--) left.push(part[index]);
    else if (isFields(part)) for (const [name, each] of Object.entries(part).reverse()) if (!isOpaque(name)) left.push(each);
  }
  return texts.join('\n');
}
const isOpaque = (name: string): boolean => name === 'encrypted_content' || name === 'data' || name === 'model' || name === 'signature';

/** The most tokens of a request's inline images and files; infinite when it refers to a file of unknown size. */
export function opaqueTokens(request: unknown): number {
  let tokens = 0;
  const left = [request];
  while (left.length > 0) {
    const part = left.pop();
    if (Array.isArray(part)) for (const each of part) left.push(each);
    else if (isFields(part)) {
      if (isPicture(part.type) || isPicture(part.media_type) || isPicture(part.mimeType)) tokens += TOKENS_OF_PICTURE;
      else {
        tokens += fileIn(part);
        for (const each of Object.values(part)) if (typeof each === 'object') left.push(each);
      }
    }
  }
  return tokens;
}

const isPicture = (type: unknown): boolean => typeof type === 'string' && /^(?:input_image$|image(?:\/|_url$|$))/.test(type);

/** The most tokens of a file part, in the fields of every dialect: its length, or infinite when it is stored elsewhere. */
function fileIn(part: Readonly<Record<string, unknown>>): number {
  const { data, file_data: fileData, media_type: mediaType, mimeType = mediaType, format = mimeType } = part;
  if (typeof fileData === 'string') return fileData.length;
  if (typeof data === 'string' && typeof format === 'string') return data.length;
  const isElsewhere = typeof part.file_id === 'string' || typeof part.file_url === 'string' || typeof part.fileUri === 'string';
  return isElsewhere || part.type === 'url' ? Number.POSITIVE_INFINITY : 0;
}
