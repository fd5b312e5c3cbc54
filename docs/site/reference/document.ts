/** Types for the parts of an OpenAPI document that the reference pages show. */
import { readFileSync } from 'node:fs';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  /** The known values of a string that can also have other values. */
  readonly 'x-extensible-enum'?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly deprecated?: boolean;
  readonly additionalProperties?: boolean | Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly format?: string;
}

export interface Example {
  readonly $ref?: string;
  readonly summary?: string;
  readonly value?: unknown;
}
export interface Media {
  readonly schema?: Schema;
  readonly examples?: Readonly<Record<string, Example>>;
}
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}
export interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly $ref?: string; readonly description?: string }>>;
  readonly content?: Readonly<Record<string, Media>>;
}
export interface Sample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Answer>>;
  readonly 'x-codeSamples'?: readonly Sample[];
}
export interface Document {
  readonly info: { readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly examples?: Readonly<Record<string, Example>>;
    readonly headers?: Readonly<Record<string, { readonly description?: string }>>;
  };
}

export const readDocument = (name: string): Document =>
  JSON.parse(readFileSync(new URL(`../../generated/${name}`, import.meta.url), 'utf8'));

const nameIn = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/** A schema with its component name. The name is omitted for inline schemas. */
export interface Named {
  readonly schema: Schema;
  readonly name?: string;
}

export function resolved(document: Document, schema: Schema): Named {
  if (schema.$ref === undefined) return { schema };
  const name = nameIn(schema.$ref);
  const found = document.components.schemas[name] ?? {};
  return { schema: schema.description === undefined ? found : { ...found, description: schema.description }, name };
}

export const exampleOf = (document: Document, example: Example): Example =>
  example.$ref === undefined ? example : (document.components.examples?.[nameIn(example.$ref)] ?? {});

export const headerOf = (document: Document, header: { readonly $ref?: string; readonly description?: string }): string =>
  (header.$ref === undefined ? header.description : document.components.headers?.[nameIn(header.$ref)]?.description) ?? '';
