/** `modelgate doctor`: checks the configuration, the stores, and the network, and prints what to repair. */

import type { Command } from 'commander';
import type { Config } from '../../config/config.ts';
import { ConfigError } from '../../config/config-error.ts';
import type { Finding } from '../doctor/check-result.ts';
import { ReportedError } from './command-error.ts';
import { commandSummaries } from './command-summaries.ts';
import { addConfigOption, addDataOption, LOCATION_HELP, type LocationOptions, readConfig } from './location-options.ts';
import { parsePort } from './option-values.ts';
import { formatTable } from './print-result.ts';

interface DoctorOptions extends LocationOptions {
  readonly port?: number;
  readonly json?: boolean;
}

export function addDoctorCommand(program: Command): void {
  addDataOption(addConfigOption(program.command('doctor')))
    .description(commandSummaries.doctor)
    .option('-p, --port <port>', 'port to check instead of server.port, as for serve', parsePort)
    .option('--json', 'print all findings as JSON')
    .addHelpText(
      'after',
      `
Run it with or without a running gateway, as the same user and with the same environment. Test writes are rolled back. It lists each
upstream's models with its key; providers don't charge for this.

Examples:
  modelgate doctor
  modelgate doctor --port 9090 --json
${LOCATION_HELP}

Exit codes:
  0  no faults; there may be warnings
  1  at least one fault
  2  invalid command or option`,
    )
    .action(async (options: DoctorOptions) => {
      const findings = await runDoctor(options);
      const isHealthy = findings.every(({ state }) => state !== 'fault');
      options.shell.stdout.write(
        options.json ? `${JSON.stringify({ object: 'diagnosis', ok: isHealthy, findings }, null, 2)}\n` : describeFindings(findings),
      );
      if (!isHealthy) throw new ReportedError();
    });
}

async function runDoctor(options: DoctorOptions): Promise<Finding[]> {
  const startedAt = performance.now();
  const config = tryLoad(() => readConfig(options));
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
  return examineAll({ config, env: options.shell.env });
}

function tryLoad(load: () => Config): Config | ConfigError {
  try {
    return load();
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

/** States as printed. Problems are in capitals, so that they stand out. */
const stateLabels: Readonly<Record<Finding['state'], string>> = { ok: 'ok', warning: 'WARNING', fault: 'FAULT', skipped: '-' };

function describeFindings(findings: readonly Finding[]): string {
  const rows = findings.map(({ part, state, ms, detail }) => [part, stateLabels[state], `${ms} ms`, detail]);
  const hints = findings.filter(({ hint }) => hint).map(({ part, state, hint }) => `${stateLabels[state]} ${part}: ${hint}\n`);
  return [
    formatTable(['PART', 'STATE', 'TOOK', 'FOUND'], rows),
    ...(hints.length > 0 ? [hints.join('')] : []),
    formatVerdict(findings),
  ].join('\n');
}

function formatVerdict(findings: readonly Finding[]): string {
  const countState = (state: Finding['state']): number => findings.filter((finding) => finding.state === state).length;
  const [faults, warnings] = [countState('fault'), countState('warning')];
  const warningText = warnings === 0 ? '' : `${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`;
  if (faults === 0) return `${warningText || 'No problems found'}.\n`;
  return `${faults === 1 ? '1 part is' : `${faults} parts are`} at fault${warningText && `, ${warningText}`}.\n`;
}
