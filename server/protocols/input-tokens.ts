/** Bounds and estimates the input tokens of a request before it's sent, and extracts its text for a tokenizer. */

import { isFields } from '../primitives/fields.ts';
import type { Attachments } from './attachments.ts';
import type { JsonBody } from './wire/json-body.ts';

/** The maximum tokens per image, regardless of its size in bytes. */
const TOKENS_PER_IMAGE = 10_000;

/** Tokens that providers add around each message and tool. */
const TOKENS_PER_ENTRY = 16;

const BYTES_PER_TOKEN = 4;

/** The maximum input tokens: a tokenizer produces at most one token per byte. Infinite if the upstream fetches content of unknown length. */
export function getMaxInputTokens({ value, bytes }: JsonBody, { images, bringsMore: isUnbounded }: Attachments): number {
  if (isUnbounded || isFields(value.prompt)) return Number.POSITIVE_INFINITY;
  const entryCount = [value.messages, value.input, value.tools, value.contents].reduce<number>(
    (total, list) => total + (Array.isArray(list) ? list.length : 1),
    0,
  );
  return bytes.length + entryCount * TOKENS_PER_ENTRY + images * TOKENS_PER_IMAGE;
}

/** A rough estimate of input tokens. Excludes inline images, which have far fewer tokens than bytes. */
export function estimateInputTokens({ value, bytes }: JsonBody, { images }: Pick<Attachments, 'images'>): number {
  const inlineBytes = images > 0 ? countInlineBytes(value) : 0;
  return Math.ceil(Math.max(bytes.length - inlineBytes, 0) / BYTES_PER_TOKEN);
}

/** Counts the bytes of inline files: data URLs and base64. */
function countInlineBytes(body: unknown): number {
  let totalBytes = 0;
  const pendingParts = [body];
  while (pendingParts.length > 0) {
    const part = pendingParts.pop();
    if (typeof part === 'string') totalBytes += part.startsWith('data:') || isBase64(part) ? part.length : 0;
    else if (isFields(part)) for (const each of Object.values(part)) pendingParts.push(each);
  }
  return totalBytes;
}

const isBase64 = (text: string): boolean => text.length > 1024 && !text.includes(' ') && /^[A-Za-z0-9+/=_-]+$/.test(text);

/**
 * Extracts all text of a request except inline files, whose tokens can't be derived from their bytes. Loops instead of recursing: fields outside
 * the contract can be nested deeper than the stack allows.
 */
export function extractRequestText(request: unknown): string {
  const texts: string[] = [];
  const pendingParts = [request];
  while (pendingParts.length > 0) {
    const part = pendingParts.pop();
    if (typeof part === 'string') {
      if (!part.startsWith('data:')) texts.push(part);
    } else if (Array.isArray(part)) for (let index = part.length - 1; index >= 0; index--) pendingParts.push(part[index]);
    else if (isFields(part)) for (const [name, each] of Object.entries(part).reverse()) if (!isOpaqueField(name)) pendingParts.push(each);
  }
  return texts.join('\n');
}

const isOpaqueField = (name: string): boolean =>
  name === 'encrypted_content' || name === 'data' || name === 'model' || name === 'signature';

/** The maximum tokens of a request's inline images and files. Infinite if the request refers to a file of unknown size. */
export function countOpaqueTokens(request: unknown): number {
  let tokens = 0;
  const pendingParts = [request];
  while (pendingParts.length > 0) {
    const part = pendingParts.pop();
    if (Array.isArray(part)) for (const each of part) pendingParts.push(each);
    else if (isFields(part)) {
      if (isImage(part.type) || isImage(part.media_type) || isImage(part.mimeType)) tokens += TOKENS_PER_IMAGE;
      else {
        tokens += countFileTokens(part);
        for (const each of Object.values(part)) if (typeof each === 'object') pendingParts.push(each);
      }
    }
  }
  return tokens;
}

const isImage = (type: unknown): boolean => typeof type === 'string' && /^(?:input_image$|image(?:\/|_url$|$))/.test(type);

/** The maximum tokens of a file part in any dialect: its length, or infinite if the file is stored elsewhere. */
function countFileTokens(part: Readonly<Record<string, unknown>>): number {
  const { data, file_data: fileData, media_type: mediaType, mimeType = mediaType, format = mimeType } = part;
  if (typeof fileData === 'string') return fileData.length;
  if (typeof data === 'string' && typeof format === 'string') return data.length;
  const isStoredElsewhere = typeof part.file_id === 'string' || typeof part.file_url === 'string' || typeof part.fileUri === 'string';
  return isStoredElsewhere || part.type === 'url' ? Number.POSITIVE_INFINITY : 0;
}
