/**
 * Reloads the configuration while calls run, completely or not at all: reads it, checks it, compares it with the active one, then swaps (promise G10, F50).
 */

import { findUnknownGroups } from '../access/unknown-groups.ts';
import { type Change, type ConfigComparison, compareConfigs, findChanges, needsRestart, noChanges } from '../config/comparison.ts';
import type { LoadedConfig } from '../config/config.ts';
import { computeDigest, computeFileDigest } from '../config/config-document.ts';
import { ConfigError, formatProblem, type Problem } from '../config/config-error.ts';
import type { Log } from '../telemetry/log.ts';
import type { Gateway } from './gateway.ts';

type Trigger = 'signal' | 'file' | 'admin';

interface SuccessfulReload {
  readonly kind: 'reloaded';
  /** Names of keys, never their values. All empty if nothing changed. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}
export interface RejectedReload {
  readonly kind: 'rejected';
  /**
   * `other`: the file isn't the one that was checked. `restart`: the file is valid, but a running gateway can't apply it. `store`:
   * writing to the store failed.
   */
  readonly reason: 'wrong' | 'other' | 'restart' | 'store';
  readonly problems: readonly Problem[];
}
export type ReloadOutcome = SuccessfulReload | RejectedReload;

/** Called after all checks, before the swap. If it rejects, nothing changes. */
type BeforeReload = (reloaded: SuccessfulReload) => Promise<void>;

/** Compares the current file with the active configuration. */
export interface ReloadCheck extends ConfigComparison {
  /** SHA-256 of the file. Null if there's no readable file. */
  readonly digest: string | null;
  readonly problems: readonly Problem[];
}

export interface Reloader {
  /**
   * Never rejects. Reloads run one after the other, so a second one reads the file after the first has ended. With a digest, a different
   * file is rejected.
   */
  reload(trigger: Trigger, before?: BeforeReload, digest?: string): Promise<ReloadOutcome>;
  /** Reads the file, or `text` in its place, and changes nothing. Rejects if the store doesn't respond. */
  check(text?: string): Promise<ReloadCheck>;
}

interface ReloaderOptions {
  readonly gateway: Pick<Gateway, 'config' | 'access' | 'adopt'>;
  /** Throws ConfigError. Always reads the file that the gateway was started with. */
  readonly load: () => LoadedConfig;
  /** Like `load`, but for a check without consequences. Defaults to `load`. */
  readonly peek?: (text?: string) => LoadedConfig;
  /** The sections of the file that the gateway was started with. */
  readonly sections: readonly string[];
  readonly log: Log;
}

export function openReloader(options: ReloaderOptions): Reloader {
  let lastReload: Promise<unknown> = Promise.resolve();
  const loadedSections: LoadedSections = { sections: options.sections };
  return {
    reload(trigger, before = async () => undefined, digest = undefined) {
      const result = lastReload.then(async () => {
        const outcome = await tryReload(options, loadedSections, { before, digest });
        logOutcome(options.log, trigger, outcome);
        return outcome;
      });
      lastReload = result;
      return result;
    },
    check: (text) => checkFile(options, loadedSections, text),
  };
}

async function checkFile(
  { gateway, load, peek = load }: ReloaderOptions,
  loadedSections: LoadedSections,
  text: string | undefined,
): Promise<ReloadCheck> {
  try {
    const loadedConfig = peek(text);
    const changes = findChanges(gateway.config, loadedConfig.config);
    const problems = [
      ...findLostSections(loadedSections, changes, loadedConfig),
      ...(await findUnknownGroupProblems(gateway, loadedConfig)),
    ];
    return { digest: loadedConfig.digest, ...compareConfigs(gateway.config, loadedConfig.config), problems };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return {
      digest: text === undefined ? computeFileDigest(gateway.config.file) : computeDigest(text),
      ...noChanges,
      problems: error.problems,
    };
  }
}

/** The sections of the file loaded last. */
interface LoadedSections {
  sections: readonly string[];
}

class ReloadRejection extends Error {
  readonly outcome: RejectedReload;

  constructor(reason: RejectedReload['reason'], problems: readonly Problem[]) {
    super(reason);
    this.outcome = { kind: 'rejected', reason, problems };
  }
}

interface ReloadOptions {
  readonly before: BeforeReload;
  readonly digest: string | undefined;
}

async function tryReload(options: ReloaderOptions, loadedSections: LoadedSections, reloadOptions: ReloadOptions): Promise<ReloadOutcome> {
  const { file } = options.gateway.config;
  try {
    return await applyFile(options, loadedSections, reloadOptions);
  } catch (error) {
    if (error instanceof ReloadRejection) return error.outcome;
    if (error instanceof ConfigError && hasOtherDigest(reloadOptions, computeFileDigest(file)))
      return new ReloadRejection('other', [toOtherFileProblem(file)]).outcome;
    if (error instanceof ConfigError) return { kind: 'rejected', reason: 'wrong', problems: error.problems };
    // The store failed, or an unexpected error occurred. It's in the log, and the current configuration stays active.
    options.log.error({ err: error }, 'reload failed');
    return { kind: 'rejected', reason: 'store', problems: [toStoreProblem(file)] };
  }
}

