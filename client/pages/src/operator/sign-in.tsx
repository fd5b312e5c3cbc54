/** The sign-in of operators: by single sign-on if configured, by an admin key, or by the setup link. */
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../kit/icon.tsx';
import { SignIn } from '../kit/sign-in.tsx';
import { Loading } from '../kit/states.tsx';
import { signIn } from '../texts/sign-in.ts';
import { useChange } from './api.ts';

export interface OperatorSignInProps {
  /** The token in the URL, which works once. */
  readonly setupToken: string | null;
  /** Label of the single sign-on button. Null without single sign-on. */
  readonly signOnLabel: string | null;
  /** Why single sign-on failed. */
  readonly outcome: string | null;
  /** Reads the session again, and returns whether a user is signed in. */
  readonly onSignedIn: () => Promise<boolean>;
}

export function OperatorSignIn({ setupToken, signOnLabel, outcome, onSignedIn }: OperatorSignInProps) {
  const { mutate, isPending, error } = useChange('createSession');
  const [isCookieMissing, setCookieMissing] = useState(false);
  const isTried = useRef(false);
  const onSuccess = async () => {
    setCookieMissing(!(await onSignedIn()));
  };
  useEffect(() => {
    if (setupToken === null || isTried.current) return;
    isTried.current = true;
    mutate({ body: { setup_token: setupToken } }, { onSuccess });
  });
  const { title, label, hint, setup } = signIn.operator;
  if (setupToken !== null && isPending) return <main aria-label={setup}>{<Loading rows={1} />}</main>;
  return (
    <SignIn
      title={title}
      label={label}
      name="admin_key"
      hint={hint}
      isBusy={isPending}
      failure={error}
      isCookieMissing={isCookieMissing}
      otherWay={<SignOn label={signOnLabel} outcome={outcome} />}
      onSubmit={(key) => mutate({ body: { admin_key: key } }, { onSuccess })}
    />
  );
}

/** A plain link: the browser goes to the identity provider, and returns to the console. */
function SignOn({ label, outcome }: { readonly label: string | null; readonly outcome: string | null }) {
  const { outcomes, signOn, or } = signIn.operator;
  const told = Object.entries(outcomes).find(([name]) => name === outcome)?.[1];
  return (
    <>
      {told && (
        <p className="row notice warn" role="alert">
          <Icon name="warning" />
          {told}
        </p>
      )}
      {label !== null && (
        <>
          <a className="button primary" href="/console/sign-in/oidc">
            {signOn(label)}
          </a>
          <p className="soft">{or}</p>
        </>
      )}
    </>
  );
}
