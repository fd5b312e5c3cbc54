/** The sign-in of key owners: by key, or by setup link. */
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { SignIn } from '../kit/sign-in.tsx';
import { Loading } from '../kit/states.tsx';
import { signIn } from '../texts/sign-in.ts';
import { useChange } from './api.ts';

export interface PortalSignInProps {
  /** The token in the URL, which works once. */
  readonly setupToken: string | null;
  /** Reads the session again, and returns whether a user is signed in. */
  readonly onSignedIn: () => Promise<boolean>;
}

export function PortalSignIn({ setupToken, onSignedIn }: PortalSignInProps) {
  const { mutate, isPending, error } = useChange('createSession');
  const [isCookieMissing, setCookieMissing] = useState(false);
  const isTried = useRef(false);
  const onSuccess = async () => {
    setCookieMissing(!(await onSignedIn()));
  };
  useEffect(() => {
    if (setupToken === null || isTried.current) return;
    isTried.current = true;
    mutate({ body: { setup_token: setupToken } }, { onSuccess, onError: onSignedIn });
  });
  const { title, label, hint, setup } = signIn.portal;
  if (setupToken !== null && (isPending || (!error && !isCookieMissing))) return <main aria-label={setup}>{<Loading rows={1} />}</main>;
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
