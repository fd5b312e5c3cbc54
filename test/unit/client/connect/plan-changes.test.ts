/** What `connect` writes in a home, and that `--undo` leaves no trace of it. */
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { Backups } from '../../../../client/connect/backups.ts';
import {
  formatDiff,
  type HostEnvironment,
  hideSecrets,
  isChange,
  planChanges,
  resolveConfigPath,
} from '../../../../client/connect/plan-changes.ts';
import type { ConfigFile } from '../../../../client/connect/recipes/recipe.ts';
import { temporaryFolder } from '../../../harness/folder.ts';

const file = (value: string, path = '~/.tool/deep/config.json'): ConfigFile => ({
  path,
  format: 'json',
  settings: [{ at: ['model'], value }],
});
let around: HostEnvironment;
beforeEach(() => {
  around = { env: {}, home: temporaryFolder(), workingFolder: temporaryFolder(), platform: 'linux' };
});

const connect = (...files: readonly ConfigFile[]) =>
  new Backups('tool', around).write(planChanges(files, around).filter(isChange), {
    baseUrl: 'https://gateway.example/v1',
    model: 'a',
    keyFromEnv: false,
    createdKey: null,
  });
const undo = () => new Backups('tool', around).undo();
/** Every file and folder of the home with its content and mode. */
const picture = (folder: string): unknown =>
  readdirSync(folder, { withFileTypes: true }).map((entry) => {
    const path = join(folder, entry.name);
    const { mode } = lstatSync(path);
    return [entry.name, mode, entry.isDirectory() ? picture(path) : readFileSync(path, 'latin1')];
  });

describe('undo', () => {
  it('restores every byte and mode after two connections', () => {
    const bytes = Buffer.from('\uFEFF{ "model": "mine", /* \u00fc */ "x": [1,2] }\r\n\r\n');
    writeFileSync(join(around.home, 'own.json'), bytes);
    chmodSync(join(around.home, 'own.json'), 0o640);
    const before = picture(around.home);
    connect(file('a', '~/own.json'));
    connect(file('b', '~/own.json'));
    expect(JSON.stringify(picture(around.home))).not.toBe(JSON.stringify(before));
    expect(undo()).toEqual({ restored: [join(around.home, 'own.json')], deleted: [], kept: [] });
    expect(picture(join(around.home))).toEqual(before);
  });

  it('deletes files and folders that were not there', () => {
    connect(file('a'), file('a', '~/.tool/second.json'));
    expect(statSync(join(around.home, '.tool/deep/config.json')).mode & 0o777).toBe(0o600);
    undo();
    expect(picture(around.home)).toEqual([]);
  });

  it('keeps folders in which the tool has other files by now', () => {
    connect(file('a'));
    writeFileSync(join(around.home, '.tool/session'), 'x');
    undo();
    expect(readdirSync(join(around.home, '.tool'))).toEqual(['session']);
  });

  it('keeps a version that was changed since', () => {
    connect(file('a'));
    const changed = '{ "model": "a", "trusted": true }';
    writeFileSync(join(around.home, '.tool/deep/config.json'), changed);
    const { kept = [] } = undo() ?? {};
    expect(kept.map((path) => readFileSync(path, 'utf8'))).toEqual([changed]);
    expect(readdirSync(around.home)).not.toContain('.tool');
  });

  it('keeps what was changed between two connections, too, and a file that came after a failed one', () => {
    connect(file('a'));
    const own = '{ "model": "mine" }';
    writeFileSync(join(around.home, '.tool/deep/config.json'), own);
    connect(file('b'));
    expect(undo()?.kept.map((path) => readFileSync(path, 'utf8'))).toEqual([own]);
  });

  it('works when the folder of a file is gone, or a file is in its place', () => {
    writeFileSync(join(around.home, 'own.json'), '{}');
    connect(file('a'), file('a', '~/own.json'));
    rmSync(join(around.home, '.tool'), { recursive: true });
    writeFileSync(join(around.home, '.tool'), 'x');
    expect(undo()?.restored).toEqual([join(around.home, 'own.json')]);
    expect(readFileSync(join(around.home, 'own.json'), 'utf8')).toBe('{}');
  });

  it('leaves a link to nothing in place', () => {
    symlinkSync('dotfiles/own.json', join(around.home, 'own.json'));
    connect(file('a', '~/own.json'));
    expect(JSON.parse(readFileSync(join(around.home, 'dotfiles/own.json'), 'utf8'))).toEqual({ model: 'a' });
    undo();
    expect(lstatSync(join(around.home, 'own.json')).isSymbolicLink()).toBe(true);
    expect(readdirSync(around.home)).toEqual(['own.json']);
  });

  it('leaves a symbolic link in place, and writes where it points', () => {
    mkdirSync(join(around.home, 'dotfiles'));
    writeFileSync(join(around.home, 'dotfiles/own.json'), '{}');
    symlinkSync('dotfiles/own.json', join(around.home, 'own.json'));
    connect(file('a', '~/own.json'));
    expect(lstatSync(join(around.home, 'own.json')).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(join(around.home, 'dotfiles/own.json'), 'utf8'))).toEqual({ model: 'a' });
    undo();
    expect(readFileSync(join(around.home, 'dotfiles/own.json'), 'utf8')).toBe('{}');
  });
});

describe('a path', () => {
  const places: ConfigFile = {
    path: '~/.config/tool/config.json',
    otherPaths: { darwin: '~/Library/tool/config.json', win32: '%APPDATA%/tool/config.json' },
    folderVariable: 'TOOL_HOME',
    format: 'json',
    settings: [],
  };
  it.each([
    ['linux', {}, '/h/.config/tool/config.json'],
    ['darwin', {}, '/h/Library/tool/config.json'],
    ['win32', { APPDATA: '/h/Roaming' }, '/h/Roaming/tool/config.json'],
    ['linux', { TOOL_HOME: '/else' }, '/else/config.json'],
    ['linux', { TOOL_HOME: 'here' }, '/w/here/config.json'],
  ] as const)('resolves on %s with %j to %s', (platform, env, path) => {
    expect(resolveConfigPath(places, { env, platform, home: '/h', workingFolder: '/w' })).toBe(path);
  });
});

it('shortens the home folder in a diff, and names no former file for a new one', () => {
  const [change] = planChanges([file('a')], around);
  if (!change) throw new Error('no change');
  expect(formatDiff(change)).toBe('--- /dev/null\n+++ ~/.tool/deep/config.json\n@@ -0,0 +1,3 @@\n+{\n+  "model": "a"\n+}\n');
});

it.each([
  ['a key of ours', 'experimental_bearer_token = "mg-abcdefghijkl1234"', 'experimental_bearer_token = "mg-…1234"'],
  ['a key of others', '"api_key": "sk-or-v1-SECRET",', '"api_key": "…",'],
  ['a token', 'token: abcdef123456', 'token: …'],
  ['a variable', 'env_key = "MODELGATE_API_KEY"', 'env_key = "MODELGATE_API_KEY"'],
  ['a reference', '"apiKey": "{env:MODELGATE_API_KEY}"', '"apiKey": "{env:MODELGATE_API_KEY}"'],
  ['a size', 'max_tokens: 128000', 'max_tokens: 128000'],
])('hides only secrets: %s', (_, text, shown) => {
  expect(hideSecrets(text)).toBe(shown);
});

it('rejects a file that is not UTF-8', () => {
  writeFileSync(join(around.home, 'own.json'), Buffer.from('{ "x": "caf\xe9" }', 'latin1'));
  expect(() => planChanges([file('a', '~/own.json')], around)).toThrow(/Can't edit ~\/own\.json/);
});
