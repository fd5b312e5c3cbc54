/** Problems of a configuration, with position, key, message and remedy. */
export interface Problem {
  /** `modelgate.yaml:3:9`, `--port` or `environment variable PORT`. */
  readonly where: string;
  /** Path of the key, for example `server.port`; empty for the file as a whole. */
  readonly key: string;
  /** What is wrong. Never contains a value: it could be a secret. */
  readonly message: string;
  readonly remedy: string;
}

/** The whole configuration is refused; this error has every problem. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const inOrder = problems.toSorted((a, b) => a.where.localeCompare(b.where, 'en', { numeric: true }));
    super(inOrder.map(problemLine).join('\n'));
    this.problems = inOrder;
  }
}

export function problemLine({ where, key, message, remedy }: Problem): string {
  const subject = key === '' ? '' : `${key} `;
  return `${where}: ${subject}${message}. ${remedy}`.trimEnd();
}

export type Path = readonly PropertyKey[];

/** `models[2].upstream` */
export function pathText(path: Path): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
}
