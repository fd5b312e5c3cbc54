/** Imitates the cookies and headers of a browser at the console or the portal. */
import type { TestAdmin } from './admin.ts';

/** Headers that a page of the same origin sends with a change. */
export const pageHeaders = {
  'content-type': 'application/json',
  'x-modelgate-console': '1',
  'sec-fetch-site': 'same-origin',
} as const;

/** The cookie of an answer, as a `cookie` header value. */
export function cookieOf(answer: Response): string {
  const [set = ''] = answer.headers.getSetCookie();
  return set.split(';', 1)[0] ?? '';
}

/** Signs in at the console with an admin key and returns the cookie. */
export async function signIn({ origin, key }: Pick<TestAdmin, 'origin' | 'key'>): Promise<string> {
  const answer = await fetch(`${origin}/admin/v1/session`, {
    method: 'POST',
    headers: pageHeaders,
    body: JSON.stringify({ admin_key: key }),
  });
  if (answer.status !== 200) throw new Error(`The sign-in was answered with ${answer.status}: ${await answer.text()}`);
  return cookieOf(answer);
}

/** Signs in at the portal with a key and returns the cookie. */
export async function signInAtPortal({ origin }: { readonly origin: string }, key: string): Promise<string> {
  const response = await fetch(`${origin}/portal/v1/session`, { method: 'POST', headers: pageHeaders, body: JSON.stringify({ key }) });
  if (response.status !== 200) throw new Error(`The sign-in returned ${response.status}: ${await response.text()}`);
  return cookieOf(response);
}
