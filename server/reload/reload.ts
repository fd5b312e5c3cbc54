/** Reloads the configuration while calls run, whole or not at all: read it, check it, compare it with the present one, then swap (promise G10, F50). */
import { findLostGroups } from '../access/permissions.ts';
import { type Change, type Comparison, compareConfigs, findChanges, needsRestart, noChanges } from '../config/comparison.ts';
import { type LoadedConfig, lookAtStamp, type Stamp } from '../config/config.ts';
import { ConfigError, digestOfFile, type Problem, problemLine } from '../config/document.ts';
import type { Gateway } from '../gateway.ts';
import type { Log } from '../telemetry/log.ts';

type Trigger = 'signal' | 'file' | 'admin';

interface Reloaded {
  readonly kind: 'reloaded';
  /** Names of keys, never their values; all empty when nothing changed. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}
export interface RejectedReload {
  readonly kind: 'rejected';
  /** `other`: the file is not the one that was checked. `restart`: it is valid, but a running gateway cannot apply it. `store`: the store failed to write. */
  readonly reason: 'wrong' | 'other' | 'restart' | 'store';
  readonly problems: readonly Problem[];
}
export type ReloadOutcome = Reloaded | RejectedReload;

/** Called after all checks, before the swap; when it rejects, nothing changes. */
type BeforeReload = (reloaded: Reloaded) => Promise<void>;

/** The file as it stands now, against what runs. */
export interface Checked extends Comparison {
  /** SHA-256 of the file; null when there is none that can be read. */
  readonly digest: string | null;
  readonly problems: readonly Problem[];
}

export interface Reloader {
  /** Never rejects. Reloads run one after the other: a second one reads the file after the first has ended. With a digest, another file is rejected. */
  reload(trigger: Trigger, before?: BeforeReload, digest?: string): Promise<ReloadOutcome>;
  /** Reads the file and changes nothing. Rejects when the store does not answer. */
  check(): Promise<Checked>;
}

interface ReloaderParts {
  readonly gateway: Pick<Gateway, 'config' | 'access' | 'adopt'>;
  /** Throws ConfigError. Always reads the file that the gateway was started with. */
  readonly load: () => LoadedConfig;
  /** The same, for a look that nothing follows from; `load` where absent. */
  readonly peek?: () => LoadedConfig;
  /** The stamp of the file that it was started with. */
  readonly sections: readonly string[];
  readonly log: Log;
}

export function openReloader(parts: ReloaderParts): Reloader {
  let last: Promise<unknown> = Promise.resolve();
  const running: Running = { sections: parts.sections };
  return {
    reload(trigger, before = async () => undefined, digest = undefined) {
      const turn = last.then(async () => {
        const outcome = await attempt(parts, running, { before, digest });
        report(parts.log, trigger, outcome);
        return outcome;
      });
      last = turn;
      return turn;
    },
    check: () => checkFile(parts, running),
  };
}

async function checkFile({ gateway, load, peek = load }: ReloaderParts, running: Running): Promise<Checked> {
  try {
    const loaded = peek();
    const changes = findChanges(gateway.config, loaded.config);
    const problems = [...lostSections(running, changes, loaded), ...(await lostGroups(gateway, loaded))];
    return { digest: loaded.digest, ...compareConfigs(gateway.config, loaded.config), problems };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { digest: digestOfFile(gateway.config.file), ...noChanges, problems: error.problems };
  }
}

/** The state of the file that was loaded last. */
interface Running {
  sections: readonly string[];
}

/** A rejected reload. */
class Refusal extends Error {
  readonly outcome: RejectedReload;

  constructor(reason: RejectedReload['reason'], problems: readonly Problem[]) {
    super(reason);
    this.outcome = { kind: 'rejected', reason, problems };
  }
}

interface Order {
  readonly before: BeforeReload;
  readonly digest: string | undefined;
}

async function attempt(parts: ReloaderParts, running: Running, order: Order): Promise<ReloadOutcome> {
  const { file } = parts.gateway.config;
  try {
    return await takeOver(parts, running, order);
  } catch (error) {
    if (error instanceof Refusal) return error.outcome;
    if (error instanceof ConfigError && isOther(order, digestOfFile(file))) return new Refusal('other', [otherFile(file)]).outcome;
    if (error instanceof ConfigError) return { kind: 'rejected', reason: 'wrong', problems: error.problems };
    // A failed store, or an unexpected error: the log has it, and the present configuration stays in force.
    parts.log.error({ err: error }, 'reload failed');
    return { kind: 'rejected', reason: 'store', problems: [storeProblem(file)] };
  }
}

const storeProblem = (file: string | null): Problem => ({
  where: file ?? 'configuration',
  key: '',
  message: "The database couldn't write the changes",
  remedy: 'Nothing was changed. See the log for the reason, and reload again when the database responds.',
});

const isOther = ({ digest }: Order, found: string | null): boolean => digest !== undefined && digest !== found;

const otherFile = (file: string | null): Problem => ({
  where: file ?? 'configuration',
  key: '',
  message: 'The file differs from the one that was checked',
  remedy: 'Nothing was changed. Check the file again, and reload it with the digest of that check.',
});

