/** `modelgate model …`: lists models, and suggests entries for public models. */

import type { Command } from 'commander';
import { readPublicModels } from '../../config/public-models.ts';
import { findSimilarNames, formatSuggestions, type Suggestion, suggestAll, suggestModel } from '../../config/suggest-model.ts';
import { addCommandGroup } from './admin-command.ts';
import { CommandError, ReportedError } from './command-error.ts';
import { EXIT_CODE_HELP } from './exit-codes.ts';
import { addConfigOption, LOCATION_HELP, type LocationOptions, readConfig } from './location-options.ts';
import { formatShortTime } from './print-result.ts';
import { addRequestCommand } from './request-command.ts';

interface SuggestOptions extends LocationOptions {
  readonly upstream?: string;
  readonly provider?: string;
  readonly json?: boolean;
}

function addSuggestCommand(model: Command): void {
  addConfigOption(model.command('suggest [names...]'))
    .description('print configuration entries with list prices and limits for models, by provider model name')
    .option('--upstream <name>', 'only models that this configured upstream serves; without names, all of them')
    .option(
      '--provider <name>',
      'a provider in the catalog instead of an upstream, such as openai or amazon-bedrock; without names, all of its models',
    )
    .option('--json', 'print the catalog entries as JSON')
    .addHelpText(
      'after',
      `
The command uses the bundled price list and shows its date. It changes nothing and makes no network calls.

Examples:
  modelgate model suggest gpt-5.4 claude-sonnet-4-5
  modelgate model suggest --provider deepseek
  modelgate model suggest --upstream bedrock us.amazon.nova-pro-v1:0
${LOCATION_HELP}
${EXIT_CODE_HELP}`,
    )
    .action(runSuggest);
}

function runSuggest(names: readonly string[], options: SuggestOptions): void {
  const { shell, json } = options;
  const catalog = readPublicModels();
  const scope = getSearchScope(options, Object.keys(catalog.providers));
  if (names.length === 0 && options.upstream === undefined && options.provider === undefined)
    throw new CommandError('Specify models, or --upstream or --provider for all of its models.');
  const suggestions = names.length === 0 ? suggestAll(scope, catalog) : names.flatMap((name) => suggestModel(name, scope, catalog) ?? []);
  const { source, licence, date } = catalog;
  if (json) shell.stdout.write(`${JSON.stringify({ object: 'suggestions', source, licence, date, data: suggestions }, null, 2)}\n`);
  else if (suggestions.length > 0) shell.stdout.write(formatSuggestions(suggestions, catalog));
  const missingNames = names.filter((name) => !suggestions.some((one: Suggestion) => one.name === name));
  for (const name of missingNames) shell.stderr.write(`${formatMissing(name, findSimilarNames(name, catalog))}\n`);
  if (suggestions.length === 0 && missingNames.length === 0) shell.stderr.write('The catalog has no models for that upstream.\n');
  if (missingNames.length > 0 || suggestions.length === 0) throw new ReportedError();
}

const formatMissing = (name: string, similarNames: readonly string[]): string =>
  `${name} isn't in the catalog${similarNames.length > 0 ? `; it has ${similarNames.join(', ')}` : ''}.`;

function getSearchScope(options: SuggestOptions, providers: readonly string[]) {
  const { upstream, provider } = options;
  if (provider !== undefined) {
    if (!providers.includes(provider))
      throw new CommandError(`${provider} isn't a provider in the catalog. Available: ${providers.join(', ')}.`);
    return { upstreams: [], provider };
  }
  const upstreams = readConfig(options).upstreams;
  if (upstream === undefined) return { upstreams: Object.values(upstreams) };
  const namedUpstream = upstreams[upstream];
  if (!namedUpstream) throw new CommandError(`Upstream '${upstream}' not found. Configured: ${Object.keys(upstreams).join(', ')}.`);
  return { upstreams: [namedUpstream] };
}

export function addModelCommands(program: Command): void {
  const model = addCommandGroup(program, 'model').alias('models');
  addSuggestCommand(model);
  addRequestCommand(model, 'list', {
    description: 'list models with their upstreams, groups, and usage in the last 30 days',
    examples: ['modelgate model list', 'modelgate model list --json   # with the prices of each list'],
    operation: 'listModels',
    print: {
      MODEL: 'id',
      KIND: 'kind',
      GROUPS: ({ groups }) => groups.join(', '),
      UPSTREAMS: ({ candidates }) => candidates.map(({ upstream }) => upstream).join(', '),
      'CALLS 30 D': 'requests_30d',
      'CHARGED 30 D': 'charged_30d',
      'LAST HOUR': ({ last_used_at: used }) => (used === null ? '-' : formatShortTime(used)),
    },
  });
}
