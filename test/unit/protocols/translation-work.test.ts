/** The work of a translation is bounded by the bytes of the request. It is counted in reads of values, not in time. */
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../server/primitives/errors.ts';
import { anthropicDialect } from '../../../server/protocols/anthropic/dialect.ts';
import type { FunctionTool, Tool } from '../../../server/protocols/canonical/canonical-request.ts';
import { createFlatToolNames } from '../../../server/protocols/canonical/flat-tool-names.ts';
import { toToolSchema } from '../../../server/protocols/canonical/tool-schema.ts';
import { countValues, WorkBudget } from '../../../server/protocols/canonical/work-budget.ts';
import { chatUpstreamDialect } from '../../../server/protocols/chat/dialect.ts';
import { converseDialect } from '../../../server/protocols/converse/dialect.ts';
import { geminiDialect } from '../../../server/protocols/gemini/dialect.ts';
import { responsesUpstreamDialect } from '../../../server/protocols/responses/dialect.ts';
import { alike, chain, forkedLadder, ladder, shared, wide, wrapped } from '../../fixtures/tools/costly.ts';
import sent from '../../fixtures/tools/sent.json' with { type: 'json' };
import { runs } from './arbitrary-values.ts';
import { chatTurn, refusalOf, responsesTurn } from './upstream-reading.ts';

type Fields = Readonly<Record<string, unknown>>;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** A proxy of the value that counts all reads in it. */
function watched<T extends object>(value: T): { readonly value: T; readonly count: () => number } {
  let reads = 0;
  const proxies = new WeakMap<object, object>();
  const watch = (inner: unknown): unknown => {
    if (typeof inner !== 'object' || inner === null) return inner;
    const known = proxies.get(inner) ?? new Proxy(inner, handler);
    proxies.set(inner, known);
    return known;
  };
  const handler: ProxyHandler<object> = {
    get(target, name, receiver) {
      reads++;
      return watch(Reflect.get(target, name, receiver));
    },
    getOwnPropertyDescriptor(target, name) {
      reads++;
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
  };
  // A proxy of a value has its type.
  return { value: watch(value) as T, count: () => reads };
}

/** The reads and the work to write a schema, and the refusal if there is one. */
function write(schema: Fields): { readonly reads: number; readonly work: WorkBudget; readonly rejected: GatewayError | null } {
  const work = new WorkBudget(bytesOf(schema));
  const { value, count } = watched(schema);
  try {
    toToolSchema(value, work.forField('tools[0].parameters'));
    return { reads: count(), work, rejected: null };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { reads: count(), work, rejected: error };
  }
}

const count = (max: number) => fc.integer({ min: 1, max });
const join = fc.constantFrom('allOf' as const, 'anyOf' as const, 'oneOf' as const);
const names = fc.constantFrom('a', 'b', 'c', 'd');
const reference = fc.constantFrom('#', '#/$defs/a', '#/$defs/b', '#/$defs/c', '#/$defs/d').map(($ref) => ({ $ref }));
const { schema: tangle } = fc.letrec<{ schema: Fields }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    reference,
    fc.dictionary(names, reference, { noNullPrototype: true }).map((properties) => ({ properties })),
    fc.array(names).map((required) => ({ required })),
    tie('schema').map((items) => ({ type: 'array', items })),
    fc.tuple(join, fc.array(tie('schema'), { maxLength: 4 })).map(([name, inner]) => ({ [name]: inner })),
  ),
}));
/** Definitions that refer to each other and to themselves. */
const tangled = fc.tuple(tangle, tangle, tangle, tangle, tangle).map(([top, a, b, c, d]) => ({ ...top, $defs: { a, b, c, d } }));

const nest = (depth: number, of: (inner: Fields) => Fields): Fields => {
  let schema: Fields = { type: 'string' };
  for (let level = 0; level < depth; level++) schema = of(schema);
  return schema;
};

