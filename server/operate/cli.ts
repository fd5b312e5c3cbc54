#!/usr/bin/env node
/** The command `modelgate`: starts a gateway, and administers it. */
import { styleText } from 'node:util';
import { runCommandLine } from './commands/command-line.ts';

/** A reader such as `head` may close the pipe early. The rest of the output is then dropped. */
function ignoreClosedPipe(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  const isHandled = stream.listeners('error').includes(throwUnlessClosedPipe);
  return isHandled ? stream : stream.on('error', throwUnlessClosedPipe);
}
function throwUnlessClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  // Getters, because the working folder may be deleted, and because Node opens a stream when it's first accessed.
  get folder() {
    return process.cwd();
  },
  get stdout() {
    return ignoreClosedPipe(process.stdout);
  },
  get stderr() {
    return ignoreClosedPipe(process.stderr);
  },
  emphasize: (text) => styleText('bold', text, { stream: process.stdout }),
  events: process,
  program: { file: process.argv[1] ?? import.meta.filename, words: process.argv.slice(2) },
  exit: (code) => process.exit(code),
});
