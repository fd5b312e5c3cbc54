#!/usr/bin/env node
/** The way into the command line; plain JavaScript, because a Node too old for the rest must still be able to read this and say so. */

const leastVersion = [22, 19];

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < leastVersion[0] || (major === leastVersion[0] && minor < leastVersion[1])) {
  process.stderr.write(
    `modelgate: needs Node ${leastVersion.join('.')} or newer, this is ${process.versions.node}. Install a newer one from https://nodejs.org, or run it by npm after npm ci.\n`,
  );
  process.exitCode = 1;
} else {
  withoutExperimentalWarnings();
  await import('../cli.ts');
}

/** Node 22 calls its SQLite and its reading of TypeScript experimental at every start; nobody who starts a gateway can act on that. */
function withoutExperimentalWarnings() {
  const listeners = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.name !== 'ExperimentalWarning') for (const listener of listeners) listener(warning);
  });
}
