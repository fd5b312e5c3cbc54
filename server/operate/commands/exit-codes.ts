/** The exit codes of `modelgate`. */

export const exitCodes = { done: 0, failed: 1, misused: 2 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const EXIT_CODE_HELP = `
Exit codes:
  0  done
  1  failed; the reason is on stderr
  2  invalid command or option`;
