import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { ChatCompletion } from '../../../../contract/chat/completion.ts';
import { Budget, MAX_STEPS } from '../../../../server/providers/simulator/budget.ts';
import { samplePattern as sample } from '../../../../server/providers/simulator/sample-pattern.ts';
import { createSchemaExample } from '../../../../server/providers/simulator/schema-example.ts';
import { readJson, send, type Wire } from './ask.ts';

/** The structured output for a schema, which is the same on both text operations. */
async function structured(schema: Wire, prompt = 'Describe Oslo'): Promise<unknown> {
  const chat = {
    messages: [{ role: 'user', content: prompt }],
    response_format: { type: 'json_schema', json_schema: { name: 's', schema, strict: true } },
  };
  const { choices } = ChatCompletion.parse(await readJson(send('createChatCompletion', chat)));
  const text = { format: { type: 'json_schema', name: 's', schema, strict: true } };
  const response = await readJson(send('createResponse', { input: prompt, text }));
  const content = choices[0]?.message.content ?? '';
  expect(JSON.stringify(response.output)).toContain(JSON.stringify(content));
  return JSON.parse(content);
}

const budget = () => new Budget(1_000_000);
const samplePattern = (pattern: string, least: number) => sample(pattern, least, budget());

function object(properties: Wire, more: Wire = {}): Wire {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false, ...more };
}

const schemas: Record<string, Wire> = {
  'nested objects and arrays': object({
    name: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 3 },
    address: object({ street: { type: 'string' }, number: { type: 'integer', minimum: 10, maximum: 20 } }),
    done: { type: 'boolean' },
    nothing: { type: 'null' },
  }),
  'references and definitions': {
    ...object({ steps: { type: 'array', items: { $ref: '#/$defs/step' } }, last: { $ref: '#/$defs/step' } }),
    $defs: { step: object({ explanation: { type: 'string' }, output: { $ref: '#/$defs/text' } }), text: { type: 'string' } },
  },
  'enums, constants and nullables': object({
    kind: { const: 'city' },
    level: { enum: ['low', 'high'] },
    either: { anyOf: [{ type: 'integer', minimum: 5 }, { type: 'null' }] },
    maybe: { type: ['null', 'string'] },
  }),
  'a recursive schema': {
    $defs: { node: object({ value: { type: 'number' }, next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } }) },
    ...object({ root: { $ref: '#/$defs/node' } }),
  },
  'a schema that refers to itself': object({ name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } }),
  'bounds of numbers': object({
    a: { type: 'integer', exclusiveMinimum: 3, exclusiveMaximum: 5 },
    b: { type: 'number', minimum: 0.1, maximum: 0.2 },
    c: { type: 'integer', multipleOf: 7, minimum: 30 },
    d: { type: 'number', maximum: -4 },
    e: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
  }),
  'bounds of strings': object({
    short: { type: 'string', maxLength: 3 },
    long: { type: 'string', minLength: 60 },
    date: { type: 'string', format: 'date' },
    mail: { type: 'string', format: 'email' },
    id: { type: 'string', format: 'uuid' },
    code: { type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' },
  }),
  tuples: object({ pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false } }),
  'a choice of objects': object({
    item: { anyOf: [object({ kind: { const: 'a' }, x: { type: 'number' } }), object({ kind: { const: 'b' }, y: { type: 'string' } })] },
  }),
};

describe('a caller who asks for structured output', () => {
  it.each(Object.entries(schemas))('gets a value that fits %s', async (_, schema) => {
    const value = await structured(schema);
    expect(z.fromJSONSchema(schema).safeParse(value)).toEqual({ success: true, data: value });
  });

  it('gets words and numbers of its prompt', async () => {
    const schema = object({ city: { type: 'string' }, guests: { type: 'integer' }, cities: { type: 'array', items: { type: 'string' } } });
    expect(await structured(schema, 'Rooms for 4 in Oslo and Rome')).toEqual({ city: 'Oslo', guests: 4, cities: ['Oslo', 'Rome'] });
  });

  it('gets all parts of an `allOf`, also of references', async () => {
    const schema = {
      type: 'object',
      allOf: [{ $ref: '#/$defs/named' }, { properties: { age: { type: 'integer' } }, required: ['age'] }],
      $defs: { named: { properties: { name: { type: 'string' } }, required: ['name'] } },
    };
    expect(await structured(schema)).toEqual({ name: 'Oslo', age: 1 });
  });

  it('gets properties named `__proto__` and `constructor`', async () => {
    const schema: Wire = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"const":1},"constructor":{"const":2}},"required":["__proto__","constructor"]}',
    );
    expect(JSON.stringify(await structured(schema))).toBe('{"__proto__":1,"constructor":2}');
  });

  it('gets a JSON object for json_object', async () => {
    const body = { messages: [{ role: 'user', content: 'Give me JSON' }], response_format: { type: 'json_object' } };
    const { choices } = ChatCompletion.parse(await readJson(send('createChatCompletion', body)));
    expect(JSON.parse(choices[0]?.message.content ?? '')).toEqual({ source: 'built-in simulator, not a model', prompt: 'Give me JSON' });
  });
});

