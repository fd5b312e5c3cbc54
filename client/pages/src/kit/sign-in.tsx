/** The sign-in page: one field for a key. Only the resulting session is stored. */
import { type ReactNode, useState } from 'react';
import type { Failure } from '../data/failure.ts';
import { kit } from '../texts/kit.ts';
import { signIn } from '../texts/sign-in.ts';
import { Button } from './button.tsx';
import { Field, Form } from './form.tsx';
import { Icon } from './icon.tsx';
import { Mark } from './mark.tsx';

export interface SignInProps {
  readonly title: string;
  /** Label of the field: `Admin key`. */
  readonly label: string;
  /** Field name in the body. */
  readonly name: string;
  /** Where to get a key. */
  readonly hint: ReactNode;
  readonly onSubmit: (key: string) => void;
  readonly isBusy: boolean;
  readonly failure: Failure | null;
  /** Whether the sign-in succeeded, but the browser sent no cookie afterwards. */
  readonly isCookieMissing: boolean;
  /** Another way to sign in, above the field. */
  readonly otherWay?: ReactNode;
}

export function SignIn({ title, label, name, hint, onSubmit, isBusy, failure, isCookieMissing, otherWay }: SignInProps) {
  const [key, setKey] = useState('');
  const submit = () => {
    onSubmit(key.trim());
    setKey('');
  };
  return (
    <main className="sign-in">
      <div className="card stack wide">
        <p className="brand">
          <Mark />
          <strong>{kit.product}</strong>
        </p>
        <h1>{title}</h1>
        {(isCookieMissing || !isSecureContext) && (
          <p className="row notice warn" role="alert">
            <Icon name="warning" />
            {signIn.insecure}
          </p>
        )}
        {otherWay}
        <Form onSubmit={submit} failure={failure} failureTitle={null}>
          <Field label={label} name={name} hint={hint}>
            {({ id, describedBy, isInvalid }) => (
              <input
                id={id}
                name={name}
                className="input mono"
                type="password"
                required
                // biome-ignore lint/a11y/noAutofocus: the page has this one field.
                autoFocus
                maxLength={200}
                autoComplete="current-password"
                aria-describedby={describedBy}
                aria-invalid={isInvalid || undefined}
                value={key}
                onChange={({ target }) => setKey(target.value)}
              />
            )}
          </Field>
          <Button type="submit" kind="primary" isBusy={isBusy}>
            {signIn.submit}
          </Button>
        </Form>
      </div>
    </main>
  );
}
