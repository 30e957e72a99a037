import { randomUUID } from 'node:crypto';
import { ApiError, shown } from '../../api/errors';
import type { Snapshot } from '../../api/snapshot';
import { LIMITS } from '../../api/limits';
import { originalHeadOf } from './fork-record';
import type { ManagedFork } from './managed-fork';
import type { NamedSnapshot } from '../writes/journal';

/** Oldest first, after the default snapshot. Does not wake the fork. */
export async function listSnapshots(fork: ManagedFork): Promise<Snapshot[]> {
  const { record } = fork;
  return [
    {
      snapshotId: record.snapshotId,
      name: 'default',
      createTime: record.createTime,
      blockNumber: originalHeadOf(record),
      isDefault: true,
    },
    ...(await fork.named()).map(toSnapshot),
  ];
}

/** @throws ApiError snapshotLimit */
export function keepSnapshot(fork: ManagedFork, name: string, now: Date): Promise<Snapshot> {
  return fork.use(async ({ writer }) => {
    const id = randomUUID();
    const kept = await writer.keep(
      { id, name, createTime: now.toISOString() },
      LIMITS.namedSnapshots,
    );
    if (kept) return toSnapshot(kept);
    throw new ApiError(
      'snapshotLimit',
      `the fork has ${LIMITS.namedSnapshots} named snapshots, which is the limit; delete one first`,
    );
  });
}

/** @throws ApiError snapshotFixed, snapshotNotFound */
export async function deleteSnapshot(fork: ManagedFork, id: string): Promise<void> {
  if (id === fork.record.snapshotId) {
    throw new ApiError(
      'snapshotFixed',
      `snapshot ${id} is the default snapshot, which cannot be deleted`,
    );
  }
  if (!(await fork.use(({ writer }) => writer.forget(id)))) throw notFound(id);
}

/** @throws ApiError snapshotNotFound, also for an id of evm_snapshot, which a revert would consume */
export function revertSnapshot(fork: ManagedFork, id: string): Promise<void> {
  return fork.use(async ({ writer }) => {
    const stays = id === fork.record.snapshotId || writer.named.some((one) => one.id === id);
    if (!stays || !(await writer.revert(id))) throw notFound(id);
  });
}

const toSnapshot = ({ id, name, createTime, blockNumber }: NamedSnapshot): Snapshot => ({
  snapshotId: id,
  name,
  createTime,
  blockNumber,
  isDefault: false,
});

const notFound = (id: string): ApiError =>
  new ApiError('snapshotNotFound', `snapshot ${shown(id)} does not exist`);