const shapes: Readonly<Record<string, fc.Arbitrary<Fields>>> = {
  'a ladder': fc.tuple(count(40), join).map(([depth, name]) => ladder(depth, name)),
  'a ladder that forks': count(20).map(forkedLadder),
  'a chain of references': count(2000).map(chain),
  'branches side by side': fc.tuple(count(60), count(40), join).map(([branches, each, name]) => wide(branches, each, name)),
  'branches that ask for the same': fc.tuple(count(60), count(60)).map(([branches, wanted]) => alike(branches, wanted)),
  'one union in another': fc.tuple(count(120), count(120)).map(([levels, each]) => wrapped(levels, each)),
  'many references to one schema': fc.tuple(count(120), count(120), join).map(([references, each, name]) => shared(references, each, name)),
  'lists in lists': count(60).map((depth) => nest(depth, (items) => ({ type: 'array', items: [items] }))),
  'objects in objects': count(60).map((depth) => nest(depth, (inner) => ({ properties: { a: { ...inner, required: true } } }))),
  'definitions in a tangle': tangled,
};

/** The bound of reads for each byte: a value is read a few times, and a schema is walked twice. */
const READS_PER_BYTE = 12;

describe('A1: the work for a tool schema', () => {
  test.each(Object.entries(shapes))('stays within its bytes, or the schema is rejected: %s', (_name, shape) => {
    fc.assert(
      fc.property(shape, (schema) => {
        const { reads, work, rejected } = write(schema);
        expect(reads).toBeLessThanOrEqual(READS_PER_BYTE * bytesOf(schema) + 100);
        if (rejected === null) expect(work.spentValues).toBeLessThanOrEqual(work.most);
        else expect(rejected).toMatchObject({ code: 'invalid_value', param: 'tools[0].parameters' });
      }),
      runs(40),
    );
  });
});

describe('A10: the work for wide schemas without references', () => {
  test.each([
    ['200 branches with 30 names each', wide(200, 30)],
    ['200 joined parts with 30 names each', wide(200, 30, 'allOf')],
    ['200 branches that ask for the same 100 names', alike(200, 100)],
  ])('stays within their bytes: %s', (_name, schema) => {
    const { rejected, reads } = write(schema);
    expect(rejected).toBeNull();
    expect(reads).toBeLessThan(READS_PER_BYTE * bytesOf(schema));
  });

  test('follows a chain of 500 references, also with unions, and rejects a longer one', () => {
    const sentOf = (schema: Fields) => toToolSchema(schema, new WorkBudget().forField('tools[0].parameters'));
    expect(sentOf(chain(498))).toMatchObject({ properties: { x: { type: 'string' } } });
    expect(sentOf(wrapped(249, 1))).toMatchObject({ properties: { n0: { type: 'string' } } });
    expect(write(chain(15_000)).rejected?.message).toContain('more than 500 references');
  });
});

const upstreams = {
  chat: chatUpstreamDialect,
  responses: responsesUpstreamDialect,
  anthropic: anthropicDialect,
  gemini: geminiDialect,
  converse: converseDialect,
};

describe.each(Object.entries(upstreams))('Over %s', (kind, upstream) => {
  const turnOf = kind === 'responses' ? chatTurn : responsesTurn;
  const toolOf = (name: string, parameters: Fields) =>
    kind === 'responses' ? { type: 'function', function: { name, parameters } } : { type: 'function', name, parameters };

  test('A10: shares one bound among all tools of a request, and names the tool that exceeds it', () => {
    const tools = Array.from({ length: 128 }, (_, index) => toolOf(`f${index}`, ladder(8)));
    const work = new WorkBudget(bytesOf(tools));
    const alone = new WorkBudget(bytesOf(tools));
    toToolSchema(ladder(8), alone.forField('tools[0].parameters'));
    const last = Math.floor(alone.most / alone.spentValues);
    expect(last).toBeLessThan(128);
    const path = `tools[${last}]${kind === 'responses' ? '.function' : ''}.parameters`;
    expect(refusalOf(() => upstream.writeRequest(turnOf({ tools }, 'm'), work))).toBe(`invalid_value ${path}`);
  });
});

