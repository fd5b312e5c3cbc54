/** The error that lists all problems of a configuration, each with a remedy. */

export interface Problem {
  /** Where the problem is, such as `modelgate.yaml:3:9`, `--port`, or `environment variable PORT`. */
  readonly where: string;
  /** Path of the key, for example `server.port`. Empty if the problem concerns the whole file. */
  readonly key: string;
  /** A predicate that follows the key. It never contains a value, which could be a secret. */
  readonly message: string;
  readonly remedy: string;
}

/** Thrown with every problem. The configuration is rejected as a whole. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const sortedProblems = problems.toSorted((a, b) => a.where.localeCompare(b.where, 'en', { numeric: true }));
    super(sortedProblems.map(formatProblem).join('\n'));
    this.problems = sortedProblems;
  }
}

export function formatProblem({ where, key, message, remedy }: Problem): string {
  const subject = key === '' ? '' : `${key} `;
  return `${where}: ${subject}${message}. ${remedy}`.trimEnd();
}

export type Path = readonly PropertyKey[];

/** Formats a path as in `models[2].upstream`. */
export function formatPath(path: Path): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
}
