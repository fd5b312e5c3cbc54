#!/usr/bin/env node
/** The command `modelgate`: starts the gateway, governs who may use it, and looks after its configuration. */
import { styleText } from 'node:util';
import { runCommandLine } from './commands/command-line.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  // Asked for when it is needed: a folder may be gone, and Node opens a stream when somebody looks at it.
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
  exit: (code) => process.exit(code),
});
