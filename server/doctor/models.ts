/** The models of the configuration beside the catalog of public models, for `modelgate doctor`: for information, never a fault. */
import type { Config } from '../config/config.ts';
import { differencesIn } from '../config/public-models/compare.ts';
import { readPublicModels } from '../config/public-models/read.ts';
import { ok, type Verdict } from './finding.ts';

export function examineModels(config: Config): Verdict {
  const catalog = readPublicModels();
  const found = [...differencesIn(config, catalog)].length;
  const list = `the list prices and bounds of ${catalog.date}`;
  return ok(
    found === 0
      ? `nothing differs from ${list}`
      : `${found} of the models at their upstreams differ from ${list}; modelgate config check says where`,
  );
}
