/** Rewrites the schema of a tool's parameters as one object, with its references and unions resolved. */

import { MAX_LEVELS } from '../../../contract/shared/bounds.ts';
import { type CallCode, GatewayError } from '../../primitives/errors.ts';
import type { Fields } from '../../primitives/fields.ts';
import { allowsObject, joinSchemaBranches, joinSchemas } from './join-schemas.ts';
import { isSchema, modernizeSchema } from './modernize-schema.ts';
import type { Budget } from './work-budget.ts';

/** Throws `invalid_value` if the schema exceeds the request's budget after its references are resolved. */
export function toToolSchema(parameters: Fields, budget: Budget): Fields {
  const root = modernizeSchema(parameters, budget);
  const { type, properties, ...rest } = new SchemaFolder(root, budget).fold(root);
  // Arguments are an object even if the type is absent or a list such as `object` and `null`. Any other type is the caller's mistake.
  const isObject = allowsObject({ type });
  return { type: isObject ? 'object' : type, ...((properties !== undefined || isObject) && { properties: properties ?? {} }), ...rest };
}

/** The unions of a schema, each as a list of branches. */
type Unions = readonly (readonly Fields[])[];

class SchemaFolder {
  readonly #root: Fields;
  readonly #budget: Budget;
  /** References that are being resolved, to detect cycles. */
  readonly #activeReferences = new Set(['#']);
  /** The nesting depth of the current schema, including references. */
  #depth = 0;

  constructor(root: Fields, budget: Budget) {
    this.#root = root;
    this.#budget = budget;
  }

  /** Merges the schema's reference, `allOf`, `anyOf`, and `oneOf` into it. */
  fold(schema: Fields): Fields {
    const schemas: Fields[] = [];
    const unions = this.#collectSchemas(schema, schemas);
    return unions.reduce((whole, branches) => joinSchemaBranches(whole, branches, this.#budget), joinSchemas(schemas, this.#budget));
  }

  /** Adds the schema, its reference, and its `allOf` to the list, which is merged once. Returns the schema's unions. */
  #collectSchemas(schema: Fields, schemas: Fields[]): Unions {
    this.#enter(schema);
    const { $ref, allOf, anyOf, oneOf, ...ownKeywords } = schema;
    schemas.push(ownKeywords);
    const isNew = typeof $ref === 'string' && !this.#activeReferences.has($ref);
    if (isNew) this.#activeReferences.add($ref);
    const target = isNew ? this.#resolve($ref) : null;
    if (target) this.#addSchema(target, schemas);
    for (const each of this.#toSchemas(allOf)) this.#addSchema(each, schemas);
    const unions = [anyOf, oneOf].map((union) => this.#toSchemas(union).map((branch) => this.fold(branch)));
    if (isNew) this.#activeReferences.delete($ref);
    this.#depth--;
    return unions;
  }

  #addSchema(schema: Fields, schemas: Fields[]): void {
    if (schema.anyOf === undefined && schema.oneOf === undefined) this.#collectSchemas(schema, schemas);
    else schemas.push(this.fold(schema));
  }

  #enter(schema: Fields): void {
    this.#budget.spend(1 + Object.keys(schema).length);
    if (++this.#depth <= MAX_LEVELS) return;
    const { param } = this.#budget;
    const message = `'${param}' nests more than ${MAX_LEVELS} references and unions.`;
    throw new GatewayError<CallCode>('invalid_value', { param, message });
  }

  #toSchemas(value: unknown): readonly Fields[] {
    if (!Array.isArray(value)) return [];
    this.#budget.spend(value.length);
    return value.filter(isSchema);
  }

  /** The schema at a JSON pointer within the root schema. Null if it doesn't exist. */
  #resolve(pointer: string): Fields | null {
    if (!pointer.startsWith('#/')) return null;
    this.#budget.spend(pointer.length);
    const steps = pointer
      .slice(2)
      .split('/')
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    const target = steps.reduce<unknown>((value, step) => (isSchema(value) && Object.hasOwn(value, step) ? value[step] : null), this.#root);
    return isSchema(target) ? target : null;
  }
}
