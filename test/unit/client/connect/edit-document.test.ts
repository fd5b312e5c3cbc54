/** Values set in files that people wrote by hand: what isn't ours stays, to the comment. */
import { parse as parseToml } from '@decimalturn/toml-patch';
import { parse as parseJson } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { editDocument, UnreadableFileError } from '../../../../client/connect/edit-document.ts';
import { writeDocument } from '../../../../client/connect/recipes/document.ts';
import type { ConfigFile, Fields, Format, Setting } from '../../../../client/connect/recipes/recipe.ts';

const file = (format: Format, settings: readonly Setting[]): ConfigFile => ({ path: '~/x', format, settings });
const parsers = {
  json: (text: string): unknown => parseJson(text),
  yaml: (text: string): unknown => parseYaml(text),
  toml: (text: string): unknown => parseToml(text),
};
const settings: readonly Setting[] = [
  { at: ['model'], value: 'gpt-5.4' },
  { at: ['providers', 'modelgate', 'url'], value: 'https://gateway.example/v1' },
  { at: ['providers', 'modelgate', 'limit'], value: 128_000 },
  { at: ['providers', 'modelgate', 'headers'], value: { 'x-a': 'yes', on: 'on' } },
];
const expected = {
  model: 'gpt-5.4',
  providers: { modelgate: { url: 'https://gateway.example/v1', limit: 128_000, headers: { 'x-a': 'yes', on: 'on' } } },
};

const present: Readonly<Record<'json' | 'yaml' | 'toml', string>> = {
  json: '{\n    // mine\n    "model": "old", // why\n    "theme": "dark",\n    "providers": {\n        "other": { "url": "https://other.example" }, // keep\n    },\n}\n',
  yaml: '# mine\nmodel: old # why\ntheme: dark\n\nproviders:\n  # keep\n  other:\n    url: "https://other.example"\n',
  toml: '# mine\nmodel = "old" # why\ntheme = "dark"\n\n# keep\n[providers.other]\nurl = "https://other.example"\n',
};

describe.each(['json', 'yaml', 'toml'] as const)('%s', (format) => {
  it('creates a file from nothing, and reads it back as the values', () => {
    const text = editDocument('', file(format, settings));
    expect(parsers[format](text)).toEqual(expected);
    expect(text).toBe(writeDocument(file(format, settings)));
    expect(parsers[format](editDocument(text, file(format, settings)))).toEqual(expected);
  });

  it.each(['\n', '\r\n'])('keeps everything else, comments included, with lines that end in %j', (end) => {
    const text = editDocument(present[format].replaceAll('\n', end), file(format, settings));
    const other = { url: 'https://other.example' };
    expect(parsers[format](text)).toEqual({ ...expected, theme: 'dark', providers: { other, ...expected.providers } });
    for (const comment of ['mine', 'why', 'keep']) expect(text).toContain(comment);
    expect(text.replaceAll('\r\n', '').includes('\r')).toBe(false);
    if (end === '\r\n') expect(text.replaceAll('\r\n', '')).not.toContain('\n');
  });

  it('removes null settings, whether or not they exist', () => {
    const text = editDocument(
      editDocument(present[format], file(format, settings)),
      file(format, [{ at: ['providers', 'modelgate', 'limit'], value: null }]),
    );
    expect(parsers[format](text)).toMatchObject({ providers: { modelgate: { url: 'https://gateway.example/v1' } } });
    expect(text).not.toContain('limit');
    const removed = file(format, [{ at: ['none', 'such'], value: null }]);
    expect(editDocument(present[format], removed)).toBe(present[format]);
    expect(writeDocument(file(format, [...settings, { at: ['gone'], value: null }]))).not.toContain('gone');
  });

  it('leaves a value that is only a default where there is one', () => {
    const defaults = file(format, [
      { at: ['model'], value: 'x', isDefault: true },
      { at: ['more', 'deep'], value: 'x', isDefault: true },
    ]);
    expect(parsers[format](editDocument(present[format], defaults))).toMatchObject({ model: 'old', more: { deep: 'x' } });
  });

  it('rejects a file that it cannot read, and says where', () => {
    const broken = { json: '{ "a": ', yaml: 'a: [1\nb: 2', toml: 'a = \nb = 1' }[format];
    expect(() => editDocument(broken, file(format, settings))).toThrow(UnreadableFileError);
    expect(() => editDocument(broken, file(format, settings))).toThrow(/line \d|\d:\d|column \d/i);
  });
});

