/** `modelgate connect` without the tools: what it finds wrong, what it writes, and what it says. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type OutgoingHttpHeaders, type Server } from 'node:http';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { recipes } from '../../../../client/connect/recipes/tools.ts';
import { chatFrames } from '../../../fakes/chat.ts';
import { stream } from '../../../fakes/delivery.ts';
import { type Fake, openFake } from '../../../fakes/upstream.ts';
import { readRows } from '../../../fixtures/rows.ts';
import { modelgate, start } from '../../../harness/command-line.ts';
import { temporaryFolder } from '../../../harness/folder.ts';
import { startGateway, type TestGateway } from '../../../harness/gateway.ts';
import { vendorFor } from '../../../processes/connect-vendor.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Each run with the same home. */
function openHome(env: Readonly<Record<string, string>> = {}) {
  const home = temporaryFolder();
  return {
    home,
    connect: (...words: readonly string[]) =>
      modelgate(['connect', ...words], {
        env: { HOME: home, MODELGATE_BASE_URL: gateway.baseURL, MODELGATE_API_KEY: gateway.key, ...env },
      }),
    read: (path: string) => readFileSync(join(home, path), 'utf8'),
    write(path: string, text: string) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), text);
    },
  };
}

/** A server that is not the gateway. */
async function openStranger(
  headers: OutgoingHttpHeaders = { 'content-type': 'text/html', server: 'squid' },
  body = '<html>',
): Promise<string> {
  const server = createServer((_, response) => response.writeHead(200, headers).end(body));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

describe('the four usual mistakes', () => {
  const pasted = ['/docs', '/docs/guides/connect.html', '/portal/#setup=secret', '/portal'];
  it.each(['', '/', '/v1/', '/V1', '/v1/v1', '/v1/chat/completions', '/v1/models/gpt-5.4', ...pasted])(
    'mends a base URL that ends in %j, and says so',
    async (end) => {
      const { connect, read } = openHome({ MODELGATE_BASE_URL: `${gateway.origin}${end}` });
      const { code, stderr } = await connect('codex');
      expect([code, stderr]).toEqual([0, `Using base URL ${gateway.baseURL}\n`]);
      expect(read('.codex/config.toml')).toContain(`base_url = "${gateway.baseURL}"`);
    },
  );

  it('lists the models that the key can call instead', async () => {
    const { key } = await gateway.newKey({ permissions: { operations: null, models: ['gpt-5.4'], mayStore: true } });
    const { code, stderr } = await openHome({ MODELGATE_API_KEY: key }).connect('codex', '--model', 'gpt-5.5');
    expect([code, stderr]).toEqual([1, "modelgate: This key can't call 'gpt-5.5'. It can call gpt-5.4.\n"]);
  });

  it('recognizes a proxy that responds itself, and names the variable that leads there', async () => {
    const stranger = await openStranger();
    const { code, stderr } = await openHome({ MODELGATE_BASE_URL: 'http://gateway.invalid/v1', HTTP_PROXY: stranger }).connect('codex');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /Something other than the gateway responded.*text\/html, squid.*HTTP_PROXY is set.*add gateway\.invalid to NO_PROXY/s,
    );
    const direct = await openHome({ MODELGATE_BASE_URL: stranger }).connect('codex');
    expect(direct.stderr).toContain('Something other than the gateway responded');
    expect(direct.stderr).not.toContain('HTTP_PROXY');
  });
});

/** `{origin}` is that of the gateway, `{https}` its base URL with another scheme. */
interface Row {
  readonly title: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What stands in the home before. */
  readonly files?: Readonly<Record<string, string>>;
  readonly words: readonly string[];
  readonly code: 0 | 1 | 2;
  /** A part of stderr. */
  readonly says: string;
}

