/** Changes single top-level fields of a JSON body in its bytes, so that the rest is forwarded as the caller wrote it. */

import { type CallCode, GatewayError } from '../../primitives/errors.ts';
import { stringifyWellFormed } from './exact-json.ts';
import { type JsonCut, MemberCuts, moveSpans, shiftSpans, toPieces, withCuts } from './json-cuts.ts';
import { CLOSE_OBJECT, type JsonOutline, type JsonSpans, OPEN_OBJECT, readJsonOutline } from './json-outline.ts';

/** A parsed body and its bytes. */
export interface JsonBody {
  readonly kind: 'json';
  readonly value: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
  /**
   * Returns the positions of fields in the bytes without walking them again. Omitted if unknown. Computed on demand, because most bodies change
   * only once.
   */
  readonly places?: () => JsonSpans;
}

/** Fields to set. `undefined` removes a field. */
export type Changes = Readonly<Record<string, unknown>>;

/** Throws `invalid_value` if the value is nested too deeply to serialize. */
export function createJsonBody(value: Readonly<Record<string, unknown>>): JsonBody {
  const text = stringify(value);
  // Not from Node's pool: a body lives as long as its stream, and would keep all 64 KiB of its pool.
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return { kind: 'json', value, bytes };
}

function stringify(value: unknown): string {
  try {
    return stringifyWellFormed(value);
  } catch (cause) {
    // Parsing has no such limit: a field outside the contract can contain thousands of nested brackets.
    throw new GatewayError<CallCode>('invalid_value', { message: 'The request body is nested too deeply.', cause });
  }
}

/**
 * Changes these fields of the body, in place if possible, so that every other byte stays as the caller wrote it. If `model` or one of these fields
 * occurs twice, the body is serialized again, because two parsers could read different values.
 */
export function withFields(body: JsonBody, changes: Changes): JsonBody {
  const changedFields = new Map<string, unknown>();
  for (const name of Object.keys(changes)) if (body.value[name] !== changes[name]) changedFields.set(name, changes[name]);
  if (changedFields.size === 0) return body;
  const value = { ...body.value, ...changes };
  return changeInPlace(body, changedFields, value) ?? createJsonBody(value);
}

/** In bytes. For a smaller body, walking it again costs less than computing the new field positions. */
const MAX_REWALKED_BYTES = 4_096;

/** Returns the changed body, or null if a change can't be made in place. `value` is the changed value. */
function changeInPlace(
  { bytes, places: getSpans }: JsonBody,
  changes: ReadonlyMap<string, unknown>,
  value: JsonBody['value'],
): JsonBody | null {
  const spans = getSpans ? getSpans() : readJsonOutline(bytes).places;
  if (!spans.get('model')) return null;
  for (const name of changes.keys()) if (spans.get(name) === null) return null;
  const cuts = createCuts({ bytes, places: spans }, changes);
  const newBytes = withCuts(bytes, cuts);
  if (bytes.length < MAX_REWALKED_BYTES) return { kind: 'json', value, bytes: newBytes };
  return { kind: 'json', value, bytes: newBytes, places: createSpansAfter({ bytes, places: spans }, changes, cuts) };
}

interface EditableObject {
  /** Bytes of a JSON object, with the positions of its fields. */
  readonly bytes: Buffer;
  readonly places: JsonSpans;
}

/** Sets these fields in an object's bytes; `undefined` removes one. None may occur twice. Unchanged pieces are views of the bytes. */
export const editInPieces = (object: EditableObject, changes: ReadonlyMap<string, unknown>): readonly Buffer[] =>
  toPieces(object.bytes, createCuts(object, changes));

/** Inserts new fields before the existing ones. */
function createCuts({ bytes, places: spans }: EditableObject, changes: ReadonlyMap<string, unknown>): readonly JsonCut[] {
  const cuts = findCuts(spans, changes);
  const addedFields = writeAddedFields(spans, changes);
  if (addedFields === '') return cuts;
  const hasOnlyAdded = removesAllFields(spans, changes);
  const start = bytes.indexOf(OPEN_OBJECT) + 1;
  return [{ from: start, to: start, instead: Buffer.from(hasOnlyAdded ? addedFields : `${addedFields},`) }, ...cuts];
}

