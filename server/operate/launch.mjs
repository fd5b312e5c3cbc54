#!/usr/bin/env node
/**
 * Entry point of the command line. It's plain JavaScript, so that a Node version that's too old can still run it and
 * report the problem.
 */
import { readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { nodeVersionError } from './check-node-version.mjs';

const complaint = nodeVersionError();
if (complaint !== null) {
  process.stderr.write(`${complaint}\n`);
  process.exitCode = 1;
} else if (process.argv.length === 3 && ['--version', '-V'].includes(process.argv[2])) {
  // Prints the version without loading the rest.
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  process.stdout.write(`${version}\n`);
} else {
  hideExperimentalWarnings();
  // Caches compiled code, because a start spends most of its time compiling. The folder isn't shared as in Node's
  // default, because code that other users can write must never run.
  process.env.NODE_COMPILE_CACHE ||= join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'modelgate');
  // Threads read the folder from the environment.
  nodeModule.enableCompileCache(process.env.NODE_COMPILE_CACHE);
  if (isServing(process.argv[2])) limitYoungGeneration();
  await import('./cli.ts');
}

/** Without a command, `serve` runs, with or without options. */
function isServing(first = 'serve') {
  return first === 'serve' || (first.startsWith('-') && !['-h', '--help', '-V', '--version'].includes(first));
}

/** Loading leaves garbage, whose memory an idle process would keep. `serve` removes the limit in finish-start.ts. */
function limitYoungGeneration() {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Node 22 warns at every start that its SQLite and TypeScript support is experimental. Operators can't act on that. */
function hideExperimentalWarnings() {
  const listeners = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.name !== 'ExperimentalWarning') for (const listener of listeners) listener(warning);
  });
}
