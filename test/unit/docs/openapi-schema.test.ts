/** How schemas of the contract become components of the OpenAPI document. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { collectComponents } from '../../../docs/generate/openapi/components.ts';
import { addDiscriminator } from '../../../docs/generate/openapi/discriminator.ts';
import { tidy } from '../../../docs/generate/openapi/json-schema.ts';

const Cat = z.object({ kind: z.literal('cat'), type: z.literal('cat') }).meta({ id: 'Cat' });
const Dog = z.object({ type: z.enum(['dog', 'wolf']) }).meta({ id: 'Dog' });
const Fish = z.object({ type: z.literal('fish').optional() }).meta({ id: 'Fish' });

describe('the components', () => {
  it('hold a named schema once, with references to it', () => {
    const components = collectComponents();
    const pair = components.add(z.object({ one: Cat, other: Cat }));
    expect(pair.properties).toEqual({ one: { $ref: '#/components/schemas/Cat' }, other: { $ref: '#/components/schemas/Cat' } });
    expect(Object.keys(components.all())).toEqual(['Cat']);
  });

  it('refuse two different schemas of one name', () => {
    const components = collectComponents();
    const named = (schema: z.ZodType) => z.object({ inner: schema.meta({ id: 'Twice' }) });
    components.add(named(z.string()));
    expect(() => components.add(named(z.number()))).toThrow('Two different schemas are named Twice.');
  });

  it('name the field that tells the branches of a union apart, with each of its values', () => {
    const components = collectComponents();
    components.add(z.object({ pet: z.discriminatedUnion('type', [Cat, Dog]).meta({ id: 'Pet' }) }));
    expect(components.all().Pet?.discriminator).toEqual({
      propertyName: 'type',
      mapping: { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog', wolf: '#/components/schemas/Dog' },
    });
  });

  it('name no such field where a branch may leave it out', () => {
    const components = collectComponents();
    components.add(
      z.object({ pet: z.union([Cat, Fish]).meta({ id: 'Pet' }), other: z.discriminatedUnion('type', [Dog, Fish]).meta({ id: 'Other' }) }),
    );
    const { Pet, Other } = components.all();
    expect(Pet).not.toHaveProperty('discriminator');
    expect(Other).toEqual({ anyOf: [{ $ref: '#/components/schemas/Dog' }, { $ref: '#/components/schemas/Fish' }] });
  });

  it('give the reason of the contract for a union without such a field', () => {
    const union = { oneOf: [{ $ref: '#/components/schemas/Dog' }, { $ref: '#/components/schemas/Fish' }] };
    const read = addDiscriminator(union, new Map(), 'A fish may leave it out.');
    expect(read).toEqual({ anyOf: union.oneOf, 'x-no-discriminator': 'A fish may leave it out.' });
    expect(addDiscriminator({ anyOf: union.oneOf }, new Map(), 'So it is.')).toMatchObject({ 'x-no-discriminator': 'So it is.' });
  });

  it('show a map only for an object without fields, a strict object or a record', () => {
    const read = (schema: z.ZodType) => tidy(z.toJSONSchema(schema, { io: 'input' }));
    expect(read(z.looseObject({ name: z.string() }))).not.toHaveProperty('additionalProperties');
    expect(read(z.looseObject({}))).toEqual({ type: 'object', additionalProperties: {} });
    expect(read(z.looseObject({ name: z.string() }).meta({ additionalProperties: true }))).toMatchObject({ additionalProperties: {} });
    expect(read(z.strictObject({ name: z.string() }))).toMatchObject({ additionalProperties: false });
    expect(read(z.record(z.string(), z.int().min(0)))).toMatchObject({ additionalProperties: { type: 'integer', minimum: 0 } });
  });

  it('flatten nested lists of choices', () => {
    const read = tidy(z.toJSONSchema(z.union([z.string(), z.array(z.string())]).nullable()));
    expect(read).toEqual({ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }, { type: 'null' }] });
  });

  it('write "text or null" as one schema with its bounds and description', () => {
    const schema = z.toJSONSchema(z.object({ name: z.string().max(5).nullish().describe('A name.') }));
    expect(tidy(schema)).toMatchObject({ properties: { name: { type: ['string', 'null'], maxLength: 5, description: 'A name.' } } });
  });

  it('list null among the values of an enum that may be null', () => {
    expect(tidy(z.toJSONSchema(z.enum(['a', 'b']).nullable()))).toEqual({ type: ['string', 'null'], enum: ['a', 'b', null] });
  });

  it('leave out the bounds of safe integers and keep those of the contract', () => {
    expect(tidy(z.toJSONSchema(z.int().min(3)))).toEqual({ type: 'integer', minimum: 3 });
  });

  it('keep fields that are named like keywords of JSON Schema', () => {
    const schema = z.toJSONSchema(z.object({ id: z.string(), properties: z.string().nullable(), enum: z.int() }));
    expect(tidy(schema)).toMatchObject({
      properties: { id: { type: 'string' }, properties: { type: ['string', 'null'] }, enum: { type: 'integer' } },
    });
  });
});
