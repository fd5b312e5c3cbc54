/** The dialog that edits a model or upstream in the configuration file: its YAML, what a reload would change, and the reload. */
import { useEffect, useState } from 'react';
import type { ConfigText } from '../../../../../contract/admin/configuration.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog, DialogActions } from '../../kit/dialog.tsx';
import { Field, Form } from '../../kit/form.tsx';
import { SameAs } from '../../kit/same-as.tsx';
import { Failed, Loaded } from '../../kit/states.tsx';
import { showToast } from '../../kit/toast.tsx';
import { configText as words } from '../../texts/config-text.ts';
import { kit } from '../../texts/kit.ts';
import { useChange, useRead } from '../api.ts';
import { useRefusal } from '../reads/role.ts';
import { CheckResult } from './check-result.tsx';

export interface EditConfigProps {
  readonly section: ConfigText['section'];
  readonly name: string;
  /** For a new model: the upstream that serves it. */
  readonly upstream?: string | undefined;
  /** For a new upstream: its kind. */
  readonly kind?: string | undefined;
  readonly onClose: () => void;
  /** Called after the entry was removed, because its page may no longer exist. */
  readonly onRemove?: () => void;
}
export function EditConfig({ section, name, upstream, kind, ...events }: EditConfigProps) {
  const { onClose } = events;
  const query = { section, name, ...(upstream !== undefined && { upstream }), ...(kind !== undefined && { kind }) };
  const read = useRead('getConfigText', { query });
  return (
    <Dialog title={words.editTitle(section, name, read.data?.exists === false)} onClose={onClose} isWide>
      <Loaded of={read} rows={6}>
        {(entry) => <Editor key={`${entry.section} ${entry.name}`} entry={entry} {...events} />}
      </Loaded>
    </Dialog>
  );
}

const changedReads = [
  ...(['getConfigText', 'getConfig', 'listModels', 'listPrices', 'listGroups', 'listUpstreams', 'getOverview', 'listAudit'] as const),
];
/** Milliseconds of pause in typing after which the text is checked. */
const CHECK_AFTER_MS = 500;

type EditorProps = Pick<EditConfigProps, 'onClose' | 'onRemove'> & { readonly entry: ConfigText };
function Editor({ entry, onClose, onRemove }: EditorProps) {
  const { section, name, digest, exists } = entry;
  const [text, setText] = useState(entry.text);
  const [isRemoving, setRemoving] = useState(false);
  const isUnchanged = exists && !isRemoving && text === entry.text;
  const body = { section, name, text: isRemoving ? null : text, ...(digest !== null && { digest }) };
  const lacking = useRefusal('admin');
  const refusal = lacking ?? entry.refusal ?? undefined;
  const check = useCheck(body, refusal === undefined && !isUnchanged);
  const { mutateAsync, isPending, error } = useChange('editConfigText', changedReads);
  const save = async () => {
    await mutateAsync({ body });
    showToast(isRemoving ? words.removed(name) : words.saved(name));
    onClose();
    if (isRemoving) onRemove?.();
  };
  const problem = findProblem(check.data);
  return (
    <Form failure={error} onSubmit={() => void save().catch(() => undefined)}>
      {refusal !== undefined && <p className="notice warn">{`${words.notEditable}. ${refusal}`}</p>}
      {isRemoving ? <p>{words.removeLead(name)}</p> : <Text value={text} isReadOnly={refusal !== undefined} onChange={setText} />}
      <div role="status" className="stack">
        {isUnchanged && refusal === undefined && <p className="soft">{words.unchanged}</p>}
        {!isUnchanged && check.data && <CheckResult of={check.data} />}
        {check.isPending && <p className="soft small">{words.checking}</p>}
      </div>
      {check.error && <Failed failure={check.error} title={words.notChecked} />}
      <SameAs method="PUT" path="/admin/v1/config/text" body={body} />
      <DialogActions>
        {exists && !isRemoving && (
          <Button kind="danger" refusal={refusal} onClick={() => setRemoving(true)}>
            {words.remove(section)}
          </Button>
        )}
        <Button onClick={isRemoving ? () => setRemoving(false) : onClose}>{isRemoving ? words.keep : kit.cancel}</Button>
        <Button
          type="submit"
          kind={isRemoving ? 'danger' : 'primary'}
          isBusy={isPending}
          refusal={refusal ?? (isUnchanged ? words.unchanged : (problem ?? (check.data ? undefined : words.checking)))}
        >
          {isRemoving ? words.remove(section) : words.save}
        </Button>
      </DialogActions>
    </Form>
  );
}

type Edit = Parameters<ReturnType<typeof useChange<'editConfigText'>>['mutate']>[0]['body'];

/** Checks an edit after each pause in typing. */
function useCheck(body: Edit, isNeeded: boolean) {
  const check = useChange('editConfigText');
  const { mutate, reset } = check;
  const wanted = isNeeded ? JSON.stringify({ ...body, dry_run: true }) : null;
  useEffect(() => {
    reset();
    if (wanted === null) return;
    const timer = setTimeout(() => mutate({ body: JSON.parse(wanted) }), CHECK_AFTER_MS);
    return () => clearTimeout(timer);
  }, [wanted, mutate, reset]);
  return check;
}

type Check = NonNullable<ReturnType<typeof useCheck>['data']>;

/** Why the edit can't be saved. */
function findProblem(check: Check | undefined): string | undefined {
  const [problem] = check?.problems ?? [];
  if (problem) return `${problem.key} ${problem.message}`;
  return check && check.needs_restart.length > 0 ? kit.notSaved : undefined;
}

interface TextProps {
  readonly value: string;
  readonly isReadOnly: boolean;
  readonly onChange: (value: string) => void;
}
const Text = ({ value, isReadOnly, onChange }: TextProps) => (
  <Field label={words.text} name="text" hint={words.textHint}>
    {({ id, describedBy }) => (
      <textarea
        id={id}
        name="text"
        className="input mono"
        rows={Math.min(Math.max(value.split('\n').length + 1, 8), 20)}
        spellCheck={false}
        readOnly={isReadOnly}
        aria-describedby={describedBy}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </Field>
);
