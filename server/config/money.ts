/** What billing needs: a price for each model, and references to groups and plans that exist (F34). */
import type { ConfigDocument } from './document.ts';
import { type Path, type Problem, pathText } from './problems.ts';
import type { FileSettings } from './schema.ts';

type Entry = NonNullable<FileSettings['models']>[number];
type PriceSetting = NonNullable<Entry['prices']>;

interface Facts {
  /** The names of all groups. */
  readonly groups: readonly string[];
  /** All of them, the standard ones too. */
  readonly models: readonly Pick<Entry, 'id' | 'kind'>[];
  readonly document: ConfigDocument;
}
type Report = (path: Path, message: string, remedy: string) => void;

/** The price list that is made of the prices of the models. */
const STANDARD = 'standard';

export function findMoneyProblems(settings: FileSettings, { groups, models, document }: Facts): Problem[] {
  const problems: Problem[] = [];
  const report: Report = (path, message, remedy) => {
    problems.push({ where: document.locate(path), key: pathText(path), message, remedy });
  };
  const entries = settings.models ?? [];
  for (const [index, { id, kind, prices, groups: named = [] }] of entries.entries()) {
    const path = ['models', index, 'prices'];
    if (prices === undefined && settings.billing === 'enforce') {
      report(path, `are missing, so '${id}' could not be called`, `Write ${example[kind]}, or free, or set billing: off.`);
    }
    if (prices !== undefined && !fits(kind, prices)) report(path, `are not prices for a model of kind ${kind}`, `Write ${example[kind]}.`);
    for (const [at, name] of named.entries())
      if (!groups.includes(name)) report(['models', index, 'groups', at], 'is not a group', `Groups: ${groups.join(', ')}.`);
  }
  checkPriceLists(settings, models, report);
  const lists = [STANDARD, ...Object.keys(settings.priceLists)];
  for (const [name, { priceList }] of Object.entries(settings.plans))
    if (!lists.includes(priceList)) report(['plans', name, 'priceList'], 'is not a price list', `Lists: ${lists.join(', ')}.`);
  return problems;
}

/** A typo in an id would silently leave the model at its standard price. */
function checkPriceLists({ priceLists }: FileSettings, models: Facts['models'], report: Report): void {
  for (const [name, byModel] of Object.entries(priceLists)) {
    if (name === STANDARD)
      report(['priceLists', name], 'is the list that the prices of the models make', 'Write these prices at the models.');
    for (const [id, prices] of Object.entries(byModel)) {
      const path = ['priceLists', name, id];
      const model = models.find((one) => one.id === id);
      if (!model) report(path, 'is not a model', `Models: ${models.map((one) => one.id).join(', ')}.`);
      else if (!fits(model.kind, prices)) report(path, `are not prices for a model of kind ${model.kind}`, `Write ${example[model.kind]}.`);
    }
  }
}

const example: Readonly<Record<Entry['kind'], string>> = {
  text: "{ input: '1.25', output: '10' }",
  image: "{ images: { default: '0.25' } }",
};

function fits(kind: Entry['kind'], prices: PriceSetting): boolean {
  return prices === 'free' || 'images' in prices === (kind === 'image');
}
