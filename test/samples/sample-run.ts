/** Runs a sample as a reader would: in a folder of its own, with packages, a picture, an address and a key at hand. */
import { execFile } from 'node:child_process';
import { access, copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { drawPng } from '../fakes/images.ts';
import { receiverSecret } from '../fakes/webhook-receiver.ts';
import { modelgate } from '../harness/command-line.ts';
import { compileCache } from '../harness/compile-cache.ts';
import type { TestGateway } from '../harness/gateway.ts';
import { python } from '../harness/tools.ts';
import { readPage, root, type Sample } from './samples.ts';

const run = promisify(execFile);
/** The picture that a sample finds under each of the names that samples read. */
const given = drawPng(64, 64);
const packages = [
  ...['openai', 'ai', '@ai-sdk/openai', '@langchain/openai', 'zod'],
  ...['@trpc/client', '@trpc/tanstack-react-query', '@tanstack/react-query'],
];

const azure = ['AZURE_OPENAI_API_KEY', 'AZURE_TENANT_ID', 'AZURE_CLIENT_ID', 'AZURE_CLIENT_SECRET', 'AZURE_FEDERATED_TOKEN_FILE'];
const google = ['GOOGLE_CREDENTIALS', 'VERTEX_API_KEY'];
const aws = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_BEARER_TOKEN_BEDROCK'];
const vendors = ['OPENAI', 'OPENAI_SECOND', 'BACKUP', 'ANTHROPIC', 'GEMINI', 'MISTRAL', 'DEEPSEEK', 'GROQ', 'OPENROUTER'];

/** The command as the guide defines it. */
const alias = /^alias modelgate='npm .*$/m.exec(readPage('docs/guides/operating.md'))?.[0] ?? '';

export interface Workshop {
  /** What the sample printed; rejects where it ended with another code than 0, or saved no picture although it reads one. `fails`: it saves none, not an empty one either. */
  run(sample: Sample, expected?: { readonly fails: boolean }): Promise<string>;
  close(): Promise<void>;
}

export async function openWorkshop(gateway: TestGateway): Promise<Workshop> {
  const home = await mkdtemp(join(tmpdir(), 'modelgate-samples-'));
  await Promise.all(packages.map((name) => linkPackage(home, name)));
  let client: Promise<void> | undefined;
  const env = {
    ...compileCache,
    PATH: process.env.PATH ?? '',
    HOME: home,
    MODELGATE_BASE_URL: gateway.baseURL,
    MODELGATE_API_KEY: gateway.key,
    MODELGATE_DATA: join(home, 'data'),
    // For configuration files that take a vendor's key from the environment.
    ALERT_SECRET: receiverSecret,
    SLACK_WEBHOOK_URL: 'https://hooks.slack.example/services/sample',
    SMTP_PASSWORD: 'sample-secret',
    MODELGATE_OIDC_SECRET: 'sample-secret',
    ...Object.fromEntries(azure.map((name) => [name, 'sample'])),
    ...Object.fromEntries(google.map((name) => [name, 'sample'])),
    ...Object.fromEntries(aws.map((name) => [name, 'sample'])),
    ...Object.fromEntries(vendors.map((name) => [`${name}_API_KEY`, 'sk-sample'])),
  };
  const fill = (code: string): string => code.replaceAll('http://127.0.0.1:8080', gateway.origin).replaceAll('mg-…', gateway.key);

  async function command({ language, code }: Sample, folder: string): Promise<readonly [string, readonly string[], string]> {
    if (language === 'bash') {
      const script = `shopt -s expand_aliases\n${alias}\n${fill(code)}`;
      return ['bash', ['-euo', 'pipefail', '-c', script], /(?:^|\()(?:npm|modelgate) /m.test(code) ? root : folder];
    }
    const name = { js: 'sample.mjs', ts: 'sample.mts', python: 'sample.py' }[language];
    if (name === undefined) throw new Error(`nothing runs '${language}'`);
    await writeFile(join(folder, name), fill(code));
    if (language === 'js' || language === 'ts') return [process.execPath, [name], folder];
    return [python.program, [name], folder];
  }

  /** A configuration needs no program of its own to be checked. */
  async function checkConfig({ code }: Sample, folder: string): Promise<string> {
    await writeFile(join(folder, 'modelgate.yaml'), fill(code));
    const outcome = await modelgate(['config', 'check', '--config', 'modelgate.yaml'], { folder, env });
    if (outcome.code !== 0) throw new Error(outcome.stderr);
    return outcome.stdout;
  }

  return {
    async run(sample, { fails } = { fails: false }) {
      if (sample.code.includes('@modelgate/client')) {
        client ??= buildClient(home);
        await client;
      }
      const folder = await mkdtemp(join(home, 'work-'));
      if (sample.language === 'yaml') return checkConfig(sample, folder);
      for (const name of ['lighthouse.png', 'cat.png']) await writeFile(join(folder, name), given);
      const [file, args, cwd] = await command(sample, folder);
      const { stdout } = await run(file, args, { cwd, env, timeout: 300_000, maxBuffer: 64 * 1024 * 1024 });
      const pictures = await readPictures(folder);
      const isSaved = !pictures.every((bytes) => bytes.equals(given));
      if (sample.code.includes('b64_json') && isSaved === fails) throw new Error(`it saved ${fails ? 'a' : 'no'} picture`);
      return stdout;
    },
    close: () => rm(home, { recursive: true, force: true }),
  };
}

async function linkPackage(home: string, name: string): Promise<void> {
  const link = join(home, 'node_modules', name);
  await mkdir(dirname(link), { recursive: true });
  await symlink(join(root, 'node_modules', name), link);
}

/** The client as it would be installed: built anew, so that no older build answers for it. */
async function buildClient(home: string): Promise<void> {
  const client = join(home, 'node_modules/@modelgate/client');
  await mkdir(client, { recursive: true });
  await copyFile(join(root, 'client/sdk/package.json'), join(client, 'package.json'));
  const tsdown = join(root, 'node_modules/tsdown/dist/run.mjs');
  await run(process.execPath, [tsdown, '--no-dts', '--out-dir', join(client, 'dist')], { cwd: join(root, 'client/sdk') });
  await access(join(client, 'dist/index.js'));
}

/** Whatever a sample saved as a picture has to be one. */
async function readPictures(folder: string): Promise<Buffer[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.png'));
  return Promise.all(names.map((name) => readPicture(folder, name)));
}

async function readPicture(folder: string, name: string): Promise<Buffer> {
  const bytes = await readFile(join(folder, name));
  const start = bytes.toString('hex', 0, 8);
  if (start !== '89504e470d0a1a0a') throw new Error(`${name} is no PNG; it begins with ${start}`);
  return bytes;
}
