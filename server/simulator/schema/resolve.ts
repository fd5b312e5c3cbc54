/** References and combinations of a JSON schema made plain: what comes out has no `$ref` and no `allOf`. */
import { isRecord, type JsonRecord, toList, toRecord, toRecords, toTexts } from '../values.ts';
import type { Budget } from './budget.ts';
import type { Walk } from './walk.ts';

/** A circle of references ends here; a part of `allOf` costs more, since each may branch again. */
const MOST_HOPS = 16;
const HOPS_PER_PART = 6;
const MOST_PARTS = 8;

type Scope = Pick<Walk, 'root' | 'budget' | 'resolved'>;

export function resolveSchema(scope: Scope, schema: unknown): JsonRecord {
  if (!isRecord(schema)) return {};
  const known = scope.resolved.get(schema);
  if (known) return known;
  const resolved = resolve(scope, schema, 0);
  scope.resolved.set(schema, resolved);
  return resolved;
}

function resolve(scope: Scope, schema: unknown, hops: number): JsonRecord {
  const { root, budget } = scope;
  budget.spend(1);
  if (!isRecord(schema)) return {};
  if ((typeof schema.$ref !== 'string' && !Array.isArray(schema.allOf)) || hops > MOST_HOPS) return schema;
  const { $ref, allOf, ...rest } = schema;
  const target = typeof $ref === 'string' ? resolve(scope, lookUp(root, $ref, budget), hops + 1) : {};
  return firstParts(allOf).reduce<JsonRecord>(
    (merged, part) => mergeSchemas(merged, resolve(scope, part, hops + HOPS_PER_PART), budget),
    mergeSchemas(target, rest, budget),
  );
}

const firstParts = (allOf: unknown): readonly JsonRecord[] => toRecords(toList(allOf).slice(0, MOST_PARTS));

/** Both at once: properties and required keys of either, other keywords of the second before the first. */
export function mergeSchemas(first: JsonRecord, second: JsonRecord, budget: Budget): JsonRecord {
  budget.spend(namesOf(first) + namesOf(second));
  const merged: Record<string, unknown> = { ...first, ...second };
  if (first.properties && second.properties) merged.properties = { ...toRecord(first.properties), ...toRecord(second.properties) };
  if (first.required && second.required) merged.required = [...new Set([...toTexts(first.required), ...toTexts(second.required)])];
  return merged;
}

/** How many names stand in it, and in what is merged with it. */
const namesOf = (schema: JsonRecord): number =>
  Object.keys(schema).length + Object.keys(toRecord(schema.properties)).length + toList(schema.required).length;

/** A reference into the same document, `#/$defs/name`; others lead nowhere, nothing is ever fetched. */
function lookUp(root: unknown, reference: string, budget: Budget): unknown {
  budget.spend(reference.length);
  if (!reference.startsWith('#')) return undefined;
  let found = root;
  for (const step of reference.slice(1).split('/').slice(1)) {
    const key = decodeStep(step);
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = Reflect.get(found, key);
  }
  return found;
}

function decodeStep(step: string): string {
  const plain = step.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    // A lone percent sign: then the name is meant as it stands.
    return plain;
  }
}