async function takeOver({ gateway, load }: ReloaderParts, running: Running, order: Order): Promise<Reloaded> {
  const loaded = load();
  if (isOther(order, loaded.digest)) throw new Refusal('other', [otherFile(gateway.config.file)]);
  const changes = findChanges(gateway.config, loaded.config);
  const restarts = changes.filter(needsRestart);
  if (restarts.length > 0)
    throw new Refusal(
      'restart',
      restarts.map((change) => restartProblem(change, loaded)),
    );
  const narrowed = [...lostSections(running, changes, loaded), ...(await lostGroups(gateway, loaded))];
  if (narrowed.length > 0) throw new Refusal('wrong', narrowed);
  const reloaded = outcomeOf(changes);
  if (changes.length === 0) return reloaded;
  await order.before(reloaded);
  await gateway.adopt(loaded.config);
  running.sections = loaded.sections;
  return reloaded;
}

const restartProblem = ({ path, name }: Change, { locate }: LoadedConfig): Problem => ({
  where: locate(path),
  key: name,
  message: "can't change while the gateway is running",
  remedy: 'Restart the gateway to apply the change, or undo it. None of the changes in the file were applied.',
});

/** A missing section defaults to the simulator or the standard models. A gateway that serves callers must not switch to those (F50). */
function lostSections(running: Running, changes: readonly Change[], { sections, locate }: LoadedConfig): Problem[] {
  const lost = ['upstreams', 'models'].filter(
    (section) => running.sections.includes(section) && !sections.includes(section) && changes.some(({ path }) => path[0] === section),
  );
  return lost.map((section) => ({
    where: locate([section]),
    key: section,
    message: "isn't in the file, so defaults would replace the active settings",
    remedy: 'Check that the file is complete. Add the section, or restart the gateway.',
  }));
}

/** Finds groups that still have accounts, which couldn't call any model if their group were missing (F50). */
async function lostGroups(
  { config, access }: Pick<Gateway, 'config' | 'access'>,
  { config: next, locate }: LoadedConfig,
): Promise<Problem[]> {
  const gone = Object.keys(config.groups).filter((name) => !Object.hasOwn(next.groups, name));
  if (gone.length === 0) return [];
  const lost = findLostGroups(await access.store.listAccounts(), Object.keys(next.groups)).filter(({ name }) => gone.includes(name));
  return lost.map(({ name, accounts }) => ({
    where: locate(['groups']),
    key: `groups.${name}`,
    message: `is missing, but ${accounts === 1 ? 'an account is' : `${accounts} accounts are`} in this group and couldn't call any model`,
    remedy: 'Move them to another group first (modelgate account edit), or keep the group.',
  }));
}

function outcomeOf(changes: readonly Change[]): Reloaded {
  const names = (kind: Change['kind']): string[] => changes.filter((change) => change.kind === kind).map(({ name }) => name);
  return { kind: 'reloaded', added: names('added'), removed: names('removed'), changed: names('changed') };
}

/** The most names in one line of the log. */
const MAX_NAMED = 50;

function report(log: Log, trigger: Trigger, outcome: ReloadOutcome): void {
  if (outcome.kind === 'rejected') {
    const { reason, problems } = outcome;
    const lines = shortened(problems.map(problemLine));
    log.error({ trigger, reason, problems: lines }, 'configuration not reloaded; the previous one is still active');
    return;
  }
  const { added, removed, changed } = outcome;
  const isSame = added.length + removed.length + changed.length === 0;
  const names = { added: shortened(added), removed: shortened(removed), changed: shortened(changed) };
  log.info({ trigger, ...(!isSame && names) }, isSame ? 'configuration unchanged' : 'configuration reloaded');
}

const shortened = (names: readonly string[]): readonly string[] =>
  names.length <= MAX_NAMED ? names : [...names.slice(0, MAX_NAMED), `and ${names.length - MAX_NAMED} more`];

/** Polls every second: a file that is written in pieces is complete when two polls see the same stamp. */
const LOOK_MS = 1_000;

export interface Watch {
  close(): void;
}

interface Watching {
  readonly file: string;
  /** The stamp of the file when it was last read; a different one is a change. Null: the stamp of the first poll. */
  readonly since: Stamp;
  readonly lookMs?: number;
}

/**
 * Polls instead of using file system events: those follow a renamed file to its old copy, are missing on network
 * folders and for switched symbolic links (as Kubernetes does), and their number is limited.
 */
export function openWatch({ file, since, lookMs = LOOK_MS }: Watching, onChange: () => void): Watch {
  let settled = since;
  let seen: Stamp = null;
  let isClosed = false;
  const look = async (): Promise<void> => {
    const now = await lookAtStamp(file);
    if (isClosed) return;
    // A file that is missing for a moment is being replaced.
    if (now !== null) {
      settled ??= now;
      const isStill = now === seen;
      seen = now;
      if (isStill && now !== settled) {
        settled = now;
        onChange();
      }
    }
    timer = setTimeout(look, lookMs).unref();
  };
  let timer: NodeJS.Timeout | null = null;
  void look();
  return {
    close() {
      isClosed = true;
      if (timer) clearTimeout(timer);
    },
  };
}
