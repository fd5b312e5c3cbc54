/** Asks a connection of PostgreSQL: statements with a name are prepared on it, as long as that is remembered (F52). */
import { createHash } from 'node:crypto';
import type { ClientBase } from 'pg';
import { asFailure, isForgotten, sqlState } from './failures.ts';
import type { Row, Value } from './rows.ts';

/** With a name it is prepared once on each connection that keeps it. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
}

export type PreparedQuery = (client: ClientBase, statement: Statement, values: readonly Value[]) => Promise<readonly Row[]>;

/**
 * For one pool. Between it and the server may be a pooler that hands each transaction to another connection and keeps nothing for it: where that
 * shows, statements are parsed anew each time from then on. What failed by it did nothing, and may be asked again. `heard`: told of each answer, be it
 * good or bad.
 */
export function openAsk(heard: () => void): PreparedQuery {
  /** By their texts, of which there are few. */
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
      heard();
      return rows;
    } catch (error) {
      if (sqlState(error) !== undefined) heard();
      if (isForgotten(error)) areKept = false;
      throw asFailure(error);
    }
  };
}

/** It says what it stands for: on a connection that another gateway had before, nobody takes the statement of another version for their own. */
const uniqueName = ({ name, text }: Statement): string => `${name}_${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
