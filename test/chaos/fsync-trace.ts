/** The system calls of a gateway, traced by strace: writes and syncs of the write-ahead log, and what it sends to upstreams and callers. */
import { spawnSync } from 'node:child_process';

export type Tracer = { readonly kind: 'found' } | { readonly kind: 'missing'; readonly reason: string };

/** Containers often forbid one process to trace another. */
export function findTracer(): Tracer {
  const { error, status, stderr } = spawnSync('strace', ['-D', '-f', '-e', 'trace=none', process.execPath, '--version'], {
    encoding: 'utf8',
  });
  if (error) return { kind: 'missing', reason: `strace cannot be run: ${error.message}` };
  return status === 0 ? { kind: 'found' } : { kind: 'missing', reason: `strace is not permitted: ${stderr.trim().split('\n')[0]}` };
}

/** Runs a command under the tracer without making it the parent, so that signals reach the command itself. */
export const tracing = (file: string): readonly string[] => [
  ...['strace', '-D', '-f', '-y', '-s', '8192', '-o', file],
  ...['-e', 'trace=fsync,fdatasync,pwrite64,write,writev,sendto,sendmsg', '-e', 'signal=none'],
];

/**
 * `written`: a piece of the write-ahead log is with the system. `synced`: it is on disk. `asked`: a request leaves for the upstream.
 * `told`: the caller is sent a status 200 of a whole answer, or the terminal event of a stream.
 */
export interface Event {
  readonly kind: 'written' | 'synced' | 'asked' | 'told';
  /** The system call with its bytes. */
  readonly call: string;
}

/** In the order in which they began (`asked`, `told`) or were done (`written`, `synced`). */
export function readTrace(trace: string): readonly Event[] {
  const begun = new Map<string, string>();
  const events: Event[] = [];
  for (const line of trace.split('\n')) {
    const [, thread = '', rest = ''] = /^(\d+) +(.*)$/s.exec(line) ?? [];
    const isResumed = /^<\.\.\. \w+ resumed>/.test(rest);
    const call = isResumed ? (begun.get(thread) ?? '') : rest;
    const isDone = !rest.endsWith('<unfinished ...>');
    if (!isDone) begun.set(thread, rest);
    const kind = (isResumed ? undefined : spokenBy(call)) ?? (isDone ? keptBy(call, rest) : undefined);
    if (kind) events.push({ kind, call });
  }
  return events;
}

function spokenBy(call: string): 'asked' | 'told' | undefined {
  if (!/^(write|writev|sendto|sendmsg)\(\d+<(socket|TCP)/.test(call)) return undefined;
  if (/POST \/v1\/[\w/]+ HTTP\/1\.1/.test(call)) return 'asked';
  const isWhole = call.includes('HTTP/1.1 200 OK') && call.includes('content-type: application/json');
  const isTerminal = call.includes('data: [DONE]') || call.includes('event: response.completed');
  return isWhole || isTerminal ? 'told' : undefined;
}

function keptBy(call: string, end: string): 'written' | 'synced' | undefined {
  if (/^pwrite64\(\d+<[^>]*-wal>/.test(call)) return 'written';
  return /^f(data)?sync\(\d+<[^>]*-wal>/.test(call) && end.endsWith('= 0') ? 'synced' : undefined;
}

export interface Story {
  /** Writes and syncs before the upstream was asked, and between that and the end of the answer. */
  readonly before: string;
  readonly after: string;
}

/** For requests made one after the other, found by their ids. Other writes, such as heartbeats, are left out. */
export function storiesOf(events: readonly Event[], requests: readonly (readonly string[])[]): readonly Story[] {
  const stories: Story[] = [];
  let [before, after]: [Event[], Event[] | null] = [[], null];
  const tell = (some: readonly Event[]): string => {
    const ids = requests[stories.length] ?? [];
    const own = some.filter(({ kind, call }) => kind === 'synced' || ids.some((id) => call.includes(id)));
    return own.map(({ kind }) => kind).join(' ');
  };
  for (const event of events) {
    if (event.kind === 'asked') after = [];
    else if (event.kind !== 'told') (after ?? before).push(event);
    else if (after) {
      stories.push({ before: tell(before), after: tell(after) });
      [before, after] = [[], null];
    }
  }
  return stories;
}
