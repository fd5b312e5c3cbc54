/** References and combinations of a JSON schema made plain: what comes out has no `$ref` and no `allOf`. */
import { isRecord, type JsonRecord, toRecord, toRecords, toTexts } from '../values.ts';

/** A circle of references ends here; a part of `allOf` costs more, since each may branch again. */
const mostHops = 16;
const hopsPerPart = 6;
const mostParts = 8;

export function resolveSchema(root: unknown, schema: unknown, hops = 0): JsonRecord {
  if (!isRecord(schema)) return {};
  const { $ref, allOf, ...rest } = schema;
  if ((typeof $ref !== 'string' && !Array.isArray(allOf)) || hops > mostHops) return schema;
  const target = typeof $ref === 'string' ? resolveSchema(root, lookUp(root, $ref), hops + 1) : {};
  return toRecords(allOf)
    .slice(0, mostParts)
    .reduce<JsonRecord>((merged, part) => mergeSchemas(merged, resolveSchema(root, part, hops + hopsPerPart)), mergeSchemas(target, rest));
}

/** Both at once: properties and required keys of either, other keywords of the second before the first. */
export function mergeSchemas(first: JsonRecord, second: JsonRecord): JsonRecord {
  const merged: Record<string, unknown> = { ...first, ...second };
  if (first.properties && second.properties) merged.properties = { ...toRecord(first.properties), ...toRecord(second.properties) };
  if (first.required && second.required) merged.required = [...new Set([...toTexts(first.required), ...toTexts(second.required)])];
  return merged;
}

/** A reference into the same document, `#/$defs/name`; others lead nowhere, nothing is ever fetched. */
function lookUp(root: unknown, reference: string): unknown {
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
