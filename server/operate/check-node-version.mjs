/** Which Node the gateway needs; plain JavaScript, because a Node too old for the rest must still be able to read this and say so. */

const minVersion = [22, 21];

/** Returns a message if this version of Node is too old, otherwise null. */
export function nodeVersionError(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > minVersion[0] || (major === minVersion[0] && minor >= minVersion[1])) return null;
  return `modelgate: needs Node ${minVersion.join('.')} or newer, this is ${version}. Install a newer one from https://nodejs.org, or one for this project, which its npm scripts use: npm install --save-dev node@24`;
}
