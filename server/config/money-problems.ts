/** Finds problems in prices, price lists, and plans, such as missing prices and prices of the wrong kind. */
import type { Entry } from './complete-models.ts';
import type { ConfigDocument } from './config-document.ts';
import { formatPath, type Path, type Problem } from './config-error.ts';
import type { FileSettings } from './schema.ts';

type PriceSetting = NonNullable<Entry['prices']>;

interface MoneyContext {
  /** Names of all groups. */
  readonly groups: readonly string[];
  /** All models, including the standard ones. */
  readonly models: readonly Pick<Entry, 'id' | 'kind'>[];
  readonly document: ConfigDocument;
}

type ReportMoney = (path: Path, message: string, remedy: string) => void;

/** Name of the price list that consists of the models' own prices. */
const STANDARD_PRICE_LIST = 'standard';

export function findMoneyProblems(settings: FileSettings, { groups, models, document }: MoneyContext): Problem[] {
  const problems: Problem[] = [];
  const report: ReportMoney = (path, message, remedy) => {
    problems.push({ where: document.locate(path), key: formatPath(path), message, remedy });
  };
  const entries = settings.models ?? [];
  for (const [index, { id, kind, prices, groups: groupNames = [] }] of entries.entries()) {
    const path = ['models', index, 'prices'];
    if (prices === undefined && settings.billing === 'enforce') {
      report(
        path,
        `are missing, so '${id}' can't be called`,
        `Set prices such as ${priceExamples[kind]}, set them to free, or set billing: off.`,
      );
    }
    if (prices !== undefined && !isPriceForKind(kind, prices))
      report(path, `can't be used for a model of kind '${kind}'`, `Set prices such as ${priceExamples[kind]}.`);
    for (const [groupIndex, name] of groupNames.entries())
      if (!groups.includes(name))
        report(['models', index, 'groups', groupIndex], "isn't a configured group", `Configured groups: ${groups.join(', ')}.`);
  }
  checkPriceLists(settings, models, report);
  const listNames = [STANDARD_PRICE_LIST, ...Object.keys(settings.priceLists)];
  for (const [name, { priceList }] of Object.entries(settings.plans))
    if (!listNames.includes(priceList))
      report(['plans', name, 'priceList'], "isn't a configured price list", `Configured price lists: ${listNames.join(', ')}.`);
  return problems;
}

/** A typo in an ID would silently leave the model at its standard price. */
function checkPriceLists({ priceLists }: FileSettings, models: MoneyContext['models'], report: ReportMoney): void {
  for (const [name, byModel] of Object.entries(priceLists)) {
    if (name === STANDARD_PRICE_LIST)
      report(['priceLists', name], 'is reserved for the prices of the models', 'Set these prices on the models.');
    for (const [id, prices] of Object.entries(byModel)) {
      const path = ['priceLists', name, id];
      const model = models.find((one) => one.id === id);
      if (!model) report(path, "isn't a configured model", `Configured models: ${models.map((one) => one.id).join(', ')}.`);
      else if (!isPriceForKind(model.kind, prices))
        report(path, `can't be used for a model of kind '${model.kind}'`, `Set prices such as ${priceExamples[model.kind]}.`);
    }
  }
}

const priceExamples: Readonly<Record<Entry['kind'], string>> = {
  text: "{ input: '1.25', output: '10' }",
  image: "{ images: { default: '0.25' } }",
};

function isPriceForKind(kind: Entry['kind'], prices: PriceSetting): boolean {
  return kind === 'image' || prices === 'free' || !('images' in prices);
}
