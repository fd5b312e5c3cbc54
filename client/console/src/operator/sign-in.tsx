/** The sign-in of operators: by an admin key, or by the link of the first start. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { SESSION_KEY } from '../data/queries.ts';
import { SignIn } from '../kit/sign-in.tsx';
import { Loading } from '../kit/states.tsx';
import { signIn } from '../texts/sign-in.ts';
import { useChange } from './api.ts';

/** `setupToken`: of the address; it works once. */
export function OperatorSignIn({ setupToken }: { readonly setupToken: string | null }) {
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
      onSubmit={(key) => mutate({ body: { admin_key: key } }, { onSuccess })}
    />
  );
}
