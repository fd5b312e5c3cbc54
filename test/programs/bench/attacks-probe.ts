/** Asks `/livez` again and again, and tells how long each answer took; an answer that is still to come counts for as long as it was waited for. */
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { Pool } from 'undici';

const everyMs = 10;
const pool = new Pool(String(workerData), { connections: 1 });
const times: number[] = [];
let isOver = false;

async function ask(): Promise<void> {
  const from = performance.now();
  const { statusCode, body } = await pool.request({ path: '/livez', method: 'GET' });
  await body.dump();
  if (statusCode !== 200) throw new Error(`/livez was answered by ${statusCode}`);
  times.push(performance.now() - from);
}

parentPort?.on('message', () => {
  isOver = true;
});
await ask();
times.length = 0;
parentPort?.postMessage('ready');
while (!isOver) {
  await ask();
  await pause(everyMs);
}
await pool.close();
parentPort?.postMessage(times);
parentPort?.close();
