#!/usr/bin/env node
/** The way into the command line; plain JavaScript, because a Node too old for the rest must still be able to read this and say so. */
import { readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { complaintOfNode } from './check-node-version.mjs';

const complaint = complaintOfNode();
if (complaint !== null) {
  process.stderr.write(`${complaint}\n`);
  process.exitCode = 1;
} else if (process.argv.length === 3 && ['--version', '-V'].includes(process.argv[2])) {
  // All the rest need not be loaded for this.
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  process.stdout.write(`${version}\n`);
} else {
  withoutExperimentalWarnings();
  // What was compiled once is read the next time: most of a start is compiling. Not in a folder for all, as Node would: what others can write must not be run.
  process.env.NODE_COMPILE_CACHE ||= join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'modelgate');
  // Threads find the folder in the environment.
  nodeModule.enableCompileCache(process.env.NODE_COMPILE_CACHE);
  if (isServing(process.argv[2])) keepNurserySmall();
  await import('../cli.ts');
}

/** Without a command it serves, too, with options or without. */
function isServing(first = 'serve') {
  return first === 'serve' || (first.startsWith('-') && !['-h', '--help', '-V', '--version'].includes(first));
}

/** Loading leaves garbage, and a process that then idles would keep the memory. `serve` ends this once it's listening. */
function keepNurserySmall() {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Node 22 calls its SQLite and its reading of TypeScript experimental at every start; nobody who starts a gateway can act on that. */
function withoutExperimentalWarnings() {
  const listeners = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.name !== 'ExperimentalWarning') for (const listener of listeners) listener(warning);
  });
}
