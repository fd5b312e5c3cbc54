/** The client as its users get it: packed, unpacked in a fresh app, compiled there and run against a gateway. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'tsdown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packPackage } from '../../client/packages/client.ts';
import { Modelgate } from '../../client/sdk/src/index.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
let app = '';
let gateway: TestGateway;
/** What the compiler says of the app with the types of Node; that run also makes the JavaScript. */
let diagnostics: string;

/** As npm installs a package that depends on no other. */
async function install(): Promise<void> {
  const tarball = await packPackage(join(app, 'package'));
  await writeFile(join(app, 'package.json'), JSON.stringify({ name: 'app', private: true, type: 'module' }));
  const folder = join(app, 'node_modules/@modelgate/client');
  await mkdir(folder, { recursive: true });
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', folder]);
  // For the samples that bring a schema.
  await symlink(join(root, 'node_modules/zod'), join(app, 'node_modules/zod'));
}

/** The samples of the readme, one after the other: each goes on from those before it. */
async function readSamples(): Promise<string> {
  const readme = await readFile(join(app, 'node_modules/@modelgate/client/README.md'), 'utf8');
  return [...readme.matchAll(/^```ts\n(.*?)^```$/gms)]
    .map(([, sample]) => sample)
    .join('\n')
    .replace('http://127.0.0.1:8080/v1', gateway.baseURL);
}

