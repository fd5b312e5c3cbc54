/** The check that a generated file on disk is what its generator makes now. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { errorsOutput } from '../../../docs/errors.ts';
import { isFresh, publish } from '../../../docs/output.ts';

describe('a developer who checks the generated files', () => {
  afterEach(() => {
    process.exitCode = undefined;
    vi.restoreAllMocks();
  });

  it('is told that a changed file is stale, by the exit code and by name, and the file is left alone', () => {
    const lines = vi.spyOn(console, 'log').mockImplementation(() => {});
    const stale = { ...errorsOutput(), text: `${errorsOutput().text}one more line\n` };
    publish(stale, true);
    expect(process.exitCode).toBe(1);
    expect(lines.mock.calls).toEqual([['docs/errors.md is stale: run `node docs/generate.ts`']]);
    expect(isFresh(stale)).toBe(false);
  });

  it('is told that a file that was never made is stale', () => {
    expect(isFresh({ path: 'no-such-file.md', text: '' })).toBe(false);
  });
});
