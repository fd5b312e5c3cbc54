/** Decides when two requests are the same: operation, model and body, without the caller and the order of keys. */
import { createHash } from 'node:crypto';
import type { FormBody, ImageFile, Operation } from '../upstreams/upstream.ts';
import { withoutSecrets } from './secrets.ts';

/** The part of a request that a recording needs. */
export interface AskedCall {
  readonly operation: Operation;
  readonly body: { readonly kind: 'json'; readonly value: Fields } | FormBody;
}

export type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** These fields identify the caller, and change with each run. */
const ignoredFields = ['user', 'safety_identifier', 'prompt_cache_key'];

export interface Comparable {
  readonly request: Fields;
  readonly secrets: readonly string[];
}

/** The body as it is stored and compared: without secrets, and with hashes instead of binary data. */
export function comparableOf({ body }: AskedCall): Comparable {
  const { value, secrets } = withoutSecrets(body.value);
  const kept = Object.entries(isFields(value) ? value : {}).filter(([name, field]) => field !== null && !ignoredFields.includes(name));
  const files = body.kind === 'form' ? { files: body.images.map(describeFile), mask_file: body.mask && describeFile(body.mask) } : {};
  return { request: { ...Object.fromEntries(kept.map(([name, field]) => [name, shorten(field)])), ...files }, secrets };
}

const describeFile = ({ contentType, bytes }: ImageFile): string => `${contentType}, ${hashOf(bytes)}`;

/** Images and other binary data in a text. */
const LONGEST_WORD = 1_000;

function shorten(value: unknown): unknown {
  if (typeof value === 'string') return value.length > LONGEST_WORD && !/\s/.test(value) ? hashOf(value) : value;
  if (Array.isArray(value)) return value.map(shorten);
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shorten(inner)]));
}

const hashOf = (data: string | Uint8Array): string => `${data.length} in all, sha256 ${createHash('sha256').update(data).digest('hex')}`;

/** The same value for the same request. */
export const matchKeyOf = (operation: string, request: Fields): string => JSON.stringify([operation, inOrder(request)]);

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isFields(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, inOrder(inner)] as const);
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Paths at which two requests differ: `messages[1].content`. */
export function differencesOf(one: unknown, other: unknown, path = ''): readonly string[] {
  if (Array.isArray(one) && Array.isArray(other)) {
    return Array.from({ length: Math.max(one.length, other.length) }).flatMap((_, index) =>
      differencesOf(one[index], other[index], `${path}[${index}]`),
    );
  }
  if (isFields(one) && isFields(other)) {
    const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    return names.flatMap((name) => differencesOf(one[name], other[name], path === '' ? name : `${path}.${name}`));
  }
  return JSON.stringify(one) === JSON.stringify(other) ? [] : [path];
}
