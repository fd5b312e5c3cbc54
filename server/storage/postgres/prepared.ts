/** Runs statements on a connection. Named statements are prepared, unless a pooler in between loses them (F52). */
import { createHash } from 'node:crypto';
import type { ClientBase } from 'pg';
import { asFailure, isUnknownStatement, sqlState } from './failures.ts';
import type { Row, Value } from './rows.ts';

/** With a name, it is prepared once on each connection. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
}

export type PreparedQuery = (client: ClientBase, statement: Statement, values: readonly Value[]) => Promise<readonly Row[]>;

/**
 * For one pool. A pooler in front of the server may send each transaction over another connection, which loses prepared statements: after the first
 * such failure statements are no longer prepared. The failed statement did nothing and may be retried. `answered` is called for each answer, also for
 * an error.
 */
export function openAsk(answered: () => void): PreparedQuery {
  /** By text; there are few texts. */
  const names = new Map<string, string>();
  let areKept = true;
  const nameOf = (statement: Statement): string => {
    const name = names.get(statement.text) ?? uniqueName(statement);
    names.set(statement.text, name);
    return name;
  };
  return async (client, statement, values) => {
    const named = areKept && statement.name !== undefined && { name: nameOf(statement) };
    try {
      const { rows } = await client.query({ ...named, text: statement.text, values: [...values] });
      answered();
      return rows;
    } catch (error) {
      if (sqlState(error) !== undefined) answered();
      if (isUnknownStatement(error)) areKept = false;
      throw asFailure(error);
    }
  };
}

/** The name holds a hash of the text: on a pooled connection another version may have prepared another text under the same name. */
const uniqueName = ({ name, text }: Statement): string => `${name}_${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
