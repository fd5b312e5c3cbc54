/** No schema of the contract changes what it checks: input equals output, so that what was approved is what is handed on. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { contract } from '../../contract/index.ts';

/** Kinds of schema that give back another value than they were given. */
const changing = new Set(['default', 'prefault', 'transform', 'pipe', 'catch', 'success', 'promise']);

interface Finding {
  readonly path: string;
  readonly kind: string;
}

const isSchema = (value: unknown): value is z.core.$ZodType => value instanceof z.core.$ZodType;

/** Walks a schema through everything that its definition refers to. */
function findChanges(schema: z.core.$ZodType, path: string, seen = new Set<unknown>()): Finding[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const { def } = schema._zod;
  const coerces = 'coerce' in def && def.coerce === true;
  const own = changing.has(def.type) || coerces ? [{ path, kind: coerces ? 'coerce' : def.type }] : [];
  return [...own, ...overwrites(schema, path), ...Object.entries(def).flatMap(([name, value]) => walk(value, `${path}.${name}`, seen))];
}

/** `.trim()`, `.toLowerCase()` and the like hide among the checks. */
function overwrites(schema: z.core.$ZodType, path: string): Finding[] {
  const checks = schema._zod.def.checks ?? [];
  return checks.filter((check) => check._zod.def.check === 'overwrite').map(() => ({ path, kind: 'overwrite' }));
}

function walk(value: unknown, path: string, seen: Set<unknown>): Finding[] {
  if (isSchema(value)) return findChanges(value, path, seen);
  if (typeof value === 'function' && path.endsWith('.getter')) return walk(value(), path, seen);
  if (typeof value !== 'object' || value === null || seen.has(value) || value instanceof RegExp) return [];
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? Object.entries(value).flatMap(([name, inner]) => walk(inner, `${path}.${name}`, seen)) : [];
}

/** Counts what was walked, so that a walk that sees nothing does not pass. */
function countSchemas(schema: z.core.$ZodType): number {
  const seen = new Set<unknown>();
  findChanges(schema, '', seen);
  return [...seen].filter(isSchema).length;
}

const routes = Object.entries(contract).map(([name, route]) => {
  const { body, pathParams, query } = route as { body?: unknown; pathParams?: unknown; query?: unknown };
  const { sse, form } = route.metadata as { sse?: unknown; form?: unknown };
  return { name, parts: { body, pathParams, query, sse, form, answer: route.responses[200] } };
});

describe.each(routes)('$name', ({ name, parts }) => {
  const schemas = Object.entries(parts).flatMap(([part, schema]) => (isSchema(schema) ? [[part, schema] as const] : []));

  test.each(schemas)('changes nothing when it parses its %s', (part, schema) => {
    expect(findChanges(schema, `${name}.${part}`)).toEqual([]);
    expect(countSchemas(schema)).toBeGreaterThan(1);
  });
});

test('exports no schema that changes a value', async () => {
  const folder = join(import.meta.dirname, '../../contract');
  const found: Finding[] = [];
  let count = 0;
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))) {
    const exported = (await import(join(folder, file))) as Record<string, unknown>;
    for (const [name, value] of Object.entries(exported)) {
      if (!isSchema(value)) continue;
      count++;
      found.push(...findChanges(value, `${file}:${name}`));
    }
  }
  expect(found).toEqual([]);
  expect(count).toBeGreaterThan(50);
});
