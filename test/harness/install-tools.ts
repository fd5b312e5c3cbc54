/** `npm run test:tools`: downloads external programs that some tests run, each in a fixed version; with `gateways`, those that the benchmark compares with. Tests themselves download nothing. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { access, cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import {
  aider,
  claudeCode,
  claudeCodeRouter,
  cline,
  codex,
  consumerLock,
  consumers,
  continueDev,
  generatorPackages,
  generators,
  goGenerator,
  helm,
  jest,
  litellm,
  llm,
  oasdiff,
  openaiGo,
  opencode,
  portkey,
  python,
  type Tool,
} from './tools.ts';

const run = promisify(execFile);
/** Milliseconds for one download: a hundred megabytes over a slow line. */
const installLimitMs = 300_000;

interface Recipe {
  readonly tool: Tool;
  readonly install: (folder: string) => Promise<unknown>;
  /** Runs the program. Its output contains the version. */
  readonly look: (program: string) => Promise<{ readonly stdout: string }>;
  /** A program that must be installed; otherwise the tool is skipped: what is written in Go is built with it. */
  readonly needs?: string;
  /** Large, and of use to few tests: a failed installation is told and is no failure of the run. */
  readonly isOptional?: boolean;
}

const platform = `${process.platform}-${process.arch}`;

/** A program from npm, without the packages for other platforms and without its installer. */
const programRecipe = (tool: Tool, name: string): Recipe => ({
  tool,
  install: (folder) => installPackage(folder, name),
  look: (program) => run(program, ['--version']),
  isOptional: true,
});

/** A coding tool from PyPI. */
const moduleRecipe = (tool: Tool, module: string, packages: readonly string[]): Recipe => ({
  tool,
  install: (folder) => installPackages(programIn(folder, tool), folder, packages),
  look: (program) => run(program, ['-m', module, '--version']),
  isOptional: true,
});

const recipes: readonly Recipe[] = [
  {
    tool: codex,
    install: (folder) => installPackage(folder, `@openai/codex@${codex.version}`),
    look: (program) => run(program, ['--version']),
  },
  { tool: consumers, install: installConsumers, look: lookAtConsumers },
  programRecipe(jest, `jest@${jest.version}`),
  { tool: python, install: installPython, look: (program) => run(program, ['-c', 'import openai; print(openai.__version__)']) },
  { tool: generators, install: installGenerators, look: lookAtGenerators },
  { tool: goGenerator, install: installGoGenerator, look: (program) => run(program, ['-version']), needs: 'go' },
  {
    tool: openaiGo,
    install: (folder) => downloadGoModules(folder, '../fixtures/go-tests'),
    look: lookAtModule,
    needs: 'go',
    isOptional: true,
  },
  programRecipe(opencode, `opencode-${platform}@${opencode.version}`),
  programRecipe(cline, `@cline/cli-${platform}@${cline.version}`),
  programRecipe(continueDev, `@continuedev/cli@${continueDev.version}`),
  programRecipe(claudeCode, `@anthropic-ai/claude-code-${platform}@${claudeCode.version}`),
  { ...programRecipe(claudeCodeRouter, `@musistudio/claude-code-router@${claudeCodeRouter.version}`), look: lookAtPackage },
  moduleRecipe(aider, 'aider', [`aider-chat==${aider.version}`]),
  moduleRecipe(llm, 'llm', [`llm==${llm.version}`, `openai==${python.version}`]),
  {
    tool: oasdiff,
    install: (folder) => installGoProgram(folder, `github.com/oasdiff/oasdiff@${oasdiff.version}`),
    look: lookAtGoProgram,
    needs: 'go',
    isOptional: true,
  },
  {
    tool: helm,
    install: (folder) => installGoProgram(folder, `helm.sh/helm/v3/cmd/helm@${helm.version}`),
    look: lookAtGoProgram,
    needs: 'go',
    isOptional: true,
  },
];

/** What the benchmark compares with. No test needs them. */
const gateways: readonly Recipe[] = [
  { tool: portkey, install: (folder) => installPackage(folder, `@portkey-ai/gateway@${portkey.version}`), look: lookAtPortkey },
  {
    tool: litellm,
    install: (folder) => installPackages(programIn(folder, litellm), folder, [`litellm[proxy]==${litellm.version}`]),
    look: (program) => run(program, ['-c', 'from importlib.metadata import version; print(version("litellm"))']),
  },
];

async function installPackage(folder: string, name: string): Promise<void> {
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', '--loglevel=error'];
  await run('npm', ['install', '--prefix', folder, ...quiet, name], { cwd: folder, timeout: installLimitMs, env: withoutProject() });
}

async function lookAtPortkey(program: string): Promise<{ readonly stdout: string }> {
  return { stdout: await readFile(join(dirname(program), '../package.json'), 'utf8') };
}

/** The program's own version is that of a library in it. */
async function lookAtPackage(program: string): Promise<{ readonly stdout: string }> {
  return { stdout: await readFile(join(dirname(program), '../@musistudio/claude-code-router/package.json'), 'utf8') };
}

async function installConsumers(folder: string): Promise<void> {
  await cp(dirname(consumerLock), folder, { recursive: true });
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  await run('npm', ['ci', '--prefix', folder, ...quiet], { cwd: folder, timeout: installLimitMs, env: withoutProject() });
}

