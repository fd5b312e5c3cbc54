/** Buttons, menus, tooltips, toasts, and dialogs on the kit page. */
import { useState } from 'react';
import { Failure } from '../data/failure.ts';
import { Button, ButtonLink, IconButton } from '../kit/button.tsx';
import { Copy } from '../kit/copy.tsx';
import { DangerDialog, SecretDialog } from '../kit/decisions.tsx';
import { Dialog, DialogActions } from '../kit/dialog.tsx';
import { Menu } from '../kit/menu.tsx';
import { showToast } from '../kit/toast.tsx';

type OpenDialog = 'dialog' | 'secret' | 'danger' | null;

const failure = new Failure({
  status: 409,
  code: 'conflict',
  message: 'The key is already revoked.',
  param: null,
  requestId: 'req_1aff03c2',
  retryAfterSeconds: null,
});

export function Actions() {
  const [open, setOpen] = useState<OpenDialog>(null);
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
          Revoke key…
        </Button>
        <Button refusal="Requires the admin role">Not allowed</Button>
        <Button isBusy>Busy</Button>
        <Button onClick={() => showToast('Changes saved')}>Toast</Button>
        <IconButton label="Settings" icon="settings" />
        <Copy text="req_1aff03c2" what="request ID" />
        <Copy text="req_1aff03c2" what="ID" isWide />
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
          <p>The focus stays inside the dialog. Escape closes it, and the focus returns to the button.</p>
          <DialogActions>
            <Button onClick={close}>Cancel</Button>
            <Button kind="primary" onClick={close}>
              Save
            </Button>
          </DialogActions>
        </Dialog>
      )}
      {open === 'secret' && (
        <SecretDialog title="Key created" secret="mg-0aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1bC3dE5fG7hI9jK2" what="key" onStored={close} />
      )}
      {open === 'danger' && (
        <DangerDialog
          title="Revoke key ci"
          name="ci"
          action="Revoke key"
          isBusy={false}
          failure={failure}
          onClose={close}
          onConfirm={close}
        >
          <p>This key made 12 calls in the last hour. Calls with it will be rejected within 2 seconds.</p>
        </DangerDialog>
      )}
    </section>
  );
}
