/** `modelgate model suggest`: entries of the configuration for public models, out of the catalog that comes with the program. */
import type { Command } from 'commander';
import { readPublicModels } from '../config/public-models/read.ts';
import { namesLike, type Suggestion, suggestAll, suggestModel, writeSuggestions } from '../config/public-models/suggest.ts';
import { CommandError, EXIT_CODE_HELP, ToldFailure } from './failure.ts';
import { LOCATION_HELP, type LocationOptions, readConfig, withConfigOption } from './location.ts';

interface SuggestOptions extends LocationOptions {
  readonly upstream?: string;
  readonly vendor?: string;
  readonly json?: boolean;
}

export function addModelSuggest(model: Command): void {
  withConfigOption(model.command('suggest [names...]'))
    .description('write entries of the configuration with list prices and bounds for models, by their names at the vendor')
    .option('--upstream <name>', 'only what this upstream of the configuration can serve; without names: all that it has')
    .option(
      '--vendor <name>',
      'a vendor of the catalog instead of the upstreams, such as openai or amazon-bedrock; without names: all that it has',
    )
    .option('--json', 'for scripts: what the catalog says')
    .addHelpText(
      'after',
      `
Prices are suggestions of the day that is printed with them. Nothing is changed, and nobody is asked: the list comes with this program.

Examples:
  modelgate model suggest gpt-5.4 claude-sonnet-4-5
  modelgate model suggest --vendor deepseek
  modelgate model suggest --upstream bedrock us.amazon.nova-pro-v1:0
${LOCATION_HELP}
${EXIT_CODE_HELP}`,
    )
    .action(suggest);
}

function suggest(names: readonly string[], options: SuggestOptions): void {
  const { shell, json } = options;
  const catalog = readPublicModels();
  const places = placesOf(options, Object.keys(catalog.vendors));
  if (names.length === 0 && options.upstream === undefined && options.vendor === undefined)
    throw new CommandError('Name models, or --upstream or --vendor for all that one has.');
  const found = names.length === 0 ? suggestAll(places, catalog) : names.flatMap((name) => suggestModel(name, places, catalog) ?? []);
  const { source, licence, date } = catalog;
  if (json) shell.stdout.write(`${JSON.stringify({ object: 'suggestions', source, licence, date, data: found }, null, 2)}\n`);
  else if (found.length > 0) shell.stdout.write(writeSuggestions(found, catalog));
  const missing = names.filter((name) => !found.some((one: Suggestion) => one.name === name));
  for (const name of missing) shell.stderr.write(`${missingText(name, namesLike(name, catalog))}\n`);
  if (found.length === 0 && missing.length === 0) shell.stderr.write('The catalog has no models of that upstream.\n');
  if (missing.length > 0 || found.length === 0) throw new ToldFailure();
}

const missingText = (name: string, like: readonly string[]): string =>
  `${name} is not in the catalog${like.length > 0 ? `; it has ${like.join(', ')}` : ''}.`;

function placesOf(options: SuggestOptions, vendors: readonly string[]) {
  const { upstream, vendor } = options;
  if (vendor !== undefined) {
    if (!vendors.includes(vendor)) throw new CommandError(`${vendor} is no vendor of the catalog. It has: ${vendors.join(', ')}.`);
    return { upstreams: [], vendor };
  }
  const configured = readConfig(options).upstreams;
  if (upstream === undefined) return { upstreams: Object.values(configured) };
  const named = configured[upstream];
  if (!named) throw new CommandError(`There is no upstream ${upstream}. Configured: ${Object.keys(configured).join(', ')}.`);
  return { upstreams: [named] };
}
