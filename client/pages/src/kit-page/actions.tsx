/** Buttons, menus, tooltips, toasts and dialogs of the kit page. */
import { useState } from 'react';
import { Failure } from '../data/failure.ts';
import { Button, ButtonLink, IconButton } from '../kit/button.tsx';
import { Copy } from '../kit/copy.tsx';
import { DangerDialog, SecretDialog } from '../kit/decisions.tsx';
import { Dialog, DialogActions } from '../kit/dialog.tsx';
import { Menu } from '../kit/menu.tsx';
import { showToast } from '../kit/toast.tsx';

type Open = 'dialog' | 'secret' | 'danger' | null;

const failure = new Failure({
  status: 409,
  code: 'conflict',
  message: 'The key was revoked a moment ago.',
  param: null,
  requestId: 'req_1aff03c2',
  retryAfterSeconds: null,
});

export function Actions() {
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  return (
    <section className="card stack" aria-label="Actions">
      <h2>Buttons, menus, dialogs</h2>
      <div className="row">
        <Button kind="primary" icon="plus" onClick={() => setOpen('dialog')}>
          Open a dialog
        </Button>
        <Button onClick={() => setOpen('secret')}>Show a secret</Button>
        <Button kind="danger" onClick={() => setOpen('danger')}>
          Revoke…
        </Button>
        <Button refusal="Needs the role admin">Rejected</Button>
        <Button isBusy>Busy</Button>
        <Button onClick={() => showToast('The change was saved')}>Toast</Button>
        <IconButton label="Settings" icon="settings" />
        <Copy text="req_1aff03c2" what="the request id" />
        <Copy text="req_1aff03c2" what="the whole id" isWide />
        <ButtonLink href="/tables" icon="right">
          A link
        </ButtonLink>
        <Menu
          label="More actions"
          choices={[
            { label: 'Rotate', onChoose: () => showToast('Rotated') },
            { label: 'Edit', onChoose: () => showToast('Edited') },
            { label: 'Copy link', icon: 'copy', onChoose: () => undefined },
          ]}
        />
      </div>
      {open === 'dialog' && (
        <Dialog title="A dialog" onClose={close}>
          <p>Its focus stays inside, Escape closes it, and the focus goes back to the button.</p>
          <DialogActions>
            <Button onClick={close}>Cancel</Button>
            <Button kind="primary" onClick={close}>
              Save
            </Button>
          </DialogActions>
        </Dialog>
      )}
      {open === 'secret' && (
        <SecretDialog
          title="The key was made"
          secret="mg-0aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1bC3dE5fG7hI9jK2"
          what="the key"
          onStored={close}
        />
      )}
      {open === 'danger' && (
        <DangerDialog title="Revoke ci" name="ci" action="Revoke" isBusy={false} failure={failure} onClose={close} onConfirm={close}>
          <p>12 calls came with this key in the last hour; every further one is rejected.</p>
        </DangerDialog>
      )}
    </section>
  );
}
