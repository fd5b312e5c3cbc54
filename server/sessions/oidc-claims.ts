/** What the claims of an ID token say about an operator: who he is, and the highest role of his groups. */
import { type AdminRole, adminRoleNames } from '../../contract/admin-roles.ts';

export type Claims = Readonly<Record<string, unknown>>;

export interface RoleRules {
  readonly claim: string;
  readonly map: Readonly<Record<string, AdminRole>>;
}

const MOST_GROUPS = 10_000;

/** Undefined where no group of the person is in the map. */
export function roleOf(claims: Claims, { claim, map }: RoleRules): AdminRole | undefined {
  const found = claimOf(claims, claim);
  const groups = (Array.isArray(found) ? found.slice(0, MOST_GROUPS) : [found]).filter((group) => typeof group === 'string');
  // Own names only: a group called `constructor` is in no map.
  const roles = groups.flatMap((group) => (Object.hasOwn(map, group) ? [map[group]] : []));
  return adminRoleNames.findLast((role) => roles.includes(role));
}

/** By the whole name first: some providers put addresses with dots before their claims. */
function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name
    .split('.')
    .reduce<unknown>((value, part) => (isFields(value) && Object.hasOwn(value, part) ? value[part] : undefined), claims);
}

const isFields = (value: unknown): value is Claims => typeof value === 'object' && value !== null && !Array.isArray(value);

/** OpenID Connect Core 2: at most 255 ASCII characters. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;
const LONGEST_NAME = 100;

/** Undefined where the subject is none that can be kept. */
export function subjectOf({ sub }: Claims): string | undefined {
  return typeof sub === 'string' && SUBJECT.test(sub) ? sub : undefined;
}

/** For people: the first that the provider tells, on one line. */
export function nameOf(claims: Claims): string {
  const told = [claims.name, claims.preferred_username, claims.email, claims.sub].find(
    (one) => typeof one === 'string' && one.trim() !== '',
  );
  return String(told)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, LONGEST_NAME);
}
