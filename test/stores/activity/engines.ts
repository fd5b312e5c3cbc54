/** The request log on each engine, twice: as two processes on one database have it. */

import { openPostgresActivity } from '../../../server/activity/postgres.ts';
import { openActivitySteps, openSqliteActivity } from '../../../server/activity/sqlite.ts';
import type { ActivityStore } from '../../../server/activity/store.ts';
import { openDatabase } from '../../../server/storage/sqlite/database.ts';
import { runHere } from '../../../server/storage/sqlite/write-operations.ts';
import { temporaryFolder } from '../../harness/folder.ts';
import { postgresName, usePostgres } from '../../harness/postgres.ts';
import { postgresMissing } from '../../harness/servers.ts';

export interface Stage {
  readonly here: ActivityStore;
  readonly there: ActivityStore;
  readonly isSqlite: boolean;
}

export const engines = [
  { title: 'sqlite', isMissing: false, use: () => openEmbedded },
  { title: postgresName, isMissing: postgresMissing !== null, use: useServer },
];

async function openEmbedded(): Promise<Stage> {
  const folder = temporaryFolder();
  const open = () => {
    const { connection } = openDatabase({ folder, durability: 'relaxed' });
    return openSqliteActivity({ connection, steps: runHere(connection, openActivitySteps) });
  };
  return { here: open(), there: open(), isSqlite: true };
}

function useServer(): () => Promise<Stage> {
  const server = usePostgres();
  return async () => {
    const { postgres } = await server.fresh();
    return { here: openPostgresActivity(postgres), there: openPostgresActivity(postgres), isSqlite: false };
  };
}
