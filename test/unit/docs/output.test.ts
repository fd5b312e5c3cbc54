/** The check that a generated file on disk is up to date. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { errorsOutput } from '../../../docs/generate/errors.ts';
import { isFresh, publish } from '../../../docs/generate/output.ts';

describe('the check of generated files', () => {
  afterEach(() => {
    process.exitCode = undefined;
    vi.restoreAllMocks();
  });

  it('reports a changed file by name and exit code, and does not write it', () => {
    const lines = vi.spyOn(console, 'log').mockImplementation(() => {});
    const stale = { ...errorsOutput(), text: `${errorsOutput().text}one more line\n` };
    publish(stale, true);
    expect(process.exitCode).toBe(1);
    expect(lines.mock.calls).toEqual([['docs/generated/errors.md is stale: run `npm run generate`']]);
    expect(isFresh(stale)).toBe(false);
  });

  it('counts a missing file as stale', () => {
    expect(isFresh({ path: 'no-such-file.md', text: '' })).toBe(false);
  });
});
