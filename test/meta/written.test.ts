/** What the gateway writes has the contract's type where it is written: a change of the contract, or a slip of a writer, does not compile. */
import { beforeAll, describe, expect, test } from 'vitest';
import { type Compiler, openCompiler } from './written/compiler.ts';
import { type Mutant, mutate } from './written/mutants.ts';

let compiler: Compiler;
beforeAll(() => {
  compiler = openCompiler();
});

const chatWriter = 'server/dialects/chat/write-answer.ts';
const chunkWriter = 'server/dialects/chat/write-stream.ts';
const chatUsageWriter = 'server/dialects/chat/write-usage.ts';
const chatSteps = 'server/dialects/chat/answer.ts';
const responseWriter = 'server/dialects/responses/echo.ts';
const itemWriter = 'server/dialects/responses/item.ts';
const eventWriter = 'server/dialects/responses/content.ts';
const modelDoor = 'server/http/routes/models.ts';
const storedDoor = 'server/http/routes/stored-responses.ts';
const catalogDoor = 'server/http/routes/catalog.ts';
const usageDoor = 'server/http/routes/usage.ts';
const adminKeys = 'server/admin/keys.ts';
const simulated = {
  chat: 'server/simulator/chat/response.ts',
  chunks: 'server/simulator/chat/stream.ts',
  response: 'server/simulator/responses/response.ts',
  items: 'server/simulator/responses/items.ts',
  events: 'server/simulator/responses/stream.ts',
  images: 'server/simulator/images/response.ts',
} as const;

const chat = 'contract/chat-completion.ts';
const responses = 'contract/responses.ts';
const images = 'contract/images.ts';
const rename = (path: string, within: string, from: string, to: string): Mutant => ({ path, within, change: { kind: 'rename', from, to } });
const retype = (path: string, within: string, field: string, schema: string): Mutant => ({
  path,
  within,
  change: { kind: 'retype', field, schema },
});
const reword = (path: string, within: string, from: string, to: string): Mutant => ({ path, within, change: { kind: 'reword', from, to } });

function mutated(mutants: readonly Mutant[]): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const mutant of mutants) texts[mutant.path] = mutate(texts[mutant.path] ?? compiler.readSource(mutant.path), mutant);
  return texts;
}

test('all of these compile unchanged', () => {
  const files = [...new Set([...changes.flatMap(([, , , writers]) => writers), ...slips.map(({ path }) => path)])];
  expect(files).toHaveLength(21);
  expect(compiler.errorsIn(files, {})).toEqual(Object.fromEntries(files.map((file) => [file, []])));
});

/** A change of the contract, the files that have to follow, and a word of what the compiler says there. */
const changes: readonly (readonly [what: string, mutant: Mutant, says: string, files: readonly string[]])[] = [
  [
    'the choices of a completion are called answers',
    rename(chat, 'ChatCompletion', 'choices', 'answers'),
    'choices',
    [chatWriter, simulated.chat],
  ],
  [
    'the choices of a chunk are called answers',
    rename(chat, 'ChatCompletionChunk', 'choices', 'answers'),
    'choices',
    [chunkWriter, simulated.chunks],
  ],
  [
    'prompt tokens of chat are a text',
    retype(chat, 'ChatUsage', 'prompt_tokens', 'z.string()'),
    "'number' is not assignable to type 'string'",
    [chatUsageWriter, simulated.chat],
  ],
  ['a natural end is called end', reword(chat, 'FinishReason', 'stop', 'end'), '"stop"', [chatSteps, simulated.chat]],
  [
    'the output of a response is called outputs',
    rename(responses, 'Response', 'output', 'outputs'),
    'outputs',
    [responseWriter, simulated.response],
  ],
  [
    'the id of a response is a number',
    retype(responses, 'Response', 'id', 'z.number()'),
    "'string' is not assignable to type 'number'",
    [responseWriter, simulated.response],
  ],
  [
    'the call id of a function is called id_of_call',
    rename('contract/response-items.ts', 'FunctionCall', 'call_id', 'id_of_call'),
    'id_of_call',
    [itemWriter, simulated.items],
  ],
  [
    'a delta of a text is another event',
    reword('contract/response-events.ts', 'texts', 'response.output_text.delta', 'response.output_text.piece'),
    '"response.output_text.delta"',
    [eventWriter, simulated.events],
  ],
  ['pictures are created at', rename(images, 'ImageList', 'created', 'created_at'), 'created', [simulated.images]],
  [
    'a picture that is finished is another event',
    reword(images, 'ImageGenerationEvent', 'image_generation.completed', 'image_generation.done'),
    'image_generation.completed',
    [simulated.images],
  ],
  [
    'the owner of a model is a number',
    retype('contract/models.ts', 'Model', 'owned_by', 'z.number()'),
    "'string' is not assignable to type 'number'",
    [modelDoor],
  ],
  [
    'what is deleted says so in words',
    retype('contract/stored-responses.ts', 'DeletedResponse', 'deleted', 'z.string()'),
    "'boolean' is not assignable to type 'string'",
    [storedDoor],
  ],
  [
    'the abilities of a model are called talents',
    rename('contract/catalog.ts', 'CatalogModel', 'abilities', 'talents'),
    'abilities',
    [catalogDoor],
  ],
  ['a charge is called cost', rename('contract/usage.ts', 'usageShape', 'charged', 'cost_of_it'), 'charged', [usageDoor]],
  [
    'an operator reads the last five characters of a key',
    rename('contract/admin/keys.ts', 'keyShape', 'last_four', 'last_five'),
    'last_four',
    [adminKeys],
  ],
  ['a kind of model has another name', reword('contract/catalog.ts', 'CatalogModel', 'text', 'words'), '"text"', [catalogDoor]],
  [
    'no operation with a key names the rate limit',
    reword('contract/operation-errors.ts', 'keyed', 'rate_limit_exceeded', 'internal_error'),
    'rate_limit_exceeded',
    ['server/request/admission.ts', 'server/upstreams/credentials.ts'],
  ],
  [
    'an unknown model is a bad request',
    retype('contract/errors.ts', 'errorTable', 'model_not_found', "{ status: 400, type: 'not_found_error', message: '', meaning: '' }"),
    'model_not_found',
    ['server/request/pipeline.ts', modelDoor],
  ],
];