const toStoreProblem = (file: string | null): Problem => ({
  where: file ?? 'configuration',
  key: '',
  message: "The database couldn't write the changes",
  remedy: 'Nothing was changed. See the log for the reason, and reload again when the database responds.',
});

const hasOtherDigest = ({ digest }: ReloadOptions, currentDigest: string | null): boolean =>
  digest !== undefined && digest !== currentDigest;

const toOtherFileProblem = (file: string | null): Problem => ({
  where: file ?? 'configuration',
  key: '',
  message: 'The file differs from the one that was checked',
  remedy: 'Nothing was changed. Check the file again, and reload it with the digest of that check.',
});

async function applyFile(
  { gateway, load }: ReloaderOptions,
  loadedSections: LoadedSections,
  reloadOptions: ReloadOptions,
): Promise<SuccessfulReload> {
  const loadedConfig = load();
  if (hasOtherDigest(reloadOptions, loadedConfig.digest)) throw new ReloadRejection('other', [toOtherFileProblem(gateway.config.file)]);
  const changes = findChanges(gateway.config, loadedConfig.config);
  const restartChanges = changes.filter(needsRestart);
  if (restartChanges.length > 0)
    throw new ReloadRejection(
      'restart',
      restartChanges.map((change) => toRestartProblem(change, loadedConfig)),
    );
  const problems = [...findLostSections(loadedSections, changes, loadedConfig), ...(await findUnknownGroupProblems(gateway, loadedConfig))];
  if (problems.length > 0) throw new ReloadRejection('wrong', problems);
  const result = toReloaded(changes);
  if (changes.length === 0) return result;
  await reloadOptions.before(result);
  await gateway.adopt(loadedConfig.config);
  loadedSections.sections = loadedConfig.sections;
  return result;
}

const toRestartProblem = ({ path, name }: Change, { locate }: LoadedConfig): Problem => ({
  where: locate(path),
  key: name,
  message: "can't change while the gateway is running",
  remedy: 'Restart the gateway to apply the change, or undo it. None of the changes in the file were applied.',
});

/**
 * A missing section defaults to the simulator or the standard models. A gateway that serves callers must not switch to these defaults
 * (F50).
 */
function findLostSections(loadedSections: LoadedSections, changes: readonly Change[], { sections, locate }: LoadedConfig): Problem[] {
  const missingSections = ['upstreams', 'models'].filter(
    (section) =>
      loadedSections.sections.includes(section) && !sections.includes(section) && changes.some(({ path }) => path[0] === section),
  );
  return missingSections.map((section) => ({
    where: locate([section]),
    key: section,
    message: "isn't in the file, so defaults would replace the active settings",
    remedy: 'Check that the file is complete. Add the section, or restart the gateway.',
  }));
}

/** Finds groups that still have accounts, which couldn't call any model if their group were missing (F50). */
async function findUnknownGroupProblems(
  { config, access }: Pick<Gateway, 'config' | 'access'>,
  { config: next, locate }: LoadedConfig,
): Promise<Problem[]> {
  const removedGroups = Object.keys(config.groups).filter((name) => !Object.hasOwn(next.groups, name));
  if (removedGroups.length === 0) return [];
  const affectedGroups = findUnknownGroups(await access.store.listAccounts(), Object.keys(next.groups)).filter(({ name }) =>
    removedGroups.includes(name),
  );
  return affectedGroups.map(({ name, accounts }) => ({
    where: locate(['groups']),
    key: `groups.${name}`,
    message: `is missing, but ${accounts === 1 ? 'an account is' : `${accounts} accounts are`} in this group and couldn't call any model`,
    remedy: 'Move them to another group first (modelgate account edit), or keep the group.',
  }));
}

function toReloaded(changes: readonly Change[]): SuccessfulReload {
  const listNames = (kind: Change['kind']): string[] => changes.filter((change) => change.kind === kind).map(({ name }) => name);
  return { kind: 'reloaded', added: listNames('added'), removed: listNames('removed'), changed: listNames('changed') };
}

/** The maximum number of names in one log line. */
const MAX_NAMED = 50;

function logOutcome(log: Log, trigger: Trigger, outcome: ReloadOutcome): void {
  if (outcome.kind === 'rejected') {
    const { reason, problems } = outcome;
    const lines = shortenNames(problems.map(formatProblem));
    log.error({ trigger, reason, problems: lines }, 'configuration not reloaded; the previous one is still active');
    return;
  }
  const { added, removed, changed } = outcome;
  const isSame = added.length + removed.length + changed.length === 0;
  const names = { added: shortenNames(added), removed: shortenNames(removed), changed: shortenNames(changed) };
  log.info({ trigger, ...(!isSame && names) }, isSame ? 'configuration unchanged' : 'configuration reloaded');
}

const shortenNames = (names: readonly string[]): readonly string[] =>
  names.length <= MAX_NAMED ? names : [...names.slice(0, MAX_NAMED), `and ${names.length - MAX_NAMED} more`];
