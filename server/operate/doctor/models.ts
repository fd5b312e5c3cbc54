/** Checks the configured models against known rules and public prices. */
import type { Config } from '../../config/config.ts';
import { findModelDifferences, listModelsBelowListPrice } from '../../config/model-differences.ts';
import { describeModelRules, MODEL_RULES_DATE } from '../../config/model-rules.ts';
import { readPublicModels } from '../../config/public-models.ts';
import { type CheckResult, formatCount, reportOk, reportWarning } from './check-result.ts';
import { DAY_MS } from './upstream.ts';

const MAX_LISTED_MODELS = 20;

/** Lists what the gateway changes in requests, because the models would reject it. */
export function examineModelRules({ models }: Pick<Config, 'models'>): CheckResult {
  const ruleTexts = models.flatMap(({ id, candidates }) =>
    candidates.flatMap(({ upstream, rules }) => (rules ? [`${id} at ${upstream}: ${describeModelRules(rules)}`] : [])),
  );
  if (ruleTexts.length === 0) return reportOk('no model has known rules');
  const suffix = ruleTexts.length > MAX_LISTED_MODELS ? `; and ${ruleTexts.length - MAX_LISTED_MODELS} more` : '';
  return reportOk(`of ${MODEL_RULES_DATE}, or accepts: ${ruleTexts.slice(0, MAX_LISTED_MODELS).join(' | ')}${suffix}`);
}

export function examineModels(config: Config): CheckResult {
  const catalog = readPublicModels();
  const differenceCount = [...findModelDifferences(config, catalog)].length;
  const ageDays = Math.max(0, Math.floor((Date.now() - Date.parse(catalog.date)) / DAY_MS));
  const list = `the public prices and limits of ${catalog.date} (${formatCount(ageDays, 'day')} old)`;
  const belowListPrices = config.billing === 'off' ? [] : listModelsBelowListPrice(config, catalog);
  if (belowListPrices.length > 0) {
    const hint = 'Compare with your contract: modelgate config check shows where. Callers are charged the prices of the file.';
    return reportWarning(`below the list price: ${belowListPrices.join(', ')}; ${list}`, hint);
  }
  return reportOk(
    differenceCount === 0
      ? `all known models match ${list}`
      : `${differenceCount === 1 ? '1 model entry differs' : `${differenceCount} model entries differ`} from ${list}; modelgate config check shows where`,
  );
}
