/** What tells one state of the configuration file from another, without reading it. */
import { type BigIntStats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';

/** Null where nothing can be seen. */
export type Stamp = string | null;

/** Of what the name leads to: another file under the same name is another one. */
const written = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string => [dev, ino, size, mtimeNs, ctimeNs].join(' ');

/** For a start, which reads the file at once too. */
export function stampOf(file: string | null): Stamp {
  try {
    return file === null ? null : written(statSync(file, { bigint: true }));
  } catch {
    return null;
  }
}

/** For a gateway that runs: a network folder may take its time. */
export const lookAtStamp = (file: string): Promise<Stamp> => stat(file, { bigint: true }).then(written, () => null);