describe.each([
  ['anthropic', anthropicDialect],
  ['gemini', geminiDialect],
  ['converse', converseDialect],
] as const)('Over %s', (provider, upstream) => {
  /** Values inside of a string, which the parser of the body does not count. */
  const many = `{"a":[${'[],'.repeat(400_000)}[]]}`;
  const call = (packed: string) => ({ type: 'function_call', call_id: 'c', name: 'f', arguments: packed });
  const hello = { role: 'user', content: 'Hi' };

  test('A1: rejects too many values in the arguments of a call', () => {
    const input = [hello, call(many), { type: 'function_call_output', call_id: 'c', output: '' }];
    expect(refusalOf(() => upstream.writeRequest(responsesTurn({ input }, 'm')))).toBe('invalid_value input[1]');
  });

  test('A1: rejects too many values in encrypted reasoning', () => {
    const encrypted_content = `mg1.${provider}.${Buffer.from(many).toString('base64url')}`;
    const input = [hello, { type: 'reasoning', summary: [], encrypted_content }];
    expect(refusalOf(() => upstream.writeRequest(responsesTurn({ input }, 'm')))).toBe('invalid_value input[1]');
  });
});

test('A1: looks up the names of earlier calls without a walk through all tools', () => {
  let reads = 0;
  const tools = Array.from({ length: 1000 }, (_, index): Tool => {
    const tool = { kind: 'function', description: null, parameters: null, strict: null, path: `tools[${index}]` } as const;
    const named = { ...tool, namespace: `s${index}`, name: `f${index}` } satisfies FunctionTool;
    return new Proxy(named, {
      get(target, name) {
        reads++;
        return Reflect.get(target, name);
      },
    });
  });
  const flat = createFlatToolNames(tools, 64);
  const before = reads;
  for (let index = 0; index < 1000; index++) expect(flat.toWire(null, `f${index}`)).toBe(`s${index}__f${index}`);
  for (let index = 0; index < 128; index++) flat.resolveChoice({ form: 'function', name: `f${index}` });
  expect(before).toBeLessThan(12 * tools.length);
  expect(reads - before).toBeLessThan(12 * 128);
});

test('counts values outside of strings', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const parts = (inner: unknown): number =>
        typeof inner === 'object' && inner !== null ? Object.values(inner).reduce<number>((sum, each) => sum + parts(each), 1) : 1;
      const empties =
        JSON.stringify(value)
          .replace(/"(?:[^"\\]|\\.)*"/g, '0')
          .match(/\[\]|\{\}/g) ?? [];
      expect(countValues(JSON.stringify(value))).toBe(parts(value) + empties.length);
    }),
    runs(300),
  );
});

const folder = new URL('../../fixtures/tools/corpus/', import.meta.url);
const corpus = readdirSync(folder).map((file) => ({
  name: file.replace('.json', ''),
  // The files are lists of tools.
  tools: JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as readonly Fields[],
}));
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const flattened = (tools: readonly Fields[]): readonly Fields[] =>
  tools.flatMap((tool) =>
    Array.isArray(tool.tools) ? tool.tools.map((inner: Fields) => ({ ...inner, name: `${tool.name}__${inner.name}` })) : [tool],
  );

test.each(corpus)('A10: writes the schemas of $name as expected, with less than a third of the allowed work', ({ name, tools }) => {
  const expected: Readonly<Record<string, Fields>> = Object.hasOwn(sent, name) ? sent[name as keyof typeof sent] : {};
  for (const { name: toolName, parameters } of flattened(tools)) {
    if (!isFields(parameters)) continue;
    const work = new WorkBudget(Math.max(bytesOf(parameters), 100));
    const written = toToolSchema(parameters, work.forField('tools[0].parameters'));
    expect(JSON.stringify(written)).toBe(JSON.stringify(expected[String(toolName)] ?? parameters));
    expect(work.spentValues).toBeLessThan(work.most / 3);
  }
});