describe('connect', () => {
  it.each(readRows<Row>('connect'))('names $title on stderr, and writes nothing if it fails', async (row) => {
    const { env, files, words, code, says }: Required<Row> = JSON.parse(
      JSON.stringify({ env: {}, files: {}, ...row })
        .replaceAll('{origin}', gateway.origin)
        .replaceAll('{https}', gateway.baseURL.replace('http:', 'https:')),
    );
    const { home, connect, read, write } = openHome(env);
    for (const [path, text] of Object.entries(files)) write(path, text);
    const outcome = await connect(...words);
    expect(outcome).toMatchObject({ code, stderr: expect.stringContaining(says) });
    expect(outcome.stderr).not.toMatch(/\n +at |openssl|ssl routines/i);
    if (code === 0) return expect(outcome.stderr.trimEnd()).not.toContain('\n');
    const left = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(left).toHaveLength(Object.keys(files).length);
    for (const [path, text] of Object.entries(files)) expect(read(path)).toBe(text);
  });

  it('replaces each route of claude-code-router that leads to another provider', async () => {
    const { connect, read, write } = openHome();
    const other = 'ollama,qwen';
    const Router = { default: other, think: other, background: 'modelgate,gpt-5.4-mini', longContext: 'modelgate,gone', image: '' };
    write('.claude-code-router/config.json', JSON.stringify({ Router }));
    const { code, stderr } = await connect('claude-code', '--model', 'gpt-5.4');
    expect([code, stderr]).toEqual([0, '']);
    const own = 'modelgate,gpt-5.4';
    const routes = { default: own, think: own, background: 'modelgate,gpt-5.4-mini', longContext: own, image: '' };
    expect(JSON.parse(read('.claude-code-router/config.json'))).toMatchObject({ Router: routes });
    expect((await connect('claude-code')).stdout).toContain('is already set up.');
  });

  it('warns of what stays in the file of claude-code-router and leads to another provider', async () => {
    const { connect, write } = openHome();
    const fallback = { default: ['modelgate,gpt-5.4'], think: ['ollama,qwen'] };
    write('.claude-code-router/config.json', JSON.stringify({ CUSTOM_ROUTER_PATH: '/own.js', fallback }));
    const { stderr } = await connect('claude-code');
    expect(stderr).toMatch(/^Warning: 'CUSTOM_ROUTER_PATH' in ~\/\.claude-code-router\/config\.json can .*\nWarning: 'fallback' in .*\n$/);
    write('.claude-code-router/config.json', JSON.stringify({ CUSTOM_ROUTER_PATH: '', fallback: { default: ['modelgate,gpt-5.4'] } }));
    expect((await connect('claude-code')).stderr).toBe('');
  });

  it('accepts a key with a line break at its end, as files have it, and writes it without', async () => {
    const { connect, read } = openHome({ MODELGATE_API_KEY: `${gateway.key}\n` });
    const { code, stdout } = await connect('codex');
    expect([code, stdout.includes(gateway.key)]).toEqual([0, false]);
    expect(read('.codex/config.toml')).toContain(`experimental_bearer_token = "${gateway.key}"\n`);
  });

  it('shows no key of an earlier connection, and none of another provider', async () => {
    const { connect, write } = openHome();
    const former = (await gateway.newKey()).key;
    write(
      '.claude-code-router/config.json',
      `{ "Providers": [{ "name": "other", "api_key": "sk-or-v1-SECRET" }, { "name": "modelgate", "api_key": "${former}" }] }`,
    );
    const { code, stdout } = await connect('claude-code');
    expect([code, stdout.includes(former), stdout.includes('SECRET')]).toEqual([0, false, false]);
  });

  it('leaves no key of another gateway in a list', async () => {
    const { home, read } = openHome();
    const other = await startGateway();
    for (const { baseURL, key } of [other, gateway]) {
      const env = { HOME: home, MODELGATE_BASE_URL: baseURL, MODELGATE_API_KEY: key };
      for (const id of ['llm', 'aider', 'continue']) expect((await modelgate(['connect', id], { env })).code).toBe(0);
    }
    await other.close();
    const files = [
      '.config/io.datasette.llm/extra-openai-models.yaml',
      '.config/io.datasette.llm/keys.json',
      '.aider.model.settings.yml',
      '.continue/config.yaml',
    ];
    for (const file of files)
      expect([file, read(file).includes(other.key), read(file).includes(other.origin)]).toEqual([file, false, false]);
  });

  it('shows only the changes with --dry-run', async () => {
    const { connect, read } = openHome();
    const { stdout } = await connect('codex', '--dry-run');
    expect(stdout).toContain('+model_provider = "modelgate"');
    expect(stdout).not.toContain('Wrote');
    expect(() => read('.codex/config.toml')).toThrow('ENOENT');
    await connect('codex');
    expect((await connect('codex', '--dry-run')).stdout).toBe('Nothing would change: Codex is already set up.\n');
  });

  it('remembers gateway, key, and model of an earlier connection', async () => {
    const { home, connect } = openHome();
    expect((await connect('codex', '--model', 'gpt-5.4-mini')).code).toBe(0);
    const again = await modelgate(['connect', 'codex'], { env: { HOME: home } });
    expect([again.code, again.stderr]).toEqual([0, '']);
    expect(again.stdout).toMatch(/^Codex is already set up\.\n.*default: gpt-5\.4-mini/);
  });

  it('keeps reading the key from the environment until a key is given', async () => {
    const { connect, read } = openHome();
    const first = await connect('codex', '--key-from-env');
    expect(first.stdout).toContain('Set the key: `export MODELGATE_API_KEY=');
    expect((await connect('codex')).stdout).toContain('is already set up.');
    expect(read('.codex/config.toml')).not.toContain(gateway.key);
    await connect('codex', '--key', gateway.key);
    expect(read('.codex/config.toml')).toContain(gateway.key);
  });

  it('creates no key for a gateway that does not run', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'modelgate.yaml'), 'server: { port: 1 }\n');
    const failed = await modelgate(['connect', 'codex', '--data', join(gateway.folder, 'data')], { folder, env: { HOME: folder } });
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('specify it with --base-url')]);
    expect(failed.stderr).not.toContain('Created key');
  });

  it('prints lines for a shell, and a program for a first call', async () => {
    const { connect } = openHome();
    expect((await connect('env', '--model', 'gpt-5.4')).stdout).toBe(
      `export OPENAI_BASE_URL=${gateway.baseURL}\nexport OPENAI_API_BASE=${gateway.baseURL}\nexport OPENAI_API_KEY=${gateway.key}\nexport OPENAI_MODEL=gpt-5.4\n`,
    );
    expect((await connect('env', '--key-from-env')).stdout).toContain('OPENAI_API_KEY="$MODELGATE_API_KEY"\n');
    expect((await connect('python')).stdout).toContain('+client = OpenAI(');
  });

  it('tests nothing with the simulator, and says why', async () => {
    const { code, stdout, stderr } = await openHome().connect('codex', '--test');
    expect(stdout).toContain('Wrote ~/.codex/config.toml');
    expect([code, stderr]).toEqual([1, expect.stringContaining('Not tested')]);
  });

  it('finds the gateway of the data folder, and creates a key of its account', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'modelgate.yaml'), `server: { port: ${new URL(gateway.origin).port} }\n`);
    const { code, stderr } = await modelgate(['connect', 'codex', '--data', join(folder, 'data')], { folder, env: { HOME: folder } });
    expect(code).toBe(1);
    expect(stderr).toContain('No database found');
    const made = await modelgate(['connect', 'codex', '--data', join(gateway.folder, 'data')], { folder, env: { HOME: folder } });
    expect(made.stderr).toMatch(/^Created key key_\w+ "codex"\. Revoke it: .* key revoke key_/);
    expect(made.code).toBe(0);
    expect(readFileSync(join(folder, '.codex/config.toml'), 'utf8')).toMatch(/experimental_bearer_token = "mg-\w+"/);
    // The second time it has a key, and undo says that the key is still there.
    const again = await modelgate(['connect', 'codex', '--data', join(gateway.folder, 'data')], { folder, env: { HOME: folder } });
    expect([again.code, again.stderr]).toEqual([0, '']);
    const undone = await modelgate(['connect', 'codex', '--undo'], { folder, env: { HOME: folder } });
    expect(undone.stdout).toMatch(/^Deleted .*\nKey key_\w+ is still active\. Revoke it: /);
  });
});

