/** The first step of adding a model or upstream: asks for its name and its upstream or provider. Then shows its configuration, with known values filled in. */
import { useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { Dialog, DialogActions } from '../../kit/dialog.tsx';
import { Form, SelectField, TextField } from '../../kit/form.tsx';
import { configText as words } from '../../texts/config-text.ts';
import { kit } from '../../texts/kit.ts';
import { useRead } from '../api.ts';
import { EditConfig, type EditConfigProps } from './edit-config.tsx';

interface AddConfigProps {
  readonly section: EditConfigProps['section'];
  readonly onClose: () => void;
}
export function AddConfig({ section, onClose }: AddConfigProps) {
  const upstreams = useRead('listUpstreams').data?.data.map(({ name }) => name) ?? [];
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState('');
  const [isNamed, setNamed] = useState(false);
  const isModel = section === 'models';
  const options = isModel ? upstreams.map((value) => ({ value, label: value })) : kinds;
  const choice = chosen || options[0]?.value;
  if (isNamed)
    return <EditConfig section={section} name={name.trim()} {...{ [isModel ? 'upstream' : 'kind']: choice }} onClose={onClose} />;
  return (
    <Dialog title={words.add[section]} onClose={onClose}>
      <Form failure={null} onSubmit={() => setNamed(true)}>
        <TextField
          label={isModel ? words.modelId : words.upstreamName}
          name="name"
          hint={isModel ? words.modelIdHint : words.upstreamNameHint}
          isRequired
          value={name}
          onChange={setName}
        />
        <SelectField
          label={isModel ? words.upstream : words.kind}
          name="choice"
          {...(isModel && { hint: words.upstreamHint })}
          value={choice ?? ''}
          onChange={setChosen}
          options={options}
        />
        <DialogActions>
          <Button onClick={onClose}>{kit.cancel}</Button>
          <Button type="submit" kind="primary">
            {words.next}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

const kinds = Object.entries(words.kinds).map(([value, label]) => ({ value, label }));
