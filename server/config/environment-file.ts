/** Reads a file of environment variables, in the form that Docker Compose and systemd use. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { ConfigError } from './config-error.ts';
import type { Environment } from './references.ts';

/** Throws ConfigError if the file can't be read. */
export function readEnvironmentFile(file: string, workingFolder: string): Environment {
  try {
    return parseEnv(readFileSync(resolve(workingFolder, file), 'utf8'));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const message = `The file of environment variables can't be read (${String(code)})`;
    const remedy = 'Check the path given by --environment-file or MODELGATE_ENVIRONMENT_FILE, and the permissions of the file.';
    throw new ConfigError([{ where: file, key: '', message, remedy }]);
  }
}
