#!/usr/bin/env node
/** The command `modelgate`: starts the gateway, governs who may use it, and looks after its configuration. */
import { styleText } from 'node:util';
import { runCommandLine } from './commands/command-line.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  // Getters: the working folder may be deleted, and Node opens a stream at the first look at it.
  get folder() {
    return process.cwd();
  },
  get stdout() {
    return process.stdout;
  },
  get stderr() {
    return process.stderr;
  },
  emphasize: (text) => styleText('bold', text, { stream: process.stdout }),
  events: process,
  program: { file: process.argv[1] ?? import.meta.filename, words: process.argv.slice(2) },
  exit: (code) => process.exit(code),
});
