/** Makes candidates of a model. */
import { loadConfig } from '../../../server/config/config.ts';
import { type Candidate, openModelCatalog } from '../../../server/config/model-catalog.ts';

const [standard] = openModelCatalog(loadConfig({}, {})).list();
if (!standard) throw new Error('the standard catalog is empty');
const model = standard;

export const placeAt = (upstream: string, changes: Partial<Candidate> = {}): Candidate => ({
  ...model,
  id: 'm',
  upstream,
  upstreamModel: 'm',
  priority: 1,
  weight: 1,
  ...changes,
});
