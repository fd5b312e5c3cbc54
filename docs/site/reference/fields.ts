/** Converts a schema into a tree of fields. Follows references; a schema that was already shown becomes a link. */
import { type Document, resolved, type Schema } from './document.ts';

export interface Field {
  /** Path of the field, used in its anchor: `tools.function.name`. */
  readonly path: string;
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly isDeprecated: boolean;
  readonly description: string;
  /** Limits in words: `1 to 128 entries`. */
  readonly limits: readonly string[];
  readonly fields: readonly Field[];
  /** The members of a union, each with its fields. */
  readonly forms: readonly Form[];
  /** Path where these fields are already shown. Omitted if they're shown here. */
  readonly shownAt?: string;
}
export interface Form {
  readonly path: string;
  readonly name: string;
  readonly description: string;
  readonly fields: readonly Field[];
  readonly shownAt?: string;
}

/** Collects the fields of one page. A named schema is shown once, and linked after that. */
export class Fields {
  readonly #document: Document;
  readonly #shown = new Map<string, string>();

  constructor(document: Document) {
    this.#document = document;
  }

  /** `path` is the path of the object with these fields. It's empty at the top level. */
  of(schema: Schema, path: string): readonly Field[] {
    const { schema: own } = resolved(this.#document, schema);
    const parts = [own, ...(own.allOf ?? []).map((part) => resolved(this.#document, part).schema)];
    const required = new Set(parts.flatMap((part) => part.required ?? []));
    const properties = parts.flatMap((part) => Object.entries(part.properties ?? {}));
    const seen = new Map(properties);
    return [...seen].map(([name, value]) =>
      this.#field(name, value, { path: path === '' ? name : `${path}.${name}`, isRequired: required.has(name) }),
    );
  }

  #field(name: string, schema: Schema, { path, isRequired }: { readonly path: string; readonly isRequired: boolean }): Field {
    const { schema: own } = resolved(this.#document, schema);
    const inner = this.#inner(schema);
    const base = {
      path,
      name,
      isRequired,
      type: this.typeOf(schema),
      limits: limitsOf(own),
      isDeprecated: own.deprecated === true,
      description: schema.description ?? own.description ?? '',
    };
    const forms = this.#formsOf(inner);
    if (forms.length > 1) return { ...base, fields: [], forms: forms.map((form) => this.#form(form, path)) };
    const only = forms[0] ?? inner;
    const shownAt = this.#shownAt(only, path);
    return { ...base, forms: [], ...(shownAt === undefined ? { fields: this.of(only, path) } : { fields: [], shownAt }) };
  }

  #form(schema: Schema, path: string): Form {
    const { schema: own, name = this.typeOf(schema) } = resolved(this.#document, schema);
    const shownAt = this.#shownAt(schema, `${path}.${name}`);
    const about = { path: `${path}.${name}`, name, description: own.description ?? '' };
    return shownAt === undefined ? { ...about, fields: this.of(schema, `${path}.${name}`) } : { ...about, fields: [], shownAt };
  }

  /** Returns the path where a named schema with fields is shown. Undefined the first time, and for schemas without a name or fields. */
  #shownAt(schema: Schema, path: string): string | undefined {
    const { name, schema: own } = resolved(this.#document, schema);
    if (name === undefined || own.properties === undefined) return undefined;
    const shown = this.#shown.get(name);
    if (shown === undefined) this.#shown.set(name, path);
    return shown;
  }

  /** Returns the schema of the entries of a list, also of nested lists. */
  #inner(schema: Schema): Schema {
    const { schema: own } = resolved(this.#document, schema);
    return own.items === undefined || own.properties !== undefined ? schema : this.#inner(own.items);
  }

  /** Returns the members of a union that have fields. The type text already lists the other members. */
  #formsOf(schema: Schema): readonly Schema[] {
    const { schema: own } = resolved(this.#document, schema);
    const members = own.anyOf ?? own.oneOf ?? [];
    return members.flatMap((member) => {
      const inner = this.#inner(member);
      const { schema: found } = resolved(this.#document, inner);
      if (found.anyOf !== undefined || found.oneOf !== undefined) return this.#formsOf(inner);
      return found.properties === undefined && found.allOf === undefined ? [] : [inner];
    });
  }

  /** Writes the type in words: `string or null`, `array of ChatMessage`. */
  typeOf(schema: Schema): string {
    const { schema: own, name } = resolved(this.#document, schema);
    if (own.const !== undefined) return JSON.stringify(own.const);
    if (own.enum !== undefined) return own.enum.map((value) => JSON.stringify(value)).join(' or ');
    const words = own['x-extensible-enum'];
    const isNullable = [own.type].flat().includes('null');
    if (words !== undefined)
      return [...words.map((word) => JSON.stringify(word)), 'another string', ...(isNullable ? ['null'] : [])].join(' or ');
    const members = own.anyOf ?? own.oneOf;
    if (members !== undefined) return [...new Set(members.map((member) => this.typeOf(member)))].join(' or ');
    const types = [own.type ?? (own.properties === undefined ? 'any' : 'object')].flat();
    return types.map((type) => this.#word(type, own, name)).join(' or ');
  }

  #word(type: string, { items }: Schema, name: string | undefined): string {
    if (type === 'array' && items !== undefined) return `array of ${this.typeOf(items)}`;
    return type === 'object' && name !== undefined ? name : type;
  }
}

function limitsOf(schema: Schema): readonly string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const range = (least: number | undefined, most: number | undefined, unit: string): string[] => {
    if (least === undefined && most === undefined) return [];
    if (most === undefined) return [`at least ${least}${unit}`];
    return [least === undefined || least === 0 ? `at most ${most}${unit}` : `${least} to ${most}${unit}`];
  };
  return [
    ...range(minimum, maximum, ''),
    ...range(minLength === 1 && maxLength === undefined ? undefined : minLength, maxLength, ' characters'),
    ...range(minItems, maxItems, ' entries'),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ];
}
