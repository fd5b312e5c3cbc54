/** Which Node the gateway needs; plain JavaScript, because a Node too old for the rest must still be able to read this and say so. */

const leastVersion = [22, 19];

/** What is wrong with this Node, for people; null where it is new enough. */
export function complaintOfNode(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > leastVersion[0] || (major === leastVersion[0] && minor >= leastVersion[1])) return null;
  return `modelgate: needs Node ${leastVersion.join('.')} or newer, this is ${version}. Install a newer one from https://nodejs.org, or run it by npm after npm ci.`;
}
