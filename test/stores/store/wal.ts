/** Looks into a write-ahead log: how many transactions are in it. */
import { readFileSync } from 'node:fs';

/** A frame that ends a transaction names the size of the file after it; frames with another salt are of an earlier log. */
export function countCommits(path: string): number {
  const log = readFileSync(path);
  const salt = log.subarray(16, 24);
  const frameBytes = 24 + log.readUInt32BE(8);
  let commits = 0;
  for (let at = 32; at + frameBytes <= log.length && log.subarray(at + 8, at + 16).equals(salt); at += frameBytes) {
    if (log.readUInt32BE(at + 4) > 0) commits++;
  }
  return commits;
}
