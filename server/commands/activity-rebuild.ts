/** `modelgate activity rebuild`: makes the sums of the request log anew, on the data folder or the database of the configuration. */
import type { Command } from 'commander';
import { EXIT_CODE_HELP } from './failure.ts';
import { findData, LOCATION_HELP, type LocationOptions, readConfig, withConfigOption, withDataOption } from './location.ts';
import { parseMoment } from './settings.ts';

interface RebuildOptions extends LocationOptions {
  readonly from?: string;
}

const WEEK_MS = 7 * 86_400_000;

export function addRebuild(activity: Command): void {
  withDataOption(withConfigOption(activity.command('rebuild')))
    .description('make the sums by hour and day anew from the rows of the request log; a gateway may run meanwhile')
    .option('--from <time>', 'from this day on (default: the last seven days, in which rows of unknown callers are kept, too)', parseMoment)
    .addHelpText('after', `\nExample:\n  modelgate activity rebuild --from 2027-01-01\n${LOCATION_HELP}\n${EXIT_CODE_HELP}`)
    .action(rebuild);
}

async function rebuild(options: RebuildOptions): Promise<void> {
  const { shell, from } = options;
  const now = Date.now();
  const { openOperations } = await import('../admin/open.ts');
  const { activity, close } = await openOperations({ folder: findData(options), env: shell.env, loadConfig: () => readConfig(options) });
  try {
    const { rebuildSums } = await import('../activity/rebuild.ts');
    const rebuilt = await rebuildSums(activity, from === undefined ? now - WEEK_MS : Date.parse(from), now);
    const since = rebuilt.from === null ? '' : ` since ${new Date(rebuilt.from).toISOString().slice(0, 10)}`;
    shell.stdout.write(`Made the sums of ${rebuilt.days} days anew${since}.\n`);
  } finally {
    await close();
  }
}
