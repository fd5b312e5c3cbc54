/** Sets up single sign-on of operators: the operators' API, an identity provider, and a browser that follows redirects and keeps cookies. */
import { type IdentityProvider, openIdentityProvider } from '../fakes/identity-provider.ts';
import { governed, startAdmin, type TestAdmin } from './admin.ts';
import { freePort } from './free-port.ts';

const client = { clientId: 'modelgate', clientSecret: 'a-secret/of+signs?~%' };
export const CALLBACK = '/console/sign-in/oidc/callback';

export interface SignOnStage {
  readonly admin: TestAdmin;
  readonly provider: IdentityProvider;
  close(): Promise<void>;
}

/** `oidc`: further settings of single sign-on. */
export async function openSignOn(oidc: object = {}): Promise<SignOnStage> {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const provider = await openIdentityProvider({ ...client, redirectUri: publicUrl + CALLBACK });
  const roles = { claim: 'groups', map: { operators: 'admin', finance: 'billing', everybody: 'viewer' } };
  const settings = { issuer: provider.issuer, ...client, roles, label: 'Example Login', ...oidc };
  const admin = await startAdmin({ ...governed, admin: { port, publicUrl, oidc: settings } });
  const close = async () => {
    await admin.close();
    await provider.close();
  };
  return { admin, provider, close };
}

export interface Step {
  readonly status: number;
  /** Target of the redirect; empty without one. */
  readonly location: string;
  readonly setCookies: readonly string[];
}

/** A browser that keeps cookies by name and follows redirects one step at a time. */
export class Browser {
  readonly cookies = new Map<string, string>();

  async visit(url: string, headers: Record<string, string> = {}): Promise<Step> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { redirect: 'manual', headers: { ...headers, ...(cookie !== '' && { cookie }) } });
    await answer.body?.cancel();
    const setCookies = answer.headers.getSetCookie();
    for (const set of setCookies) this.#keep(set);
    return { status: answer.status, location: answer.headers.get('location') ?? '', setCookies };
  }

  #keep(set: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
    if (value === '') this.cookies.delete(name);
    else this.cookies.set(name, value);
  }

  /** Goes from the sign-in button to the provider. Returns the URL of the callback. */
  async begin({ admin }: SignOnStage): Promise<string> {
    const { location } = await this.visit(`${admin.origin}/console/sign-in/oidc`);
    // The provider is another site, so it gets none of these cookies.
    const answer = await fetch(location, { redirect: 'manual' });
    if (answer.status !== 302) throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`);
    return answer.headers.get('location') ?? '';
  }

  /** Runs the whole flow. Returns the answer to the callback. */
  async signIn(stage: SignOnStage): Promise<Step> {
    return this.visit(await this.begin(stage));
  }

  /** Reads the session, as the console does. */
  async ask({ admin }: SignOnStage, path: string): Promise<{ readonly status: number; readonly body: ReturnType<typeof JSON.parse> }> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(`${admin.origin}/admin/v1${path}`, { headers: { cookie } });
    return { status: answer.status, body: await answer.json() };
  }
}
