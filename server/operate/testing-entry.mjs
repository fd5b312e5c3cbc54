/** The way into `modelgate/testing`; plain JavaScript, as `launch.mjs` is: a Node too old reads one sentence, not what it stumbles over first. */
import { nodeVersionError } from './check-node-version.mjs';

const complaint = nodeVersionError();
if (complaint !== null) throw new Error(complaint);

/** Loads the gateway here, not at the top of the file, so that the version check runs first. */
export async function startGateway(options) {
  const testing = await import('./testing.ts');
  try {
    return await testing.startGateway(options);
  } catch (error) {
    // Node prints the source line that an uncaught error starts in: the caller's is of use, and a line of the package is a complete file.
    if (error?.name === 'ConfigError') Error.captureStackTrace(error, startGateway);
    throw error;
  }
}
