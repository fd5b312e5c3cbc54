/** The sign-in of operators: by single sign-on where it is configured, by an admin key, or by the link of the first start. */
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../kit/icon.tsx';
import { SignIn } from '../kit/sign-in.tsx';
import { Loading } from '../kit/states.tsx';
import { signIn } from '../texts/sign-in.ts';
import { useChange } from './api.ts';

export interface OperatorSignInProps {
  /** Of the address; it works once. */
  readonly setupToken: string | null;
  /** What the button of single sign-on says; null where there is none. */
  readonly signOnLabel: string | null;
  /** Why a single sign-on ended here. */
  readonly outcome: string | null;
  /** Asks again who is signed in; whether somebody is. */
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

/** A link and no script: the browser goes to the identity provider, and comes back to the console. */
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
