import { parentPort } from 'node:worker_threads';
import { ApiError } from '../../api/errors';
import { jsonPieces } from '../../kernel/async/json-pieces';
import { RejectedTransaction } from '../prefix/block-executor';
import { stateToJson } from '../prefix/read-state';
import type { BlockExecution } from '../in-process/block-execution';
import { chainDifference } from '../in-process/chain-difference';
import { beginBlock } from '../in-process/in-process-executor';
import { AskedNode, FailedRead } from './asked-node';
import type { FromWorker, SentError, Task, ToWorker } from './messages';

/* A worker thread of the service: executes one block at a time. It may be ended at any instruction. */

/** Maximum size of one result. */
const MAX_RESULT_BYTES = 384 * 1024 * 1024;

const post = (message: FromWorker, transferred: ArrayBuffer[] = []): void =>
  parentPort?.postMessage(message, transferred);

const node = new AskedNode((reads) => {
  post({ type: 'reads', reads });
});
let current: BlockExecution | undefined;

parentPort?.on('message', (message: ToWorker) => {
  if (message.type === 'answer') node.answer(message.id, message.results);
  else void answer(message.id, message.task);
});

async function answer(id: number, task: Task): Promise<void> {
  try {
    send(id, await run(task));
  } catch (error) {
    post({ type: 'failed', id, error: sentError(error) });
  }
}

async function run(task: Task): Promise<unknown> {
  if (task.kind === 'begin') {
    const execution = await beginBlock({ ...task.block, rpc: node });
    current = execution;
    return null;
  }
  if (!current) throw new Error('no block was begun');
  switch (task.kind) {
    case 'warm':
      await current.warm(task.transactions);
      return null;
    case 'execute':
      return current.execute(task.transaction);
    case 'record':
      return current.record(task.transaction);
    case 'simulate':
      return current.simulate(task.simulated);
    case 'end':
      await current.end(task.block);
      return null;
    case 'loaded':
      return stateToJson(current.loaded());
    case 'difference':
      return (await chainDifference(current.changed(), current.number, node)) ?? null;
  }
}

function send(id: number, result: unknown): void {
  const pieces: Uint8Array[] = [];
  let size = 0;
  let json = '';
  for (json of jsonPieces(result)) {
    const bytes = Buffer.from(json);
    size += bytes.length;
    if (size > MAX_RESULT_BYTES) {
      throw new Error(`its result is larger than ${MAX_RESULT_BYTES} bytes`);
    }
    pieces.push(bytes);
  }
  if (pieces.length === 1) {
    post({ type: 'done', id, json });
    return;
  }
  const bytes = new Uint8Array(Buffer.concat(pieces, size).buffer);
  post({ type: 'done', id, json: bytes }, [bytes.buffer]);
}

function sentError(error: unknown): SentError {
  if (error instanceof FailedRead) return { kind: 'read', failure: error.failure };
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ApiError) return { kind: 'api', code: error.code, message };
  return { kind: error instanceof RejectedTransaction ? 'rejected' : 'other', message };
}
