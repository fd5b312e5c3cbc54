/** What a configuration must say before anything can be charged: a price for each model, groups and plans that exist (F34). */
import type { ConfigDocument } from './document.ts';
import { type Path, type Problem, pathText } from './problems.ts';
import type { FileSettings } from './schema.ts';

type Entry = NonNullable<FileSettings['models']>[number];
type PriceSetting = NonNullable<Entry['prices']>;

/** `groups`: the names of all groups. */
export function findMoneyProblems(settings: FileSettings, groups: readonly string[], document: ConfigDocument): Problem[] {
  const problems: Problem[] = [];
  const report = (path: Path, message: string, remedy: string): void => {
    problems.push({ where: document.locate(path), key: pathText(path), message, remedy });
  };
  const entries = settings.models ?? [];
  for (const [index, { id, kind, prices, groups: named = [] }] of entries.entries()) {
    const path = ['models', index, 'prices'];
    if (prices === undefined && settings.billing === 'enforce') {
      report(path, `has no prices, so '${id}' could not be called`, `Give them (${example[kind]}), say 'free', or set billing: off.`);
    }
    if (prices !== undefined && !fits(kind, prices)) report(path, `are not prices of a model of kind ${kind}`, `Write ${example[kind]}.`);
    for (const [at, name] of named.entries())
      if (!groups.includes(name)) report(['models', index, 'groups', at], 'is no group', `Groups: ${groups.join(', ')}.`);
  }
  const lists = ['standard', ...Object.keys(settings.priceLists)];
  for (const [name, { priceList }] of Object.entries(settings.plans))
    if (!lists.includes(priceList)) report(['plans', name, 'priceList'], 'is no price list', `Lists: ${lists.join(', ')}.`);
  return problems;
}

const example: Readonly<Record<Entry['kind'], string>> = {
  text: "{ input: '1.25', output: '10' }",
  image: "{ images: { default: '0.25' } }",
};

function fits(kind: Entry['kind'], prices: PriceSetting): boolean {
  return prices === 'free' || 'images' in prices === (kind === 'image');
}
