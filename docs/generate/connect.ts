/** Writes docs/generated/tools.md, the files that `modelgate connect` writes for each tool, from its recipes. */
import { describeSetup } from '../../client/connect/recipes/document.ts';
import type { Connection, Override, Recipe, ToolModel } from '../../client/connect/recipes/recipe.ts';
import { testStatuses } from '../../client/connect/recipes/test-statuses.ts';
import { recipes } from '../../client/connect/recipes/tools.ts';
import { slugOf } from '../site/html.ts';
import type { Output } from './output.ts';
import { table } from './table.ts';

const model: ToolModel = { id: 'gpt-5.4', contextWindow: 400_000, maxOutput: 128_000, tools: true, images: true, reasoning: true };
/** The connection that the samples use. */
const shown: Connection = { baseUrl: 'http://127.0.0.1:8080/v1', key: null, model, models: [model], hasImages: true };

const fence = (language: string, code: string): string => `\`\`\`${language}\n${code.trimEnd()}\n\`\`\``;

function writeSetup(recipe: Recipe): string {
  const { files, lines, steps, start } = describeSetup(recipe, shown);
  const { untested, limits = [] } = testStatuses[recipe.id] ?? {};
  const moves = recipe
    .files(shown)
    .flatMap(({ folderVariable: name }) => (name === undefined ? [] : [`If \`${name}\` is set, the file is in that folder.`]));
  const parts = [
    `## ${recipe.name}`,
    `\`modelgate connect ${recipe.id}\`. Protocol: ${recipe.protocol}. Start it with \`${start}\`.`,
    ...files.map((file) => `\`${file.path}\`:\n\n${fence(file.format, file.text)}`),
    ...(lines === null ? [] : [fence('text', lines)]),
    ...(untested === undefined ? [] : [`Not tested, because ${untested}. The settings come from its documentation.`]),
    [...steps, ...new Set(moves), ...writeOverrides(recipe.overrides), ...limits].map((step) => `- ${step}`).join('\n'),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Writes one sentence per overridden setting, with all its variables. */
function writeOverrides(overrides: readonly Override[]): readonly string[] {
  return [...Map.groupBy(overrides, ({ what }) => what)].map(([what, all]) => {
    const names = all.map(({ variable }) => `\`${variable}\``);
    return names.length === 1
      ? `${names[0]}, if set, overrides the ${what}.`
      : `Each of these variables, if set, overrides the ${what}: ${names.join(', ')}.`;
  });
}

const introduction = `# Settings for coding tools

[\`modelgate connect\`](../guides/connect.md) writes these settings, with the models of your key. Here they have the model \`gpt-5.4\` and a gateway on your machine. With
each version in the table, the tests connect the real tool from an empty home folder, have it read one file and write another, check that it shows the message of a
rejected call, and undo the connection.`;

function writeTable(): string {
  const rows = recipes.flatMap(({ id, name, protocol }) => {
    const entry = testStatuses[id];
    return entry ? [[`[${name}](#${slugOf(name)})`, protocol, entry.version ?? 'not tested']] : [];
  });
  return table([['Tool', 'Protocol', 'Version'], ...rows]);
}

export const connectOutput = (): Output => ({
  path: '../generated/tools.md',
  text: `${[introduction, writeTable(), ...recipes.map(writeSetup)].join('\n\n')}\n`,
});
