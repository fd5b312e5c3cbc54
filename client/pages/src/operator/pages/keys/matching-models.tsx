/** Shows which configured models the typed patterns match, of those that the group can call. */

import { listMatchingModels } from '../../../data/model-patterns.ts';
import { keys as words } from '../../../texts/keys.ts';
import { useRead } from '../../api.ts';

export interface MatchingModelsProps {
  /** The typed text. */
  readonly typed: string;
  /** Group of the account. Undefined while unknown. */
  readonly group: string | undefined;
}

/** Maximum number of names in a line. */
const MOST = 8;

export function MatchingModels({ typed, group }: MatchingModelsProps) {
  const read = useRead('listModels');
  if (read.data === undefined) return null;
  const models = read.data.data.filter(({ groups }) => group === undefined || groups.includes(group)).map(({ id }) => id);
  const named = listMatchingModels(typed, models);
  const more = named.length > MOST ? words.andMore(named.length - MOST) : '';
  return (
    <p className="soft small" role="status">
      {words.matches(named.length, models.length)}
      {named.length > 0 && `: ${named.slice(0, MOST).join(', ')}${more}`}
      {group !== undefined && ` (${words.inGroup(group)})`}
    </p>
  );
}
