/** Opens the folder of recorded calls, to record into or to replay from. */
import type { Config } from '../config/config.ts';
import { openPlayer, type Player } from './player.ts';
import { openRecorder, type Recorder } from './recorder.ts';

/** Null where calls are neither recorded nor replayed. */
export function openTape({ tape, upstreams }: Pick<Config, 'tape' | 'upstreams'>): Recorder | Player | null {
  if (tape === null) return null;
  return tape.kind === 'replay' ? openPlayer(tape.folder) : openRecorder(tape.folder, secretsOf(upstreams));
}

/** The keys of `auth` that are secret. */
const ofAuth: ReadonlySet<string> = new Set(['accessKeyId', 'secretAccessKey', 'sessionToken', 'credentials', 'clientSecret']);

/** The credentials of the gateway at its upstreams: keys, and the values of configured headers. */
function secretsOf(upstreams: Config['upstreams']): readonly string[] {
  return Object.values(upstreams).flatMap((upstream) => {
    if (upstream.kind === 'simulator') return [];
    const { apiKey, apiKeys = [], headers, auth = {} } = upstream;
    const own = Object.entries(auth).flatMap(([name, value]) => (ofAuth.has(name) ? [String(value)] : []));
    return [...(apiKey === undefined ? [] : [apiKey]), ...apiKeys, ...Object.values(headers), ...own];
  });
}
