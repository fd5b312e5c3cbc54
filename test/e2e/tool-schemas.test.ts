/** Tools as real agents and MCP servers declare them: each kind of upstream gets schemas that it accepts. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { useOpened } from '../harness/opened.ts';
import { clearFakes, type Kind, modelOver, openPairs } from '../harness/pairs.ts';
import { schemaProblems } from '../harness/schema-rules.ts';

type Fields = Readonly<Record<string, unknown>>;

const folder = new URL('../fixtures/tools/corpus/', import.meta.url);
const corpus = readdirSync(folder).map((file) => ({
  name: file.replace('.json', ''),
  // Each file is a list of tools.
  tools: JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as readonly Fields[],
}));

const pairs = useOpened(() => openPairs(), clearFakes);

/** The tools that the caller runs, with those in namespaces. */
const callable = (tools: readonly Fields[]): readonly Fields[] =>
  tools.flatMap((tool) => {
    // A namespace in the corpus holds a list of tools.
    if (tool.type === 'namespace')
      return (tool.tools as readonly Fields[]).map((inner) => ({ ...inner, name: `${tool.name}__${inner.name}` }));
    return tool.type === 'function' || tool.type === 'custom' ? [tool] : [];
  });

interface Declared {
  readonly name: string;
  readonly schema: unknown;
}
/** Reads the names and schemas of the tools in a request to each kind of upstream. */
const declaredTo: Readonly<Record<Kind, (tools: readonly never[]) => readonly Declared[]>> = {
  chat: (tools: readonly { function: { name: string; parameters: unknown } }[]) =>
    tools.map(({ function: { name, parameters } }) => ({ name, schema: parameters })),
  responses: (tools: readonly { name: string; parameters: unknown }[]) =>
    tools.map(({ name, parameters }) => ({ name, schema: parameters })),
  anthropic: (tools: readonly { name: string; input_schema: unknown }[]) =>
    tools.map(({ name, input_schema }) => ({ name, schema: input_schema })),
  gemini: (tools: readonly { functionDeclarations: readonly { name: string; parametersJsonSchema: unknown }[] }[]) =>
    tools.flatMap(({ functionDeclarations }) => functionDeclarations.map(({ name, parametersJsonSchema: schema }) => ({ name, schema }))),
  converse: (tools: readonly { toolSpec: { name: string; inputSchema: { json: unknown } } }[]) =>
    tools.map(({ toolSpec: { name, inputSchema } }) => ({ name, schema: inputSchema.json })),
};

/** Converse has them one level deeper. */
const toolsIn = ({ tools, toolConfig }: Fields): unknown => tools ?? (toolConfig as Fields).tools;

/** Makes a call that must be served, and returns the tools in the request to the upstream. */
async function declaredOver(kind: Kind, path: string, fields: Fields): Promise<readonly Declared[]> {
  pairs.expectToSay(kind, { text: 'Fine.' });
  const answer = await pairs.gateway.call(path, { json: { model: modelOver(kind), ...fields } });
  expect({ status: answer.status, body: answer.status === 200 ? '' : await answer.text() }).toEqual({ status: 200, body: '' });
  // Written by the gateway in the protocol of the kind.
  return declaredTo[kind](toolsIn(pairs.fakes[kind].last.fields) as readonly never[]);
}

const vendorName = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const problemsOf = (declared: readonly Declared[]) =>
  declared.flatMap(({ name, schema }) => [
    ...schemaProblems(schema).map((problem) => `${name}: ${problem}`),
    ...(vendorName.test(name) ? [] : [`${name} is no name`]),
  ]);

describe.each(corpus)('F24: the tools of $name', ({ tools }) => {
  test.each(['chat', 'anthropic', 'gemini'] as const)(
    'sends them over %s with valid names and schemas for a responses caller',
    async (kind) => {
      const declared = await declaredOver(kind, '/responses', { input: 'Hello', tools, store: false });
      expect(declared.map(({ name }) => name)).toEqual(callable(tools).map(({ name }) => name));
      expect(problemsOf(declared)).toEqual([]);
    },
  );

  const functions = callable(tools).filter(({ type }) => type === 'function');
  const chatTools = functions.map(({ type: _, ...definition }) => ({ type: 'function', function: definition }));
  test.each(['responses', 'anthropic', 'gemini'] as const)(
    'sends them over %s with valid names and schemas for a chat caller',
    async (kind) => {
      const declared = await declaredOver(kind, '/chat/completions', { messages: [{ role: 'user', content: 'Hello' }], tools: chatTools });
      expect(declared.map(({ name }) => name)).toEqual(functions.map(({ name }) => name));
      expect(problemsOf(declared)).toEqual([]);
    },
  );

  test('forwards them unchanged from a responses caller to a responses upstream', async () => {
    pairs.expectToSay('responses', { text: 'Fine.' });
    const answer = await pairs.gateway.call('/responses', { json: { model: modelOver('responses'), input: 'Hello', tools, store: false } });
    expect(answer.status).toBe(200);
    expect(pairs.fakes.responses.last.fields.tools).toEqual(tools);
  });
});

test('F24: forwards schemas that every provider accepts unchanged', async () => {
  const plain = corpus.filter(({ name }) => /codex|strict/.test(name)).flatMap(({ tools }) => callable(tools));
  const functions = plain.filter(({ type, name }, at) => type === 'function' && plain.findIndex((one) => one.name === name) === at);
  expect(functions.length).toBeGreaterThan(15);
  for (const kind of ['chat', 'anthropic', 'gemini'] as const) {
    const declared = await declaredOver(kind, '/responses', { input: 'Hello', tools: functions, store: false });
    expect(declared.map(({ schema }) => schema)).toEqual(functions.map(({ parameters }) => parameters));
  }
});