/** True if the changes remove every existing field of the object. */
function removesAllFields(spans: JsonSpans, changes: ReadonlyMap<string, unknown>): boolean {
  for (const name of spans.keys()) if (!changes.has(name) || changes.get(name) !== undefined) return false;
  return true;
}

/** The new fields as JSON without brackets. */
function writeAddedFields(spans: JsonSpans, changes: ReadonlyMap<string, unknown>): string {
  let text = '';
  for (const [name, next] of changes)
    if (next !== undefined && !spans.has(name)) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${JSON.stringify(next)}`;
  return text;
}

function createSpansAfter(
  { bytes, places: spans }: EditableObject,
  changes: ReadonlyMap<string, unknown>,
  cuts: readonly JsonCut[],
): () => JsonSpans {
  // The closure below must not capture the old bytes, which can be large.
  const openingBrace = bytes.indexOf(OPEN_OBJECT);
  return () => {
    const keptSpans = new Map([...spans].filter(([name]) => !(changes.has(name) && changes.get(name) === undefined)));
    const addedSpans = readJsonOutline(Buffer.from(`{${writeAddedFields(spans, changes)}}`)).places;
    return new Map([...shiftSpans(addedSpans, openingBrace), ...moveSpans(keptSpans, cuts)]);
  };
}

const NO_CUTS: readonly JsonCut[] = [];

function hasAny(spans: JsonSpans, changes: ReadonlyMap<string, unknown>): boolean {
  for (const name of changes.keys()) if (spans.has(name)) return true;
  return false;
}

/** Cuts are in text order. */
function findCuts(spans: JsonSpans, changes: ReadonlyMap<string, unknown>): readonly JsonCut[] {
  if (!hasAny(spans, changes)) return NO_CUTS;
  const cuts: JsonCut[] = [];
  const members = new MemberCuts(cuts);
  for (const [name, span] of spans) {
    if (!span) continue;
    const isChanged = changes.has(name);
    const next = changes.get(name);
    members.add(span.start, span.end, isChanged && next === undefined);
    if (isChanged && next !== undefined) cuts.push({ from: span.valueStart, to: span.end, instead: Buffer.from(JSON.stringify(next)) });
  }
  members.close();
  return cuts;
}

/**
 * Serializes the body again if a name occurs twice in one object, at any depth. Otherwise an upstream could read the other value, which wasn't
 * checked and has no hold.
 */
export function withoutDuplicateFields(
  { value, bytes }: JsonBody,
  { places: spans, members: fieldCount }: JsonOutline = readJsonOutline(bytes),
): JsonBody {
  return fieldCount === countFields(value) ? { kind: 'json', value, bytes, places: () => spans } : createJsonBody(value);
}

/** Accepts only bytes that are known to be a JSON object. If the response has no model field, one is added at the end. */
export function withModel(bytes: Buffer, model: string): Buffer {
  const { places: spans } = readJsonOutline(bytes);
  const span = spans.get('model');
  const modelJson = Buffer.from(JSON.stringify(model));
  if (span) return withCuts(bytes, [{ from: span.valueStart, to: span.end, instead: modelJson }]);
  const end = bytes.lastIndexOf(CLOSE_OBJECT);
  const field = Buffer.concat([Buffer.from(spans.size === 0 ? '"model":' : ',"model":'), modelJson]);
  return withCuts(bytes, [{ from: end, to: end, instead: field }]);
}

/** `value` is parsed JSON, so it has no inherited fields. */
export function countFields(value: unknown): number {
  let fields = 0;
  const pendingValues = [value];
  while (pendingValues.length > 0) {
    const part = pendingValues.pop();
    if (typeof part !== 'object' || part === null) continue;
    if (Array.isArray(part)) for (const each of part) pushValue(each);
    else
      for (const name in part) {
        fields++;
        pushValue(part[name as keyof typeof part]);
      }
  }
  return fields;

  function pushValue(each: unknown): void {
    if (typeof each === 'object' && each !== null) pendingValues.push(each);
  }
}
