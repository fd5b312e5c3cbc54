/** Makes candidates of a model. */
import { type Candidate, loadConfig, openCatalog } from '../../../server/config/config.ts';

const [standard] = openCatalog(loadConfig({}, {})).list();
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
