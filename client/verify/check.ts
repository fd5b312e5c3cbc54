/** Defines a check, and the API areas that `--only` can select. */
import type { VerifyClient } from './target.ts';

export type Group = 'operations' | 'streams' | 'errors' | 'limits' | 'tools' | 'state';

/** Areas that can be checked separately with `--only`, by the start of the path. */
export const areas = ['models', 'chat', 'responses', 'images', 'usage', 'catalog'] as const;
export type Area = (typeof areas)[number];

/** Paths outside `/usage` that also belong to the area `usage`. */
const ACCOUNT_PATH = /^\/(?:account|key)\b/;
export const findArea = (path: string): Area | null =>
  ACCOUNT_PATH.test(path) ? 'usage' : (areas.find((area) => path.replace('/..', '').startsWith(`/${area}`)) ?? null);

export interface Check {
  readonly group: Group;
  /** Area that the check calls. Null if it calls no operation. */
  readonly area: Area | null;
  /** Describes what a correct deployment does. */
  readonly name: string;
  readonly run: (caller: VerifyClient) => Promise<void>;
}