type Change = (typeof changes)[number];

/** What the parts of the contract that know each other are about: an error in one may hide that of another. */
const aboutWhat = ([, { path }]: Change): string => /response|errors/.exec(path)?.[0] ?? path;

/** Changes that have nothing to do with each other are compiled together: each program takes a second. Each error is about every writer. */
function together(): readonly (readonly Change[])[] {
  const groups: Change[][] = [];
  const isApart = (group: readonly Change[], change: Change): boolean =>
    [change, ...group].every((one) => aboutWhat(one) !== 'errors') && group.every((one) => aboutWhat(one) !== aboutWhat(change));
  for (const change of changes) {
    const group = groups.find((one) => isApart(one, change));
    if (group) group.push(change);
    else groups.push([change]);
  }
  return groups;
}

describe.each(together().map((group) => ({ group })))('a change of the contract', ({ group }) => {
  let errors: Readonly<Record<string, readonly string[]>>;
  beforeAll(() => {
    const files = group.flatMap(([, , , writers]) => writers);
    errors = compiler.errorsIn(files, mutated(group.map(([, mutant]) => mutant)));
  });

  test.each(group)('if %s, the code that writes it does not compile', (_what, _mutant, says, files) => {
    for (const file of files) expect(errors[file]?.join('\n'), file).toContain(says);
  });
});

/** A writer says a field more than the contract has. */
const slips = (
  [
    [chatWriter, 'writeCompletion'],
    [chatWriter, 'writeMessage'],
    [chatUsageWriter, 'writeUsage'],
    [chatSteps, 'writeLogprob'],
    [responseWriter, 'writeResponse'],
    [responseWriter, 'writeUsage'],
    [itemWriter, 'openItem'],
    [eventWriter, 'writeText'],
    [modelDoor, 'writeModel'],
    [storedDoor, 'storedResponseHandlers'],
    [catalogDoor, 'writeModel'],
    [usageDoor, 'writeUsage'],
    [adminKeys, 'writeKey'],
    [simulated.chat, 'writeCompletion'],
    [simulated.response, 'writeResponse'],
    [simulated.items, 'openItem'],
    [simulated.items, 'writePart'],
    [simulated.events, 'writeUnnumbered'],
    [simulated.images, 'writeSettings'],
  ] as const
).map(([path, within]): Mutant => ({ path, within, change: { kind: 'add', field: 'banana' } }));

describe('a field that the contract does not have', () => {
  let errors: Readonly<Record<string, readonly string[]>>;
  beforeAll(() => {
    errors = compiler.errorsIn([...new Set(slips.map(({ path }) => path))], mutated(slips));
  });

  test.each([...Map.groupBy(slips, ({ path }) => path)])('does not compile in %s', (file, added) => {
    expect(errors[file]).toHaveLength(added.length);
    for (const error of errors[file] ?? []) expect(error).toContain("'banana' does not exist");
  });
});

test('a writer that gives a completion another name does not compile', () => {
  const errors = compiler.errorsIn([chatWriter], mutated([reword(chatWriter, 'writeCompletion', 'chat.completion', 'chat.banana')]));
  expect(errors[chatWriter]).toEqual([expect.stringContaining('"chat.banana"')]);
});

/** Handlers as somebody in a hurry might write them. */
const hurried: Readonly<Record<string, string>> = {
  right: "return ok({ object: 'list', data: [] });",
  'a banana': "return { kind: 'value', value: { banana: 1 } };",
  'a field too many': "return ok({ object: 'list', data: [], banana: 1 });",
  'a body past the types': 'return { status: 200, body: { banana: 1 } };',
  'a status that the contract does not have': "return { status: 418, body: { object: 'list', data: [] } };",
  'bytes that nobody vouches for': "return pass(reply, { kind: 'whole', bytes: Buffer.from('{}') });",
};

test('a handler that does not answer by the contract does not compile', () => {
  const sources = Object.entries(hurried).map(
    ([what, body], index) => [what, `server/http/routes/hurried-${index}.ts`, handlerOf(body)] as const,
  );
  const errors = compiler.errorsIn(
    sources.map(([, path]) => path),
    Object.fromEntries(sources.map(([, path, source]) => [path, source])),
  );
  const counts = sources.map(([what, path]) => [what, errors[path]?.length]);
  expect(Object.fromEntries(counts)).toEqual(Object.fromEntries(Object.keys(hurried).map((what) => [what, what === 'right' ? 0 : 1])));
});

const handlerOf = (body: string): string => `
import type { Handlers } from '../ts-rest.ts';
export const handlers: Handlers<'listModels'> = {
  async listModels({ ok, pass, reply }) {
    if (typeof ok === typeof pass && reply.sent) throw new Error();
    ${body}
  },
};
`;
