/** The code that the playground writes, run as it stands by the programs that it is for. */
import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Form, listForms, writeCode } from '../../client/pages/src/portal/pages/playground/code.ts';
import { getSample, type Tool } from '../../client/pages/src/portal/samples.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { codex, codexMissing, leftOut, python, pythonMissing } from '../harness/tools.ts';

const run = promisify(execFile);
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const odd = `It's "odd" — $HOME \\ ☕ \n\`x\` \${y}`;
const cases = [
  { tab: 'responses', body: { model: 'gpt-5.4', input: odd, store: false, reasoning: { effort: 'low' }, tools: [] }, says: 'completed' },
  { tab: 'responses', body: { model: 'gpt-5.4', input: odd, stream: true }, says: 'response.completed|ResponseCompletedEvent' },
  { tab: 'chat', body: { model: 'gpt-5.4', messages: [{ role: 'user', content: odd }], temperature: null }, says: 'stop' },
  { tab: 'chat', body: { model: 'gpt-5.4', messages: [{ role: 'user', content: odd }], stream: true }, says: 'stop' },
  { tab: 'images', body: { model: 'gpt-image-2', prompt: odd, size: '1024x1024', quality: 'low' }, says: 'b64_json' },
  { tab: 'images', body: { model: 'gpt-image-2', prompt: odd, stream: true }, says: 'image_generation.completed|CompletedEvent' },
] as const;

const root = join(import.meta.dirname, '../..');
const programs: Readonly<Record<Form, string>> = {
  curl: 'sh',
  javascript: process.execPath,
  client: process.execPath,
  python: python.program,
  codex: codex.program,
};
const reasons: Readonly<Partial<Record<Form, string | null>>> = { python: pythonMissing, codex: codexMissing };

const reasonFor = (tool: Tool) => (tool === 'node' ? null : (reasons[tool] ?? null));

async function execute(form: Form, code: string): Promise<string> {
  const env = { ...process.env, MODELGATE_API_KEY: gateway.key };
  const limits = { env, maxBuffer: 64 * 1024 * 1024 };
  // Beside the tree's packages, so that the program finds them by name; Python has its own.
  const file = join(root, 'node_modules', `playground-${process.pid}.${form === 'python' ? 'py' : 'mjs'}`);
  // The package is built for its release; its source is the same client.
  await writeFile(file, form === 'client' ? code.replace('@modelgate/client', join(root, 'client/sdk/src/index.ts')) : code);
  try {
    return (await run(programs[form], [file], limits)).stdout;
  } finally {
    await rm(file);
  }
}

describe.each(cases)('$tab $body.stream', ({ tab, body, says }) => {
  const forms = listForms(tab).filter((form) => form !== 'codex');
  it.each(forms.map((form) => [form, leftOut(reasons[form] ?? null)] as const))('runs as %s%s', async (form) => {
    if (reasons[form]) return expect(reasons[form]).toBeTypeOf('string');
    const code = writeCode(form, { tab, body, baseUrl: gateway.baseURL });
    expect(code).not.toContain(gateway.key);
    expect(await execute(form, code)).toMatch(new RegExp(says));
  });
});

describe('an edit', () => {
  it.each(['curl', 'javascript', 'client'] as const)('sends, as %s, the images as they are in the body', async (form) => {
    const made = await gateway.call('/images/generations', {
      json: { model: 'gpt-image-2', prompt: 'x', size: '1024x1024', quality: 'low' },
    });
    const [{ b64_json }] = JSON.parse(await made.text()).data;
    const body = { model: 'gpt-image-2', prompt: odd, images: [{ image_url: `data:image/png;base64,${b64_json}` }] };
    expect(await execute(form, writeCode(form, { tab: 'images', body, baseUrl: gateway.baseURL }))).toContain('b64_json');
  });
});

const model = { id: 'gpt-5.4', contextWindow: null, maxOutput: 1_000, tools: true, images: true, reasoning: true };
const connection = () => ({ baseUrl: gateway.baseURL, key: null, model, models: [model], hasImages: false });

describe('the sample of the page Start', () => {
  const programOf = (tool: Exclude<Tool, 'codex'>) => getSample(tool, connection());
  it.each((['curl', 'node', 'python'] as const).map((tool) => [tool, leftOut(reasonFor(tool))] as const))('runs as %s%s', async (tool) => {
    if (reasonFor(tool)) return expect(reasonFor(tool)).toBeTypeOf('string');
    const printed = await execute(tool === 'node' ? 'javascript' : tool, programOf(tool));
    if (tool === 'curl') expect(JSON.parse(printed)).toMatchObject({ object: 'response', status: 'completed' });
    else expect(printed).toMatch(/\w{3,}/);
    expect(programOf(tool)).not.toContain(gateway.key);
  });
});

const codexFiles = {
  'the playground': () =>
    writeCode('codex', { tab: 'responses', body: { model: 'gpt-5.4', reasoning: { effort: 'low' } }, baseUrl: gateway.baseURL }),
  'the page Start': () => getSample('codex', connection()),
};

it.skipIf(codexMissing !== null).each(Object.entries(codexFiles))(
  `works for Codex with the file of %s unchanged${leftOut(codexMissing)}`,
  async (page, write) => {
    const text = write();
    const home = join(gateway.folder, `codex-home of ${page}`);
    await mkdir(home);
    await writeFile(join(home, 'config.toml'), `check_for_update_on_startup = false\n${text}[analytics]\nenabled = false\n`);
    const env = { PATH: process.env.PATH, HOME: home, CODEX_HOME: home, MODELGATE_API_KEY: gateway.key };
    const child = run(codex.program, ['exec', '--json', '--skip-git-repo-check', 'Say hello.'], { cwd: gateway.folder, env });
    child.child.stdin?.end();
    expect((await child).stdout).toContain('turn.completed');
  },
);
