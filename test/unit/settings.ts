/** A configuration from settings, and a log whose lines can be read. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type Config, type HttpUpstreamConfig, loadConfig } from '../../server/config/config.ts';
import { type Log, openLog } from '../../server/telemetry/log.ts';
import { temporaryFolder } from '../harness/folder.ts';

/** `settings`: as in modelgate.yaml. Its data folder lives as long as the test. */
export function configOf(settings: Record<string, unknown> = {}): Config {
  const folder = temporaryFolder();
  const file = join(folder, 'modelgate.yaml');
  writeFileSync(file, stringify({ data: join(folder, 'data'), ...settings }));
  return loadConfig({ file }, {});
}

/** The configuration of an upstream of a kind over HTTP. */
export function configureUpstream(settings: Record<string, unknown>): HttpUpstreamConfig {
  const models = [{ id: 'm', kind: 'text', upstream: 'a', prices: 'free' }];
  // `as`: of such a kind.
  return configOf({ upstreams: { a: settings }, models }).upstreams.a as HttpUpstreamConfig;
}

export interface LinedLog {
  readonly log: Log;
  /** The lines so far. */
  readonly lines: readonly Record<string, unknown>[];
}

export function openLines(): LinedLog {
  const lines: Record<string, unknown>[] = [];
  return { lines, log: openLog({ log: { level: 'info' } }, { write: (line) => void lines.push(JSON.parse(line)) }) };
}