describe('--test', () => {
  let fake: Fake;
  let own: TestGateway;
  beforeAll(async () => {
    fake = await openFake();
    const upstreams = { vendor: { kind: 'openai', protocols: ['chat'], baseUrl: fake.url, apiKey: 'sk-vendor-secret' } };
    own = await startGateway({ upstreams, models: [{ id: 'gpt-5.4', kind: 'text', prices: 'free' }] });
  });
  afterAll(async () => {
    await own.close();
    await fake.close();
  });
  let [isCapable, isBroken] = [false, false];
  beforeAll(() => {
    // It has the tools of the calls that are made instead of a tool: those of llm.
    const capable = vendorFor('llm');
    const broken = stream(chatFrames({ text: 'I was about to', includeUsage: true }), { stopAfter: { frames: 2 }, ending: 'cut' });
    fake.always((request) =>
      isBroken ? broken : isCapable ? capable(request) : stream(chatFrames({ text: 'I would rather talk.', includeUsage: true })),
    );
  });

  it.each(['codex', 'cline'])('makes the calls of %s where it is not installed', async (id) => {
    const env = { HOME: temporaryFolder(), PATH: '/nowhere', MODELGATE_BASE_URL: own.baseURL, MODELGATE_API_KEY: own.key };
    isCapable = true;
    const passed = await modelgate(['connect', id, '--test'], { env });
    expect(passed.stdout).toContain(`${id} isn't on the PATH. Testing with equivalent calls instead.\nTest passed: gpt-5.4 read a file`);
    expect([passed.code, passed.stderr]).toEqual([0, '']);
    isCapable = false;
    const failed = await modelgate(['connect', id, '--test'], { env });
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringMatching(/^Test failed: gpt-5\.4 didn't call the tools/)]);
  });

  /** A program named codex, and the environment in which it is found. */
  function openTool(script: string) {
    const [bin, home] = [temporaryFolder(), temporaryFolder()];
    writeFileSync(join(bin, 'codex'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, 'codex'), 0o755);
    const env = { HOME: home, PATH: `${bin}:/usr/bin:/bin`, MODELGATE_BASE_URL: own.baseURL, MODELGATE_API_KEY: own.key };
    return { home, env, read: (name: string) => (existsSync(join(home, name)) ? readFileSync(join(home, name), 'utf8').trim() : '') };
  }
  /** Neither running nor anything but an entry in the table of processes. */
  const hasEnded = (pid: string) => !/^[^Z]/.test(spawnSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' }).stdout.trim());

  it.each(['codex', 'cline'])('shows the error in the middle of a stream of %s', async (id) => {
    const env = { HOME: temporaryFolder(), PATH: '/nowhere', MODELGATE_BASE_URL: own.baseURL, MODELGATE_API_KEY: own.key };
    isBroken = true;
    const { code, stderr } = await modelgate(['connect', id, '--test'], { env });
    isBroken = false;
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Test failed: The stream ended with an error: /)]);
  });

  it('shows what the tool printed without secrets, and that the calls are at fault, too', async () => {
    const { env } = openTool('echo "token: abcdef1234567890 of $0"; cat "$HOME/.codex/config.toml"; exit 3');
    const { code, stdout, stderr } = await modelgate(['connect', 'codex', '--test'], { env });
    expect(code).toBe(1);
    expect(stderr).toMatch(/token: … of .*Test failed: Codex ended with exit code 3 .*Equivalent calls fail, too/s);
    expect(`${stdout}${stderr}`).not.toContain(own.key);
  });

  it('makes the calls of a tool that the system cannot start', async () => {
    const { env } = openTool('');
    writeFileSync(join(env.PATH.split(':')[0] ?? '', 'codex'), '#!/nowhere/python\n');
    const { code, stderr } = await modelgate(['connect', 'codex', '--test'], { env });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/Codex can't be started: .*Equivalent calls fail, too/s)]);
  });

  it("doesn't wait for processes that the tool leaves running, and ends them", async () => {
    const { env, read } = openTool('sleep 60 & echo $! > "$HOME/pid"; exit 0');
    const startedAt = performance.now();
    expect((await modelgate(['connect', 'codex', '--test'], { env })).code).toBe(1);
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    await expect.poll(() => hasEnded(read('pid'))).toBe(true);
  });

  it('leaves neither a process nor a folder after Ctrl-C', async () => {
    const { env, read } = openTool('pwd > "$HOME/folder"; echo $$ > "$HOME/pid"; sleep 60');
    const running = start(['connect', 'codex', '--test'], { env });
    await expect.poll(() => read('pid')).not.toBe('');
    running.kill('SIGINT');
    expect(await running.ended).toBe(1);
    expect(existsSync(read('folder'))).toBe(false);
    await expect.poll(() => hasEnded(read('pid'))).toBe(true);
  });
});

