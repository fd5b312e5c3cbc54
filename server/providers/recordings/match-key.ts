/** Computes the match key of a request, which is the same for requests that share a recording, and lists how two requests differ. */

import { createHash } from 'node:crypto';
import type { FormBody, ImageFile, Operation } from '../upstream.ts';
import { extractSecrets, type Fields, isFields } from './secrets.ts';

/** The request parts that a recording needs. */
export interface RecordableCall {
  readonly operation: Operation;
  readonly body: { readonly kind: 'json'; readonly value: Fields } | FormBody;
}

/** These fields identify the caller and change with each run. */
const ignoredFields = ['user', 'safety_identifier', 'prompt_cache_key'];

/** Returns the body to store and compare: without secrets, and with hashes instead of binary data. */
export function toComparable({ body }: RecordableCall): { request: Fields; secrets: readonly string[] } {
  const { value, secrets } = extractSecrets(body.value);
  const comparedFields = Object.entries(isFields(value) ? value : {}).filter(
    ([name, field]) => field !== null && !ignoredFields.includes(name),
  );
  const files = body.kind === 'form' ? describeFiles(body) : {};
  return { request: { ...Object.fromEntries(comparedFields.map(([name, field]) => [name, hashLongStrings(field)])), ...files }, secrets };
}

const describeFiles = ({ images, overlays: { mask, markup } }: FormBody) => ({
  files: images.map(describeFile),
  mask_file: mask ? describeFile(mask) : null,
  ...(markup && { markup_file: describeFile(markup) }),
});

const describeFile = ({ contentType, bytes }: ImageFile): string => `${contentType}, ${describeHash(bytes)}`;

/** Longer strings without whitespace are images or other binary data. */
const MAX_UNBROKEN_LENGTH = 1_000;

function hashLongStrings(value: unknown): unknown {
  if (typeof value === 'string') return value.length > MAX_UNBROKEN_LENGTH && !/\s/.test(value) ? describeHash(value) : value;
  if (Array.isArray(value)) return value.map(hashLongStrings);
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, hashLongStrings(inner)]));
}

const describeHash = (data: string | Uint8Array): string =>
  `${data.length} in all, sha256 ${createHash('sha256').update(data).digest('hex')}`;

/** Equal requests have equal keys. */
export const createMatchKey = (operation: string, request: Fields): string => JSON.stringify([operation, sortKeys(request)]);

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isFields(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, sortKeys(inner)] as const);
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Returns the paths at which two requests differ, such as `messages[1].content`. */
export function findDifferences(first: unknown, second: unknown, path = ''): readonly string[] {
  if (Array.isArray(first) && Array.isArray(second)) {
    return Array.from({ length: Math.max(first.length, second.length) }).flatMap((_, index) =>
      findDifferences(first[index], second[index], `${path}[${index}]`),
    );
  }
  if (isFields(first) && isFields(second)) {
    const names = [...new Set([...Object.keys(first), ...Object.keys(second)])];
    return names.flatMap((name) => findDifferences(first[name], second[name], path === '' ? name : `${path}.${name}`));
  }
  return JSON.stringify(first) === JSON.stringify(second) ? [] : [path];
}