/** Strict, with the types of every library checked too. */
async function compile(options: Record<string, unknown>, files = ['app.mts', 'app.cts']): Promise<string> {
  const strict = { strict: true, skipLibCheck: false, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
  const compilerOptions = { target: 'es2022', module: 'nodenext', lib: ['es2022'], ...strict, outDir: 'out', ...options };
  await writeFile(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const { stdout } = await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', app]).catch((failed) => failed);
  return stdout;
}

async function execute(file: string): Promise<string> {
  const env = { ...process.env, MODELGATE_BASE_URL: gateway.baseURL, MODELGATE_API_KEY: gateway.key };
  const { stdout } = await run(process.execPath, [join(app, 'out', file)], { env, cwd: app });
  return stdout;
}

beforeAll(async () => {
  app = await mkdtemp(join(tmpdir(), 'modelgate-app-'));
  gateway = await startGateway();
  await install();
  const source = await readFile(join(root, 'test/fixtures/client-app/app.txt'), 'utf8');
  await Promise.all(['app.mts', 'app.cts'].map((name) => writeFile(join(app, name), source)));
  await writeFile(join(app, 'readme.mts'), await readSamples());
  diagnostics = await compile({ types: ['node'], typeRoots: [join(root, 'node_modules/@types')] }, ['app.mts', 'app.cts', 'readme.mts']);
});
afterAll(async () => {
  await gateway?.close();
  await rm(app, { recursive: true, force: true });
});

test('contains its code, types, readme and license, and nothing else', async () => {
  const folder = join(app, 'node_modules/@modelgate/client');
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = files.filter((file) => file.isFile()).map(({ name }) => name);
  const modules = ['index', 'migrate'].flatMap((name) =>
    ['cjs', 'cjs.map', 'd.cts', 'd.ts', 'js', 'js.map'].map((ending) => `${name}.${ending}`),
  );
  const shared = ['types.gen.d.cts', 'types.gen.d.ts'];
  expect(names.sort()).toEqual(['LICENSE', 'README.md', 'package.json', ...modules, ...shared].sort());
  expect(await readdir(join(app, 'node_modules/@modelgate'))).toEqual(['client']);
  expect((await readdir(join(app, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual(['@modelgate', 'zod']);
});

test('compiles in an app without warnings, libraries included', async () => {
  expect(diagnostics).toBe('');
});

test('compiles in an app that has browser types instead of Node types', async () => {
  expect(await compile({ types: [], lib: ['es2022', 'dom'], noEmit: true })).toBe('');
});

test.each(['app.mjs', 'app.cjs'])('calls all five operations of a gateway from the compiled app: %s', async (file) => {
  const results = JSON.parse(await execute(file));
  expect(results).toMatchObject({
    models: expect.arrayContaining(['gpt-5.4', 'gpt-image-2']),
    response: expect.stringMatching(/\w/),
    completion: expect.stringMatching(/\w/),
    last: 'response.completed',
    chunks: 2,
    requestId: expect.any(String),
    either: ['stream', 'response'],
    images: [true, true],
    errors: { status: 404, code: 'model_not_found', param: 'model', hasRequestId: true },
  });
  expect(results.streamed).toBe(results.response);
});

test('loads the helper for moving from chat by its own name, as ESM and as CommonJS', async () => {
  const chat = "({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] }).request.input)";
  await writeFile(
    join(app, 'out/move.mjs'),
    `import { toResponseRequest } from '@modelgate/client/migrate';\nconsole.log(toResponseRequest${chat};`,
  );
  await writeFile(join(app, 'out/move.cjs'), `console.log(require('@modelgate/client/migrate').toResponseRequest${chat};`);
  expect([await execute('move.mjs'), await execute('move.cjs')]).toEqual(['Hi\n', 'Hi\n']);
});

test("prints an uncaught error briefly, with its name and the caller's line, and maps it to the sources", async () => {
  const lines = [
    "import { Modelgate } from '@modelgate/client';",
    'async function askForNothing() {',
    "  await new Modelgate({ apiKey: 'mg-wrong' }).listModels();",
    '}',
    'await askForNothing();',
  ];
  await writeFile(join(app, 'out/uncaught.mjs'), lines.join('\n'));
  const env = { ...process.env, MODELGATE_BASE_URL: gateway.baseURL };
  const fail = async (...args: string[]) => {
    const failed = await run(process.execPath, [...args, join(app, 'out/uncaught.mjs')], { env }).catch((error) => error);
    return String(failed.stderr);
  };
  const [plain, mapped] = [await fail(), await fail('--enable-source-maps')];
  for (const printed of [plain, mapped]) {
    expect(printed).toMatch(/^AuthenticationError: .*\n {4}at readFailure /m);
    expect(printed).toMatch(/at async askForNothing .*uncaught\.mjs:3/);
    expect(printed.length).toBeLessThan(3_000);
  }
  expect(mapped).toMatch(/at readFailure .*src\/failures\.ts:\d+/);
});

test('keeps the names of errors in an app whose bundler changes all others', async () => {
  const lines = ["import { Modelgate } from '@modelgate/client';", "await new Modelgate({ apiKey: 'mg-wrong' }).listModels();"];
  await writeFile(join(app, 'small.mjs'), lines.join('\n'));
  await build({
    cwd: app,
    config: false,
    entry: ['small.mjs'],
    outDir: 'out/small',
    platform: 'browser',
    minify: true,
    dts: false,
    logLevel: 'error',
  });
  const failed = await execute('small/small.js').catch((error: { readonly stderr: string }) => error.stderr);
  expect(failed).toMatch(/^AuthenticationError: .*\n {4}at \w{1,2} /m);
});

test('runs the samples of the readme as printed', async () => {
  const client = new Modelgate({ baseURL: gateway.baseURL, apiKey: gateway.key });
  const cat = await client.generateImages({ model: 'gpt-image-2', prompt: 'A cat' });
  await writeFile(join(app, 'cat.png'), Buffer.from(cat.data[0]?.b64_json ?? '', 'base64'));
  expect(await execute('readme.mjs')).toMatch(
    /\w(?:.|\n)*model_not_found model req_\w+\ncompleted\nreq_\w+\n7\ntest\nrequest sent (?:.|\n)*\nresponse received (?:.|\n)*$/,
  );
  expect((await readFile(join(app, 'cat-with-hat.png'))).subarray(1, 4).toString()).toBe('PNG');
});

test('stays within its size budget, and passes publint and attw', async () => {
  const { stdout } = await run(process.execPath, [join(root, 'client/sdk/size.ts')]);
  expect(stdout).toMatch(/^publint +clean$/m);
  expect(stdout).toMatch(/^attw +clean$/m);
  expect(stdout).toMatch(/^budget.* \d+ of 5400 bytes$/m);
});
