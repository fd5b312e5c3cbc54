/** `modelgate doctor`: checks every part that the gateway needs, with its timing, and says what to do; changes nothing and costs nothing. */
import type { Command } from 'commander';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/problems.ts';
import type { Finding } from '../doctor/finding.ts';
import { ToldFailure } from './failure.ts';
import { LOCATION_HELP, type LocationOptions, readConfig, withConfigOption, withDataOption } from './location.ts';
import { formatTable } from './table.ts';

interface DoctorOptions extends LocationOptions {
  readonly upstream?: boolean;
  readonly json?: boolean;
}

export function addDoctor(program: Command): void {
  withDataOption(withConfigOption(program.command('doctor')))
    .description('test each part that the gateway needs, with its timing: configuration, folder, database, Redis, upstreams, ports')
    .option('--upstream', 'also ask each upstream for its list of models, with its key; vendors do not charge for that')
    .option('--json', 'for scripts: everything that was found')
    .addHelpText(
      'after',
      `
Beside a running gateway or without one; run it as the same user, with the same environment. Nothing is changed: what is written is taken back.

Examples:
  modelgate doctor
  modelgate doctor --upstream
  modelgate doctor --json
${LOCATION_HELP}

Exit codes:
  0  no part is at fault; there may be warnings
  1  a part is at fault
  2  the command was not understood`,
    )
    .action(async (options: DoctorOptions) => {
      const findings = await findAll(options);
      const isWell = findings.every(({ state }) => state !== 'fault');
      options.shell.stdout.write(
        options.json ? `${JSON.stringify({ object: 'diagnosis', ok: isWell, findings }, null, 2)}\n` : tell(findings),
      );
      if (!isWell) throw new ToldFailure();
    });
}

async function findAll(options: DoctorOptions): Promise<Finding[]> {
  const startedAt = performance.now();
  const config = attempt(() => readConfig(options));
  if (config instanceof ConfigError) {
    const ms = Math.round(performance.now() - startedAt);
    return config.problems.map(({ where, key, message, remedy }) => ({
      part: 'configuration',
      state: 'fault' as const,
      ms,
      hint: remedy,
      detail: `${where}: ${key === '' ? '' : `${key} `}${message}`,
    }));
  }
  // Loaded here, so that other commands start without loading the databases.
  const { examineAll } = await import('../doctor/examine.ts');
  return examineAll({ config, env: options.shell.env, asksForModels: options.upstream === true });
}

function attempt(load: () => Config): Config | ConfigError {
  try {
    return load();
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

/** The state as printed; problems are in capitals, so that they stand out. */
const shownStates: Readonly<Record<Finding['state'], string>> = { ok: 'ok', warning: 'WARNING', fault: 'FAULT', skipped: '-' };

function tell(findings: readonly Finding[]): string {
  const rows = findings.map(({ part, state, ms, detail }) => [part, shownStates[state], `${ms} ms`, detail]);
  const hints = findings.filter(({ hint }) => hint).map(({ part, state, hint }) => `${shownStates[state]} ${part}: ${hint}\n`);
  return [formatTable(['PART', 'STATE', 'TOOK', 'FOUND'], rows), ...(hints.length > 0 ? [hints.join('')] : []), verdictOn(findings)].join(
    '\n',
  );
}

function verdictOn(findings: readonly Finding[]): string {
  const count = (state: Finding['state']): number => findings.filter((finding) => finding.state === state).length;
  const [faults, warnings] = [count('fault'), count('warning')];
  const warned = warnings === 0 ? '' : `${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`;
  if (faults === 0) return `${warned || 'No problems were found'}.\n`;
  return `${faults === 1 ? '1 part is' : `${faults} parts are`} at fault${warned && `, ${warned}`}.\n`;
}
