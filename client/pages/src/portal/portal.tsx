/** The portal: shows the frame and its pages after sign-in with a key, otherwise the sign-in page. */
import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { clearSession } from '../data/queries.ts';
import { takeSetupToken, useSession } from '../data/session.ts';
import { Frame } from '../kit/frame.tsx';
import { type PageDefinition, sortPages } from '../kit/pages.ts';
import { Loaded } from '../kit/states.tsx';
import { portalTexts } from '../texts/portal.ts';
import { call, useChange } from './api.ts';
import { page as catalog } from './pages/catalog/page.tsx';
import { PortalSignIn } from './sign-in.tsx';

/** Each folder of pages/ has a page.tsx. */
const pages = sortPages(import.meta.glob<PageDefinition>('./pages/*/page.tsx', { eager: true, import: 'page' }));

/** Read when the bundle starts, because reading it removes it from the URL. */
const setupToken = takeSetupToken();

export function Portal() {
  const [location] = useLocation();
  // With a setup link, signs in before it reads the session, because the rejected read would appear in the browser console.
  const session = useSession((signal) => call('getSession', {}, signal), setupToken === null);
  if (session.data) return <SignedIn name={session.data.key.name} />;
  if (session.data === null && location === catalog.path)
    return <Frame pages={[catalog]} subtitle={portalTexts.subtitle} who={null} onSignOut={() => {}} />;
  const isSignedIn = async () => Boolean((await session.refetch()).data);
  if (session.data === null || (setupToken !== null && !session.error))
    return <PortalSignIn setupToken={setupToken} onSignedIn={isSignedIn} />;
  return (
    <Loaded of={session} rows={0}>
      {() => null}
    </Loaded>
  );
}

function SignedIn({ name }: { readonly name: string }) {
  const client = useQueryClient();
  const { mutate } = useChange('endSession');
  const signOut = () => mutate({}, { onSettled: () => clearSession(client) });
  return <Frame pages={pages} subtitle={portalTexts.subtitle} who={name} onSignOut={signOut} />;
}