/** Checks that the compiler runs. The version is that of the whole set. */
async function lookAtConsumers(program: string): Promise<{ readonly stdout: string }> {
  await run(program, ['--version']);
  return { stdout: consumers.version };
}

/** The environment without npm's variables about the present project, but with its settings of the registry. */
function withoutProject(): NodeJS.ProcessEnv {
  const reach = /^npm_config_(registry|userconfig|globalconfig|cache|cafile|proxy|https_proxy|noproxy)$/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_') || reach.test(name)));
}

async function installPython(folder: string): Promise<void> {
  // With the package that its WebSocket classes need.
  await installPackages(programIn(folder, python), folder, [`openai==${python.version}`, 'websockets==17.4']);
}

async function installGenerators(folder: string): Promise<void> {
  await installPackages(programIn(folder, generators), folder, ['--only-binary', ':all:', '-r', generatorPackages]);
}

/** Needs Python 3.9 or newer, with venv. */
async function installPackages(program: string, folder: string, packages: readonly string[]): Promise<void> {
  await run('python3', ['-m', 'venv', folder], { timeout: installLimitMs });
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages];
  await run(program, pip, { timeout: installLimitMs });
}

/** Checks that each generator runs. The version is that of the list of packages. */
async function lookAtGenerators(program: string): Promise<{ readonly stdout: string }> {
  await run(program, ['-m', 'openapi_python_client', '--version']);
  await run(program, ['-m', 'datamodel_code_generator', '--version']);
  await run(program, ['-c', 'import openapi_generator_cli as java; java.run(["version"]).check_returncode()']);
  return { stdout: generators.version };
}

const getGoOptions = (folder: string) => ({
  env: { ...process.env, GOBIN: join(folder, 'bin'), GOMODCACHE: join(folder, 'modules'), GOFLAGS: '-modcacherw', GOTOOLCHAIN: 'local' },
  timeout: installLimitMs,
});

/** Builds a program; the modules that only the build needs are removed. */
async function installGoProgram(folder: string, name: string): Promise<void> {
  const modules = join(folder, 'modules');
  await run('go', ['install', name], getGoOptions(folder));
  await rm(modules, { recursive: true });
}

/** Prints the version of the module, also for programs that don't know their own. */
function lookAtGoProgram(program: string): Promise<{ readonly stdout: string }> {
  return run('go', ['version', '-m', program]);
}

/** Installs the generator, and the modules that its generated clients need, so that a test can build them offline. */
async function installGoGenerator(folder: string): Promise<void> {
  await installGoProgram(folder, `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${goGenerator.version}`);
  await downloadGoModules(folder, '../generators/callers/go');
}

async function downloadGoModules(folder: string, project: string): Promise<void> {
  await run('go', ['mod', 'download'], { ...getGoOptions(folder), cwd: join(import.meta.dirname, project) });
}

/** The path of the package names its version. */
async function lookAtModule(file: string): Promise<{ readonly stdout: string }> {
  await access(file);
  return { stdout: file };
}

function programIn(folder: string, tool: Tool): string {
  return join(folder, relative(tool.folder, tool.program));
}

/** Installs a tool under a temporary name and renames it when it works. Of two simultaneous runs, the second uses the result of the first. */
async function make({ tool, install, look }: Recipe): Promise<void> {
  await mkdir(dirname(tool.folder), { recursive: true, mode: 0o700 });
  const draft = await mkdtemp(`${tool.folder}-`);
  try {
    await install(draft);
    const { stdout } = await look(programIn(draft, tool));
    if (!stdout.includes(tool.version)) throw new Error(`it says that it is ${stdout.trim()}`);
    // Deletes an installation that no longer works, for example after an upgrade of Python.
    if (!existsSync(tool.program)) await rm(tool.folder, { recursive: true, force: true });
    await rename(draft, tool.folder).catch((error: unknown) => {
      if (!existsSync(tool.program)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Matches the messages of npm and pip for a package or version that the registry does not have. */
const saysNone = /\b(?:E404|ETARGET)\b|\(from versions: \d/;

/** Whether the tool is installed, or the registry does not have it, which no change in this repository can fix. */
async function provide(recipe: Recipe): Promise<boolean> {
  const { name, version, folder, program } = recipe.tool;
  if (recipe.needs !== undefined && !existsSync(program) && !(await isThere(recipe.needs))) {
    console.log(`${name} ${version} needs ${recipe.needs}, which is not here: its tests will be left out`);
    return true;
  }
  try {
    if (!existsSync(program)) await make(recipe);
    console.log(`${name} ${version} is in ${folder}`);
    return true;
  } catch (cause) {
    const said = saidBy(cause);
    console.error(`${name} ${version} could NOT be installed, its tests will be left out: ${said.trim()}`);
    return recipe.isOptional === true || saysNone.test(said);
  }
}

const isThere = (program: string): Promise<boolean> =>
  run(program, ['version']).then(
    () => true,
    () => false,
  );

function saidBy(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return 'stderr' in cause && typeof cause.stderr === 'string' && cause.stderr !== '' ? cause.stderr : cause.message;
}

for (const recipe of process.argv.includes('gateways') ? gateways : recipes) {
  if (!(await provide(recipe))) process.exitCode = 1;
}
