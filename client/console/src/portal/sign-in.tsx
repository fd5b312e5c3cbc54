/** The sign-in of key holders: by the key itself, or by the link of the first start. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { SESSION_KEY } from '../data/queries.ts';
import { SignIn } from '../kit/sign-in.tsx';
import { Loading } from '../kit/states.tsx';
import { signIn } from '../texts/sign-in.ts';
import { useChange } from './api.ts';

/** `setupToken`: of the address; it works once. */
export function PortalSignIn({ setupToken }: { readonly setupToken: string | null }) {
  const client = useQueryClient();
  const { mutate, isPending, error } = useChange('createSession');
  const [isCookieMissing, setCookieMissing] = useState(false);
  const isTried = useRef(false);
  const onSuccess = async () => {
    await client.refetchQueries({ queryKey: SESSION_KEY, exact: true });
    setCookieMissing(client.getQueryData(SESSION_KEY) === null);
  };
  useEffect(() => {
    if (setupToken === null || isTried.current) return;
    isTried.current = true;
    mutate({ body: { setup_token: setupToken } }, { onSuccess });
  });
  const { title, label, hint, setup } = signIn.portal;
  if (setupToken !== null && isPending) return <main aria-label={setup}>{<Loading rows={1} />}</main>;
  return (
    <SignIn
      title={title}
      label={label}
      name="key"
      hint={
        <>
          {hint} <Link href="/models">{signIn.portal.catalog}</Link>
        </>
      }
      isBusy={isPending}
      failure={error}
      isCookieMissing={isCookieMissing}
      onSubmit={(key) => mutate({ body: { key } }, { onSuccess })}
    />
  );
}
