/** Replaces the configuration file, completely or not at all. */

import { accessSync, chmodSync, chownSync, constants, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Returns the code of the error that a write would have, such as EROFS, or undefined if the file can be written. */
export function findWriteError(file: string): string | undefined {
  try {
    const target = realpathSync(file);
    for (const path of [target, dirname(target)]) accessSync(path, constants.W_OK);
    return undefined;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  }
}

/** Keeps the mode and the owner. A symbolic link stays one. */
export function writeConfigText(file: string, text: string): void {
  const target = realpathSync(file);
  const { mode, uid, gid } = statSync(target);
  const temporary = `${target}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text, { flush: true });
    chmodSync(temporary, mode);
    if (process.getuid?.() !== uid || process.getgid?.() !== gid) chownSync(temporary, uid, gid);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