/** What people have in their files, comments and odd spacing included, by the ending of the file. */
const habits: readonly (readonly [ending: RegExp, text: string])[] = [
  [
    /\.toml$/,
    '# mine\nmodel = "o9"   # the usual\n\n[projects."/home/me/a b"]\ntrust_level = "trusted"\n\n[model_providers.other]\nname="o"\n',
  ],
  [/\.jsonc?$/, '{\r\n\t// mine\r\n\t"theme": "dark", "providers": { "other": {} },\r\n\t"Providers": [ { "name": "other" } ],\r\n}\r\n'],
  [/settings\.yml$|models\.yaml$/, '# mine\n- name: other   # keep\n  model_id: other\n  model_name: x\n'],
  [/\.ya?ml$/, '# mine\nname:   Local\nmodels:\n    - name: other   # keep\n      provider: ollama\n'],
  [/./, 'mine\n\n'],
];
const habitOf = (path: string): string => habits.find(([ending]) => ending.test(path))?.[1] ?? '';

describe.each(recipes.filter(({ lines }) => lines === undefined))('$id', (recipe) => {
  const { id } = recipe;
  async function openTool() {
    const { home, write } = openHome();
    const folder = temporaryFolder();
    const env = { HOME: home, MODELGATE_BASE_URL: gateway.baseURL, MODELGATE_API_KEY: gateway.key };
    return { home, write, folder, run: (...words: readonly string[]) => modelgate(['connect', id, ...words], { folder, env }) };
  }

  it('sets up once, reports it the second time, and leaves nothing in an empty home after undo', async () => {
    const { home, run } = await openTool();
    const first = await run();
    expect([first.code, first.stderr]).toEqual([0, '']);
    expect(first.stdout).not.toMatch(/[:=] ?(?:null|undefined)/);
    const again = await run();
    expect(again.stdout).toContain('is already set up.');
    expect(again.stdout).not.toContain('+++');
    expect((await run('--undo')).code).toBe(0);
    expect(readdirSync(home)).toEqual([]);
    expect((await run('--undo')).code).toBe(1);
  });

  it('keeps what people have in their files, and undo restores them byte for byte after two connections', async () => {
    const { home, write, folder, run } = await openTool();
    const model = { id: 'x', contextWindow: 1, maxOutput: 1, tools: true, images: true, reasoning: true };
    const files = recipe.files({ baseUrl: gateway.baseURL, key: 'mg-x', model, models: [model], hasImages: true });
    const paths = files.map(({ path }) => path).filter((path) => path.startsWith('~/'));
    for (const path of paths) write(path.slice(2), habitOf(path));
    for (const words of [[], ['--model', 'gpt-5.4']]) {
      const { code, stdout } = await run(...words);
      expect(code).toBe(0);
      if (paths.length > 0) expect(stdout).toContain(`Original files: ~/.local/state/modelgate/connect/${id}\n`);
    }
    for (const path of paths.filter((one) => !one.endsWith('.txt'))) {
      const now = readFileSync(join(home, path.slice(2)), 'utf8');
      expect(now).toContain('other');
      expect(now).toContain('mine');
    }
    expect((await run('--undo')).code).toBe(0);
    expect(paths.map((path) => readFileSync(join(home, path.slice(2)), 'utf8'))).toEqual(paths.map(habitOf));
    expect(readdirSync(folder)).toEqual([]);
  });
});
