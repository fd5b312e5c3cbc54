/** Flat names of tools, and encrypted reasoning, which are reversed when they come back. */
import { expect, test } from 'vitest';
import type { Tool } from '../../../../server/protocols/canonical/canonical-request.ts';
import { createFlatToolNames } from '../../../../server/protocols/canonical/flat-tool-names.ts';
import { packReasoning, unpackReasoning } from '../../../../server/protocols/canonical/packed-reasoning.ts';

const tool = (kind: 'function' | 'custom', namespace: string | null, name: string): Tool => {
  const place = { path: 'tools[0]', namespace, name, description: null };
  return kind === 'custom' ? { kind, grammar: null, ...place } : { kind, parameters: null, strict: null, ...place };
};
const long = 'x'.repeat(100);
const tools = [
  tool('function', null, 'plain'),
  tool('custom', 'ns', 'edit'),
  tool('function', null, 'ns__edit'),
  tool('function', 'ns', `${long}1`),
  tool('function', 'ns', `${long}2`),
  tool('function', null, '7-zip'),
  tool('function', null, 'dots.and spaces'),
];

test('gives each tool a unique valid name that maps back to it', () => {
  const names = createFlatToolNames(tools, 64);
  const offered = tools.filter((each) => each.kind !== 'hosted');
  const wires = offered.map(({ namespace, name }) => names.toWire(namespace, name));
  expect(new Set(wires).size).toBe(tools.length);
  expect(wires.every((wire) => /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(wire))).toBe(true);
  expect(wires.slice(0, 2)).toEqual(['plain', 'ns__edit']);
  expect(wires.map(names.fromWire)).toEqual(offered.map(({ kind, namespace, name }) => ({ form: kind, namespace, name })));
});

test('keeps a name in a later turn with other tools', () => {
  const names = createFlatToolNames([], 64);
  expect(names.toWire('ns', `${long}1`)).toBe(createFlatToolNames(tools, 64).toWire('ns', `${long}1`));
  expect(names.fromWire('ns__gone')).toEqual({ namespace: null, name: 'ns__gone', form: 'function' });
});

test('finds the tool of a choice without a namespace in its namespace', () => {
  expect(createFlatToolNames(tools, 64).resolveChoice({ form: 'custom', name: 'edit' })).toBe('ns__edit');
});

test('unseals what was sealed for one provider only for that one', () => {
  const value = { blocks: [{ thinking: 'Grüße ☕' }] };
  const sealed = packReasoning('anthropic', value);
  expect(sealed).toMatch(/^mg1\.anthropic\.[A-Za-z0-9_-]+$/);
  expect(unpackReasoning('anthropic', sealed)).toEqual(value);
  expect(unpackReasoning('gemini', sealed)).toBeNull();
  expect(unpackReasoning('anthropic', 'gAAAAB-not-ours')).toBeNull();
  expect(unpackReasoning('anthropic', `${sealed.slice(0, -8)}`)).toBeNull();
});
