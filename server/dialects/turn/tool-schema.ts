/**
 * The arguments of a tool as every vendor takes them. Agents hand schemas on as they found them, and one
 * that a vendor refuses would refuse the whole call. What a schema says stays the same, but for unions at its top, which all vendors
 * refuse: they become one object that allows whatever one of them allows.
 */
import { MAX_LEVELS } from '../../../contract/bounds.ts';
import type { Fields } from '../../../contract/rule.ts';
import { type CallCode, GatewayError } from '../../errors.ts';
import { isSchema, modernSchema } from './modern-schema.ts';
import { allowsObject, joinAll, joinEither } from './schema-joins.ts';
import type { Budget } from './work-budget.ts';

/** Throws `invalid_value` where the schema stands for more than the budget of the request. */
export function toolSchema(parameters: Fields, budget: Budget): Fields {
  const root = modernSchema(parameters, budget);
  const { type, properties, ...rest } = new Folder(root, budget).fold(root);
  // `null` beside `object`, or nothing at all: the arguments are an object all the same. Any other type is the caller's mistake.
  const isObject = allowsObject({ type });
  return { type: isObject ? 'object' : type, ...((properties !== undefined || isObject) && { properties: properties ?? {} }), ...rest };
}

/** The unions of a schema, each as its branches. */
type Unions = readonly (readonly Fields[])[];

class Folder {
  readonly #root: Fields;
  readonly #budget: Budget;
  /** References on the way, which may lead in a circle. */
  readonly #way = new Set(['#']);
  /** How many schemas lie around the one that is looked at, those that refer to it included. */
  #depth = 0;

  constructor(root: Fields, budget: Budget) {
    this.#root = root;
    this.#budget = budget;
  }

  /** The schema with what it refers to, and what it joins, in itself. */
  fold(schema: Fields): Fields {
    const joined: Fields[] = [];
    const unions = this.#open(schema, joined);
    return unions.reduce((whole, branches) => joinEither(whole, branches, this.#budget), joinAll(joined, this.#budget));
  }

  /** Puts the schema and all that it asks for besides into the list: joined at once, each of them is looked at once. */
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

  /** What a pointer within the schema leads to. */
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
