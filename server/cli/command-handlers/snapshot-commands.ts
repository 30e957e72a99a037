import type { ApiClient } from '../../api/client';
import { ApiError } from '../../api/errors';
import type { Snapshot } from '../../api/snapshot';
import { didYouMean } from '../errors/did-you-mean';
import { UsageError } from '../errors/usage-error';
import type { Handlers } from './context';
import { findFork } from './references';

/** Named snapshots over REST. */
export const snapshotCommands: Handlers<
  'fork snapshot list' | 'fork snapshot create' | 'fork snapshot revert' | 'fork snapshot delete'
> = {
  'fork snapshot list': async ({ fork, ...format }, { connection: { client }, out }) => {
    const snapshots = await client.call('listSnapshots', { params: await paramsOf(client, fork) });
    const rows = snapshots.map(({ snapshotId, name, blockNumber, createTime, isDefault }) => [
      snapshotId,
      name,
      String(blockNumber),
      createTime,
      isDefault ? 'default' : '',
    ]);
    out.list(snapshots, { columns: ['ID', 'NAME', 'BLOCK', 'CREATED', ''], rows }, format);
  },

  'fork snapshot create': async ({ fork, name }, { connection: { client }, out }) => {
    const params = await paramsOf(client, fork);
    const snapshot = await client.call('createSnapshot', { params, body: { name } });
    out.result(snapshot, snapshot.snapshotId);
  },

  'fork snapshot revert': async ({ fork, snapshot }, { connection: { client }, out }) => {
    const params = await paramsOf(client, fork);
    const { snapshotId, name, blockNumber } = await findSnapshot(client, params, snapshot);
    await client.call('revertSnapshot', { params: { ...params, snapshot_id: snapshotId } });
    out.result({ snapshotId, blockNumber }, `The fork is at "${name}", block ${blockNumber}.`);
  },

  'fork snapshot delete': async ({ fork, snapshot }, { connection: { client }, out }) => {
    const params = await paramsOf(client, fork);
    const { snapshotId } = await findSnapshot(client, params, snapshot);
    await client.call('deleteSnapshot', { params: { ...params, snapshot_id: snapshotId } });
    out.result({ deleted: [snapshotId] }, snapshotId);
  },
};

interface ForkParams {
  project_id: string;
  fork_id: string;
}

async function paramsOf(client: ApiClient, reference: string): Promise<ForkParams> {
  const { projectId, fork } = await findFork(client, reference);
  return { project_id: projectId, fork_id: fork.forkId };
}

/** @param reference id or name; undefined: the default snapshot @throws ApiError `snapshotNotFound`, UsageError */
async function findSnapshot(
  client: ApiClient,
  params: ForkParams,
  reference: string | undefined,
): Promise<Snapshot> {
  const snapshots = await client.call('listSnapshots', { params });
  const named = snapshots.filter(({ name }) => name === reference);
  const found = snapshots.find(({ snapshotId, isDefault }) =>
    reference === undefined ? isDefault : snapshotId === reference,
  );
  if (found === undefined && named.length > 1) {
    const ids = named.map(({ snapshotId }) => snapshotId).join(', ');
    throw new UsageError(`several snapshots are named "${reference ?? ''}"; accepted: ${ids}`);
  }
  const snapshot = found ?? named[0];
  if (snapshot !== undefined) return snapshot;
  const names = snapshots.map(({ name }) => name);
  const question = didYouMean(reference ?? '', names);
  const text = `snapshot ${JSON.stringify(reference)} does not exist${question}`;
  throw new ApiError('snapshotNotFound', text);
}
