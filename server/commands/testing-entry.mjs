/** The way into `modelgate/testing`; plain JavaScript, as `launch.mjs` is: a Node too old reads one sentence, not what it stumbles over first. */
import { complaintOfNode } from './check-node-version.mjs';

const complaint = complaintOfNode();
if (complaint !== null) throw new Error(complaint);

/** The whole gateway is loaded here and not above: a module is not run before all that it names has been read. */
export async function startGateway(options) {
  const testing = await import('../testing.ts');
  return await testing.startGateway(options);
}
