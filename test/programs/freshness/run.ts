/**
 * Is the contract still current? Compares it with the OpenAI SDK, Open Responses and Codex, and fails on a difference that docs/sdk-coverage.md does not
 * list. `--openai FOLDER` and `--open-responses FILE|URL` name newer ones than those of the repository.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { codexSource, openResponsesSource, type Source, sdkSource } from './sources.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const fates = ['forwarded', 'priced', 'translated', 'rejected'];

interface Row {
  readonly difference: string;
  readonly pattern: RegExp;
}

/** The differences that the tables list; throws for a row without a known fate or a reason. */
function rowsOf(page: string): Row[] {
  return page.split('\n').flatMap((line) => {
    const [, differences, fate = '', because = ''] = /^\| ((?:`[^`]+`(?:, )?)+) \| (\w+) \| (.*) \|$/.exec(line) ?? [];
    if (differences === undefined) return [];
    if (!fates.includes(fate) || because.trim() === '') throw new Error(`docs/sdk-coverage.md: ${differences} need a fate and a reason.`);
    return [...differences.matchAll(/`([^`]+)`/g)].map(([, difference = '']) => ({ difference, pattern: toPattern(difference) }));
  });
}

function toPattern(difference: string): RegExp {
  const parts = difference.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}

/** What is not as the page says. `isPinned`: the page is checked against these sources, so that a row without a difference is a mistake too. */
export function faultsOf(page: string, sources: readonly Source[], isPinned: boolean): string[] {
  const rows = rowsOf(page);
  const all = sources.flatMap(({ differences }) => differences);
  const unlisted = sources.flatMap(({ name, version, differences }) =>
    differences.filter((one) => !rows.some(({ pattern }) => pattern.test(one))).map((one) => `${name} ${version}: ${one} is not listed`),
  );
  if (!isPinned) return unlisted;
  const stale = rows
    .filter(({ pattern }) => !all.some((one) => pattern.test(one)))
    .map(({ difference }) => `${difference} matches nothing any more`);
  const versions = sources
    .filter(({ version }) => !page.includes(`| ${version} |`))
    .map(({ name, version }) => `the page does not name ${name} ${version}`);
  return [...unlisted, ...stale, ...versions];
}

interface Given {
  /** The folder of the package. */
  readonly openai?: string | undefined;
  /** The text of the document. */
  readonly openResponses?: string | undefined;
}

export function readSources({ openai, openResponses }: Given = {}): Source[] {
  const { components } = JSON.parse(readFileSync(here('../../../docs/generated/openapi.json'), 'utf8'));
  return [
    sdkSource(openai ?? here('../../../node_modules/openai'), components.schemas),
    openResponsesSource(openResponses ?? readFileSync(here('open-responses.json'), 'utf8'), components.schemas),
    codexSource(components.schemas),
  ];
}

export const readPage = (): string => readFileSync(here('../../../docs/sdk-coverage.md'), 'utf8');

if (import.meta.main) {
  const { values } = parseArgs({ options: { openai: { type: 'string' }, 'open-responses': { type: 'string' } } });
  const { openai, 'open-responses': document } = values;
  const openResponses = document?.startsWith('https:') ? await (await fetch(document)).text() : document && readFileSync(document, 'utf8');
  const sources = readSources({ openai, openResponses });
  const faults = faultsOf(readPage(), sources, openai === undefined && document === undefined);
  for (const { name, version, differences } of sources) console.log(`${name} ${version}: ${differences.length} differences`);
  for (const fault of faults) console.log(`  ${fault}`);
  console.log(
    faults.length === 0 ? 'Each difference is listed in docs/sdk-coverage.md.' : `${faults.length} to mend in docs/sdk-coverage.md.`,
  );
  process.exitCode = faults.length === 0 ? 0 : 1;
}