describe('a caller with a hostile schema', () => {
  const source = { quote: '', subjects: ['x'], numbers: [] };

  it('gets an answer of bounded length', () => {
    const keys = Array.from({ length: 40 }, (_, index) => `k${index}`);
    const wide: Wire = {
      $ref: '#',
      required: keys,
      type: 'object',
      properties: Object.fromEntries(keys.map((key) => [key, { $ref: '#' }])),
    };
    const arrays: Wire = { type: 'array', minItems: 1e9, items: { $ref: '#' } };
    const parts: Wire = { allOf: Array.from({ length: 1000 }, () => ({ $ref: '#' })) };
    for (const schema of [wide, arrays, parts, { type: 'string', minLength: 1e12 }]) {
      expect(JSON.stringify(createSchemaExample(schema, source, budget())).length).toBeLessThan(200_000);
    }
  });

  it('A11: stops at the budget of characters, however many and long its texts are', () => {
    const texts = { type: 'string', minLength: 10_000 };
    const rows: Wire = { type: 'array', minItems: 100, items: { type: 'array', minItems: 100, items: texts } };
    const own: Wire = { type: 'array', minItems: 100, items: { const: 'x'.repeat(100_000) } };
    const name = 'n'.repeat(100_000);
    const named: Wire = {
      type: 'array',
      minItems: 100,
      items: { type: 'object', required: [name], properties: { [name]: { type: 'null' } } },
    };
    for (const schema of [rows, own, named]) {
      const left = budget();
      const text = JSON.stringify(createSchemaExample(schema, source, left));
      expect(left.isExhausted).toBe(true);
      // All that is counted is in the text, and at most one more entry.
      expect(text.length).toBeGreaterThanOrEqual(1_000_000);
      expect(text.length).toBeLessThan(1_200_000);
    }
  });

  it('A11: gets 400 if its schemas have more names than there are steps', async () => {
    const names = Array.from({ length: 8_000 }, (_, index) => `k${index}`);
    const $defs = { wide: { type: 'object', required: names, properties: Object.fromEntries(names.map((name) => [name, {}])) } };
    const part = { allOf: Array.from({ length: 8 }, () => ({ $ref: '#/$defs/wide' })) };
    const schema = { allOf: Array.from({ length: 8 }, () => part), $defs };
    const left = budget();
    expect(() => createSchemaExample(schema, source, left)).toThrow(`in at most ${MAX_STEPS} steps`);
    // The last step exceeds the bound by the names of at most two schemas.
    expect(left.steps).toBeLessThan(MAX_STEPS + 40_000);
    const tools = [{ type: 'function', name: 'draw', parameters: schema }];
    const answer = await send('createResponse', { input: 'call draw', tools });
    expect(answer.status).toBe(400);
    expect(await readJson(answer)).toMatchObject({
      error: { code: 'invalid_value', param: 'tools', message: expect.stringContaining("'draw'") },
    });
  });

  it('A8: gets its pattern read a few times only, however long the text', () => {
    const nested = `${'(?=a+'.repeat(130)}${')'.repeat(130)}b{1000}c`;
    for (const pattern of [nested, '(?=a+(?=b+(?=c+)))x', `${'(a+)+'.repeat(150)}`, `${'('.repeat(32)}a+${')+'.repeat(32)}`]) {
      const left = budget();
      expect(sample(pattern, 1_000, left).length).toBeLessThanOrEqual(1_000);
      // Read once and written twice, with fewer steps than the pattern has characters, times what they can repeat.
      expect(left.steps).toBeLessThan(3 * pattern.length * 33);
    }
  });

  it('A8: gets all its patterns read within one budget', () => {
    const text = { type: 'string', pattern: `${'(?=a+)'.repeat(120)}x` };
    const rows: Wire = { type: 'array', minItems: 100, items: { type: 'array', minItems: 100, items: text } };
    const left = budget();
    left.begin('tools', 'the schema');
    expect(() => createSchemaExample(rows, source, left)).toThrow('steps');
    expect(left.steps).toBeLessThan(MAX_STEPS + 100);
  });

  it('gets no pattern run by the simulator', () => {
    const run = vi.spyOn(RegExp.prototype, 'exec');
    onTestFinished(() => run.mockRestore());
    const patterns = ['^(a+)+$', `${'('.repeat(500)}a`, 'a{999999}{999999}'];
    const samples = patterns.map((pattern) => samplePattern(pattern, 30));
    // Every expression that was run, also by match, test or replace.
    const expressions = run.mock.contexts.map(String);
    run.mockRestore();
    expect(samples[0]).toMatch(/^a{30,}$/);
    for (const sample of samples) expect(sample.length).toBeLessThanOrEqual(1_000);
    expect(expressions.filter((expression) => patterns.some((pattern) => expression.includes(pattern)))).toEqual([]);
    // The expressions of the simulator itself: a few for each character, at each of thirty tries.
    expect(expressions.length).toBeGreaterThan(0);
    expect(expressions.length).toBeLessThan(30 * 4 * 600);
  });
});

describe('a pattern', () => {
  const patterns = [
    '^\\d{3}-\\d{2,4}$',
    '^(?:foo|bar)+x?$',
    '^[^a-z/]{2}$',
    '^[\\w.]+@[a-z]{2,}\\.com$',
    '^\\p{Lu}\\p{Ll}*$',
    '^\\u0041[-_]\\.$',
    '^.{4}$',
    '^[^\\d]\\s$',
    '^[一-龥]{2}[xyz]$',
    '^[\\u0391-\\u03a9]\\x41\\t$',
  ];
  it.each(patterns)('matches the text generated for it: %s', (pattern) => {
    expect(samplePattern(pattern, 0)).toMatch(new RegExp(pattern, 'u'));
  });

  it.each([
    ['^[a-c]+$', 9],
    ['^(?:[a-c]-?)*\\d{2,4}$', 9],
    ['^x(?:yz)?[0-9]{3,12}$', 12],
  ])('gets for %s a text of at least %d characters', (pattern, length) => {
    const text = samplePattern(pattern, length);
    expect(text).toMatch(new RegExp(pattern, 'u'));
    expect(text.length).toBeGreaterThanOrEqual(length);
    expect(text.length).toBeLessThan(length + 3);
  });
});
