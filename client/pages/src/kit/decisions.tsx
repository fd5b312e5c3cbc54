/** Dialogs that require a decision: to store a secret that is shown once, and to confirm an irreversible action. */
import { type ReactNode, useState } from 'react';
import type { Failure } from '../data/failure.ts';
import { kit } from '../texts/kit.ts';
import { Button } from './button.tsx';
import { Copy } from './copy.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import { Form, TextField } from './form.tsx';
import { Icon } from './icon.tsx';

export interface SecretDialogProps {
  readonly title: string;
  /** Held only by the component that opened this dialog, which forgets it in `onStored`. */
  readonly secret: string;
  /** Name of the secret, for the copy button: `the key`. */
  readonly what: string;
  readonly onStored: () => void;
  readonly children?: ReactNode;
}

/** Closes only when the user confirms that the key is stored. */
export function SecretDialog({ title, secret, what, onStored, children }: SecretDialogProps) {
  return (
    <Dialog title={title} onClose={onStored} isBinding>
      <p className="row notice warn">
        <Icon name="warning" />
        {kit.secretShownOnce}
      </p>
      <div className="row secret">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls can be scrolled by keys. */}
        <code tabIndex={0}>{secret}</code>
        <Copy text={secret} what={what} isWide />
      </div>
      {children}
      <DialogActions>
        <Button kind="primary" onClick={onStored}>
          {kit.secretStored}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

export interface DangerDialogProps {
  readonly title: string;
  /** Name of the object to delete, which the user must type. */
  readonly name: string;
  /** The button's label: `Revoke`. */
  readonly action: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly isBusy: boolean;
  readonly failure: Failure | null;
  /** The consequence, with numbers if known. */
  readonly children: ReactNode;
}

export function DangerDialog({ title, name, action, onConfirm, onClose, isBusy, failure, children }: DangerDialogProps) {
  const [typed, setTyped] = useState('');
  const isSame = typed === name;
  return (
    <Dialog title={title} onClose={onClose}>
      <Form failure={failure} onSubmit={() => isSame && !isBusy && onConfirm()}>
        {children}
        <TextField label={kit.typeName(name)} name="confirmation" isRequired value={typed} onChange={setTyped} />
        <DialogActions>
          <Button data-focus-first="" onClick={onClose}>
            {kit.cancel}
          </Button>
          <Button type="submit" kind="danger" isBusy={isBusy} refusal={isSame ? undefined : kit.typeName(name)}>
            {action}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
