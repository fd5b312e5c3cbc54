/** Rewrites a JSON schema to the keywords that a provider accepts. The others move into the description. */
import type { Fields } from '../../primitives/fields.ts';
import { allowsObject } from './join-schemas.ts';
import { isSchema, listKeywords, mapKeywords, schemaKeywords, setField } from './modernize-schema.ts';
import type { Budget } from './work-budget.ts';

export interface SchemaRules {
  readonly keywords: ReadonlySet<string>;
  /** Returns whether the value of a supported keyword is accepted. */
  accepts?(keyword: string, value: unknown): boolean;
  /** Whether every object must have `additionalProperties: false`. */
  readonly areObjectsClosed: boolean;
  /** Whether a schema with `$ref` can't have other keywords. */
  readonly areReferencesAlone: boolean;
}

/** Keywords that don't constrain values. */
const annotationKeywords = new Set(['$schema', '$id', '$comment', 'examples', 'example', 'deprecated', 'readOnly', 'writeOnly', 'title']);
const definitionKeywords = ['$defs', 'definitions'];

export function fitSchema(schema: Fields, rules: SchemaRules, budget: Budget): Fields {
  budget.spend(1 + Object.keys(schema).length);
  const unwrappedSchema = unwrapAllOf(schema);
  const fittedSchema: Record<string, unknown> = {};
  const movedKeywords: string[] = [];
  for (const [name, value] of Object.entries(unwrappedSchema)) {
    const keyword = name === 'oneOf' && !rules.keywords.has(name) && unwrappedSchema.anyOf === undefined ? 'anyOf' : name;
    if (rules.areReferencesAlone && unwrappedSchema.$ref !== undefined && name !== '$ref' && !definitionKeywords.includes(name)) continue;
    if (rules.keywords.has(keyword) && (rules.accepts?.(keyword, value) ?? true))
      setField(fittedSchema, keyword, fitPart(keyword, value, rules, budget));
    else if (!annotationKeywords.has(name)) movedKeywords.push(`${name}: ${JSON.stringify(value)}`);
  }
  if (movedKeywords.length > 0) fittedSchema.description = appendKeywords(unwrappedSchema.description, movedKeywords);
  if (rules.areObjectsClosed && unwrappedSchema.$ref === undefined && isObject(unwrappedSchema)) fittedSchema.additionalProperties = false;
  return fittedSchema;
}

/** Some generators wrap a reference in a single-entry `allOf`. */
function unwrapAllOf(schema: Fields): Fields {
  const { allOf, ...rest } = schema;
  const [firstSchema, ...otherSchemas] = Array.isArray(allOf) ? allOf : [];
  return isSchema(firstSchema) && otherSchemas.length === 0 ? { ...rest, ...firstSchema } : schema;
}

function fitPart(name: string, value: unknown, rules: SchemaRules, budget: Budget): unknown {
  const fitValue = (part: unknown): unknown => (isSchema(part) ? fitSchema(part, rules, budget) : part);
  if (mapKeywords.has(name) && isSchema(value))
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, fitValue(part)]));
  if (listKeywords.has(name) && Array.isArray(value)) return value.map(fitValue);
  return schemaKeywords.has(name) ? fitValue(value) : value;
}

const isObject = (schema: Fields): boolean => (schema.type !== undefined ? allowsObject(schema) : schema.properties !== undefined);

function appendKeywords(description: unknown, movedKeywords: readonly string[]): string {
  const keywordText = `{${movedKeywords.join(', ')}}`;
  return typeof description === 'string' && description !== '' ? `${description}\n\n${keywordText}` : keywordText;
}
