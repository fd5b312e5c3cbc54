/** The console: shows the frame and its pages after sign-in, otherwise the sign-in page. */
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { clearSession } from '../data/queries.ts';
import { takeSetupToken, takeSignOnOutcome, useSession } from '../data/session.ts';
import { useSettled } from '../data/settled.ts';
import { Frame } from '../kit/frame.tsx';
import { type PageDefinition, sortPages } from '../kit/pages.ts';
import { SearchBox } from '../kit/search-box.tsx';
import { Loaded } from '../kit/states.tsx';
import { consoleTexts } from '../texts/console.ts';
import { kit } from '../texts/kit.ts';
import { call, useChange, useRead } from './api.ts';
import { toHits, toSearchQuery } from './hits.ts';
import { OperatorSignIn } from './sign-in.tsx';

/** Each folder of pages/ has a page.tsx. */
const pages = sortPages(import.meta.glob<PageDefinition>('./pages/*/page.tsx', { eager: true, import: 'page' }));

/** Read when the bundle starts, because reading it removes it from the URL. */
const setupToken = takeSetupToken();
const outcome = takeSignOnOutcome();

export function Console() {
  const session = useSession((signal) => call('getSession', {}, signal));
  // After a sign-out, the session is null. The single sign-on button must stay.
  const label = useRef<string | null>(null);
  if (session.data) label.current = session.data.sign_in.oidc;
  if (session.data?.actor) return <SignedIn name={session.data.name ?? session.data.actor} />;
  const isSignedIn = async () => (await session.refetch()).data?.actor != null;
  if (session.data !== undefined)
    return <OperatorSignIn setupToken={setupToken} signOnLabel={label.current} outcome={outcome} onSignedIn={isSignedIn} />;
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
  return <Frame pages={pages} subtitle={consoleTexts.subtitle} who={name} onSignOut={signOut} search={<Search />} />;
}

/** Minimum number of characters to search. */
const SHORTEST = 3;

function Search() {
  const [typed, setTyped] = useState('');
  const [, navigate] = useLocation();
  const settled = useSettled(typed);
  const query = toSearchQuery(settled);
  const { q } = query;
  const isLong = q.length >= SHORTEST;
  const found = useRead('search', { query: { q } }, { isEnabled: isLong });
  const hits = isLong ? toHits(found.data?.data ?? [], query) : [];
  const nothing = query.isLastFour ? consoleTexts.noKeyEndsIn(q) : kit.noResults;
  return (
    <SearchBox
      hits={hits}
      isSettled={settled === typed && !found.isFetching}
      emptyText={found.error ? kit.failed : nothing}
      onType={setTyped}
      onTake={(value) => navigate(hits.find((hit) => hit.value === value)?.path ?? '/')}
    />
  );
}
