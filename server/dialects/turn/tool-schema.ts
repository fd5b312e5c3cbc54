/**
 * Rewrites the schema of a tool's arguments so that every vendor accepts it: agents forward schemas unchanged, and a vendor that refuses one
 * refuses the whole call. The meaning stays the same, except for unions at the top level, which all vendors refuse: they become one object
 * that allows the properties of each branch.
 */
import { MAX_LEVELS } from '../../../contract/bounds.ts';
import type { Fields } from '../../../contract/rule.ts';
import { type CallCode, GatewayError } from '../../errors.ts';
import { isSchema, modernSchema } from './modern-schema.ts';
import { allowsObject, joinAll, joinEither } from './schema-joins.ts';
import type { Budget } from './work-budget.ts';

/** Throws `invalid_value` when the schema, with its references resolved, exceeds the request's budget. */
export function toolSchema(parameters: Fields, budget: Budget): Fields {
  const root = modernSchema(parameters, budget);
  const { type, properties, ...rest } = new Folder(root, budget).fold(root);
  // The arguments are an object also when the type is absent or a list such as `object` and `null`. Any other type is the caller's mistake.
  const isObject = allowsObject({ type });
  return { type: isObject ? 'object' : type, ...((properties !== undefined || isObject) && { properties: properties ?? {} }), ...rest };
}

/** The unions of a schema, each as its branches. */
type Unions = readonly (readonly Fields[])[];

class Folder {
  readonly #root: Fields;
  readonly #budget: Budget;
  /** References that are being resolved; one of them may refer to another in a circle. */
  readonly #way = new Set(['#']);
  /** The nesting of the current schema, references included. */
  #depth = 0;

  constructor(root: Fields, budget: Budget) {
    this.#root = root;
    this.#budget = budget;
  }

  /** The schema with its reference, `allOf`, `anyOf` and `oneOf` merged into it. */
  fold(schema: Fields): Fields {
    const joined: Fields[] = [];
    const unions = this.#open(schema, joined);
    return unions.reduce((whole, branches) => joinEither(whole, branches, this.#budget), joinAll(joined, this.#budget));
  }

  /** Adds the schema, its reference and its `allOf` to the list, which is merged once; returns its unions. */
  #open(schema: Fields, joined: Fields[]): Unions {
    this.#enter(schema);
    const { $ref, allOf, anyOf, oneOf, ...own } = schema;
    joined.push(own);
    const isNew = typeof $ref === 'string' && !this.#way.has($ref);
    if (isNew) this.#way.add($ref);
    const target = isNew ? this.#at($ref) : null;
    if (target) this.#join(target, joined);
    for (const each of this.#listed(allOf)) this.#join(each, joined);
    const unions = [anyOf, oneOf].map((union) => this.#listed(union).map((branch) => this.fold(branch)));
    if (isNew) this.#way.delete($ref);
    this.#depth--;
    return unions;
  }

  #join(schema: Fields, joined: Fields[]): void {
    if (schema.anyOf === undefined && schema.oneOf === undefined) this.#open(schema, joined);
    else joined.push(this.fold(schema));
  }

  #enter(schema: Fields): void {
    this.#budget.spend(1 + Object.keys(schema).length);
    if (++this.#depth <= MAX_LEVELS) return;
    const { param } = this.#budget;
    const message = `'${param}' leads through more than ${MAX_LEVELS} references and unions, each inside the one before.`;
    throw new GatewayError<CallCode>('invalid_value', { param, message });
  }

  #listed(value: unknown): readonly Fields[] {
    if (!Array.isArray(value)) return [];
    this.#budget.spend(value.length);
    return value.filter(isSchema);
  }

  /** The schema at a JSON pointer within the root schema; null when there is none. */
  #at(pointer: string): Fields | null {
    if (!pointer.startsWith('#/')) return null;
    this.#budget.spend(pointer.length);
    const steps = pointer
      .slice(2)
      .split('/')
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    const found = steps.reduce<unknown>((value, step) => (isSchema(value) && Object.hasOwn(value, step) ? value[step] : null), this.#root);
    return isSchema(found) ? found : null;
  }
}