describe.each(['json', 'yaml'] as const)('a list in %s', (format) => {
  const entries = (...models: string[]) => models.map((model) => ({ model, base: 'https://gateway.example/v1' }));
  const replaces = ({ base }: Fields): boolean => base === 'https://gateway.example/v1';

  it('gets the new entries in the place of the former ones, and keeps those of others', () => {
    const start = { json: '{"models":[{"model":"mine","base":"x"}]}', yaml: 'models:\n  - model: mine # keep\n    base: x\n' }[format];
    const first = editDocument(start, file(format, [{ at: ['models'], value: entries('a', 'b'), replaces }]));
    const second = editDocument(first, file(format, [{ at: ['models'], value: entries('c'), replaces }]));
    expect(parsers[format](second)).toEqual({ models: [...entries('c'), { model: 'mine', base: 'x' }] });
    if (format === 'yaml') expect(second).toContain('# keep');
  });

  it('fills the whole document', () => {
    if (format === 'json') return;
    const whole = (...models: string[]) => file('yaml', [{ at: [], value: entries(...models), replaces }]);
    const first = editDocument('- model: mine\n  base: x\n', whole('a'));
    expect(parseYaml(editDocument(first, whole('b')))).toEqual([...entries('b'), { model: 'mine', base: 'x' }]);
    expect(parseYaml(editDocument('', whole('a', 'b')))).toEqual(entries('a', 'b'));
  });
});

it.each([
  ['json', '"a string"'],
  ['json', '[]'],
  ['json', '{ "providers": "mine" }'],
  ['json', '{ "providers": [1] }'],
  ['yaml', '- a\n'],
  ['yaml', 'providers: mine\n'],
  ['toml', 'providers = "mine"\n'],
  ['toml', '[[providers]]\na = 1\n'],
] as const)('rejects %s in which something else is in the place of an object: %j', (format, text) => {
  expect(() => editDocument(text, file(format, settings))).toThrow(/must be an object/);
});

it('rejects something else in the place of a list', () => {
  const list: Setting = { at: ['models'], value: [{ id: 'a' }], replaces: () => true };
  expect(() => editDocument('{ "models": {} }', file('json', [list]))).toThrow(/'models' must be a list/);
  expect(() => editDocument('a: 1\n', file('yaml', [{ ...list, at: [] }]))).toThrow(/the file must be a list/);
});

it('writes numbers, dates, and words of others in YAML as they were', () => {
  const text = 'a: 010\nb: 0xFFFFFFFFFFFFFFFF\nc: 1e3\nd: 12345678901234567890\ne: yes\nf: ~\ng: 12:30\n';
  expect(editDocument(text, file('yaml', [{ at: ['h'], value: 'on' }]))).toBe(`${text}h: "on"\n`);
});

it('adds to a YAML file with only comments', () => {
  expect(editDocument('# mine\n', file('yaml', [{ at: ['a', 'b'], value: 1 }]))).toMatch(/# mine\n+a:\n {2}b: 1\n/);
});

it('keeps a TOML comment above its table', () => {
  const text = '# mine\nmodel = "old"\n\n# projects\n# of mine\n[projects]\n[providers.modelgate]\nurl = "x"\n# more\n[more] # own\n';
  const edited = editDocument(text, file('toml', [...settings, { at: ['new'], value: 1 }]));
  expect(edited).toContain('# mine\nmodel = "gpt-5.4"\nnew = 1\n\n# projects\n# of mine\n[projects]\n');
  expect(edited).toMatch(/\nlimit = 128000\n[^#]*# more\n\[more\] # own\n/);
});

it('takes no line of a TOML string for a table', () => {
  const text = "[a]\nb = '''\n# no\n[table]'''\n# yes\n[c]\n";
  expect(editDocument(text, file('toml', [{ at: ['d'], value: 1 }]))).toBe(`d = 1\n\n${text}`);
});

it('keeps comments in lists of JSON, and behind the last name', () => {
  const text = '{\n  "list": [ // first\n    { "id": "mine" } // second\n  ],\n  "theme": "dark", // third\n}\n';
  const edited = editDocument(
    text,
    file('json', [
      { at: ['list'], value: [{ id: 'a' }], replaces: ({ id }) => id === 'a' },
      { at: ['new'], value: 1 },
    ]),
  );
  for (const comment of ['// first', '{ "id": "mine" } // second', '"theme": "dark", // third']) expect(edited).toContain(comment);
  expect(parseJson(edited)).toEqual({ list: [{ id: 'a' }, { id: 'mine' }], theme: 'dark', new: 1 });
});
