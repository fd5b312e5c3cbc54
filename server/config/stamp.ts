/** A stamp that shows whether the configuration file changed, without reading it. */
import { type BigIntStats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';

/** Null when the file is not accessible. */
export type Stamp = string | null;

/** Of the target of the path: a different file under the same name has a different stamp. */
const written = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string => [dev, ino, size, mtimeNs, ctimeNs].join(' ');

/** Synchronous, for a start, which also reads the file synchronously. */
export function stampOf(file: string | null): Stamp {
  try {
    return file === null ? null : written(statSync(file, { bigint: true }));
  } catch {
    return null;
  }
}

/** Asynchronous, for a running gateway: a network folder may be slow. */
export const lookAtStamp = (file: string): Promise<Stamp> => stat(file, { bigint: true }).then(written, () => null);
