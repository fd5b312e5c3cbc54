/** Reads the role, the subject, and the display name of a person from the claims of an ID token. */
import { type AdminRole, adminRoleNames } from '../../../contract/admin/roles.ts';

export type Claims = Readonly<Record<string, unknown>>;

const MAX_GROUPS = 10_000;

/** Undefined if the map has none of the person's groups. */
export function findRole(
  claims: Claims,
  { claim, map }: { claim: string; map: Readonly<Record<string, AdminRole>> },
): AdminRole | undefined {
  const claimValue = getClaim(claims, claim);
  const groups = (Array.isArray(claimValue) ? claimValue.slice(0, MAX_GROUPS) : [claimValue]).filter((group) => typeof group === 'string');
  // Own properties only, so that a group named `constructor` doesn't match.
  const roles = groups.flatMap((group) => (Object.hasOwn(map, group) ? [map[group]] : []));
  return adminRoleNames.findLast((role) => roles.includes(role));
}

/** Tries the complete name first: some providers' claim names are URLs with dots. */
function getClaim(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name
    .split('.')
    .reduce<unknown>((value, part) => (isFields(value) && Object.hasOwn(value, part) ? value[part] : undefined), claims);
}

const isFields = (value: unknown): value is Claims => typeof value === 'object' && value !== null && !Array.isArray(value);

/** OpenID Connect Core 2: at most 255 ASCII characters. */
const SUBJECT_PATTERN = /^[\x20-\x7e]{1,255}$/;

const MAX_NAME_LENGTH = 100;

/** Undefined if the subject is missing or can't be stored. */
export function findSubject({ sub }: Claims): string | undefined {
  return typeof sub === 'string' && SUBJECT_PATTERN.test(sub) ? sub : undefined;
}

/** Returns a name for people: the first of these claims that the provider sends, on one line. */
export function getDisplayName(claims: Claims): string {
  const displayName = [claims.name, claims.preferred_username, claims.email, claims.sub].find(
    (one) => typeof one === 'string' && one.trim() !== '',
  );
  return String(displayName)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME_LENGTH);
}
