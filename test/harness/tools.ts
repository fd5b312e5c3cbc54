/** External programs that some tests run. `npm run test:tools` installs them outside the repository; tests only check whether they exist. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface Tool {
  /** Name in messages. */
  readonly name: string;
  readonly version: string;
  readonly folder: string;
  /** Path of the program. It exists only when the installation is complete. */
  readonly program: string;
}

/** A folder of this user, so that no other user can replace the programs. */
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'modelgate-test-tools');

function toolOf(name: string, version: string, [short, program]: readonly [string, string]): Tool {
  const folder = join(cache, `${short}-${version}`);
  return { name, version, folder, program: join(folder, program) };
}

export const codex = toolOf('The Codex CLI', '0.169.0', ['codex', 'node_modules/.bin/codex']);
/** Lock file of the packages for sample apps; its hash is the version. */
export const consumerLock = join(import.meta.dirname, '../fixtures/consumers/package-lock.json');
const consumerVersion = createHash('sha256').update(readFileSync(consumerLock)).digest('hex').slice(0, 12);
export const consumers = toolOf('What apps with our packages are made of', consumerVersion, [
  'consumers',
  'node_modules/typescript-7.0/bin/tsc',
]);
export const jest = toolOf('Jest', '30.5.2', ['jest', 'node_modules/.bin/jest']);
export const python = toolOf('The openai package for Python', '3.52.0', ['openai-python-realtime', 'bin/python']);

/** Coding tools that `modelgate connect` sets up, as programs of this platform without their installers. */
const platform = `${process.platform}-${process.arch}`;
export const opencode = toolOf('opencode', '1.18.33', ['opencode', `node_modules/opencode-${platform}/bin/opencode`]);
export const cline = toolOf('Cline', '3.0.65', ['cline', `node_modules/@cline/cli-${platform}/bin/cline`]);
export const continueDev = toolOf('Continue', '1.5.47', ['continue', 'node_modules/.bin/cn']);
export const claudeCode = toolOf('Claude Code', '2.1.332', ['claude-code', `node_modules/@anthropic-ai/claude-code-${platform}/claude`]);
export const claudeCodeRouter = toolOf('claude-code-router', '2.0.0', ['claude-code-router', 'node_modules/.bin/ccr']);
/** Scripts of a moved environment don't run: these two are started as modules. */
export const aider = toolOf('Aider', '0.86.2', ['aider', 'bin/python']);
export const llm = toolOf('llm', '0.36', ['llm', 'bin/python']);

/** List of the generators' packages; its hash is the version, so another list gets another folder. */
export const generatorPackages = join(import.meta.dirname, '../generators/requirements.txt');
const listed = createHash('sha256').update(readFileSync(generatorPackages)).digest('hex').slice(0, 12);
export const generators = toolOf('The set of code generators in Python and Java', listed, ['generators', 'bin/python']);
export const goGenerator = toolOf('oapi-codegen', 'v2.8.2', ['oapi-codegen', 'bin/oapi-codegen']);
/** Compares two OpenAPI documents, as the guide about CI does. */
export const oasdiff = toolOf('oasdiff', 'v1.37.0', ['oasdiff', 'bin/oasdiff']);
const openaiGoVersion = 'v3.60.0';
export const openaiGo = toolOf('The openai package for Go', openaiGoVersion, [
  'openai-go',
  `modules/github.com/openai/openai-go/v3@${openaiGoVersion}/client.go`,
]);
/** Renders and checks the chart. */
export const helm = toolOf('Helm', 'v3.19.0', ['helm', 'bin/helm']);

/** Other gateways, for the benchmark alone: `npm run test:tools -- gateways` installs them. */
export const portkey = toolOf('Portkey', '1.15.2', ['portkey', 'node_modules/@portkey-ai/gateway/build/start-server.js']);
export const litellm = toolOf('LiteLLM', '1.108.7', ['litellm', 'bin/python']);

/** Why the tool is not available, for the names of skipped tests; null when it is installed. */
export const codexMissing: string | null = missing(codex);
export const pythonMissing: string | null = missing(python);
export const consumersMissing: string | null = missing(consumers);
export const generatorsMissing: string | null = missing(generators);
export const goGeneratorMissing: string | null = missing(goGenerator);
export const oasdiffMissing: string | null = missing(oasdiff);
export const jestMissing: string | null = missing(jest);
export const openaiGoMissing: string | null = missing(openaiGo);
export const helmMissing: string | null = missing(helm);

export function missing({ name, version, program }: Tool): string | null {
  return existsSync(program) ? null : `${name} ${version} is not installed here; npm run test:tools does it.`;
}

/** A suffix for the name of a skipped test; empty when it is not skipped. */
export const leftOut = (reason: string | null): string => (reason === null ? '' : `, LEFT OUT: ${reason}`);
