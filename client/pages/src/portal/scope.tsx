/** Whose figures a page shows: those of the key you signed in with, or of its account. The URL parameter `key` has the choice. */
import type { PortalContract } from '../../../../contract/portal/index.ts';
import type { Success } from '../data/contract-types.ts';
import { Segments } from '../kit/segments.tsx';
import { LastFour } from '../kit/values.tsx';
import { scope as words } from '../texts/portal.ts';

type Session = Success<PortalContract['getSession']>;

export interface ScopeProps {
  readonly session: Session | undefined;
  /** ID of a key; empty for the whole account. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function ScopeSwitch({ session, value, onChange }: ScopeProps) {
  if (session === undefined) return null;
  const choices = [
    { value: '', label: words.account },
    { value: session.key.id, label: words.key },
  ];
  return <Segments label={words.label} value={value} onChange={onChange} choices={choices} />;
}

/** Shows whose figures follow. Shows nothing for another key, because the filters name it. */
export function ScopeNote({ session, value }: Omit<ScopeProps, 'onChange'>) {
  if (session === undefined || (value !== '' && value !== session.key.id)) return null;
  return (
    <p className="soft">
      {value === '' ? (
        words.ofAccount(session.account.name)
      ) : (
        <>
          {words.ofKey(session.key.name)} <LastFour of={session.key.last_four} />
        </>
      )}
    </p>
  );
}
