#!/usr/bin/env node
/** The command `modelgate`: starts the gateway, governs who may use it, and looks after its configuration. */
import { styleText } from 'node:util';
import { runCommandLine } from './commands/command-line.ts';

/** Whoever reads may stop early, as `head` does: the rest is for nobody. */
function quietly(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  const heard = stream.listeners('error').includes(endOfReader);
  return heard ? stream : stream.on('error', endOfReader);
}
function endOfReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  // Getters: the working folder may be deleted, and Node opens a stream at the first look at it.
  get folder() {
    return process.cwd();
  },
  get stdout() {
    return quietly(process.stdout);
  },
  get stderr() {
    return quietly(process.stderr);
  },
  emphasize: (text) => styleText('bold', text, { stream: process.stdout }),
  events: process,
  program: { file: process.argv[1] ?? import.meta.filename, words: process.argv.slice(2) },
  exit: (code) => process.exit(code),
});
