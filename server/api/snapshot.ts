import * as z from 'zod';
import { forkIdSchema, nameSchema, projectIdSchema, timeSchema } from './primitives';

export const createSnapshotBody = z.object({ name: nameSchema });

export const snapshotSchema = z.object({
  snapshotId: z.string().meta({ description: 'UUID; evm_revert takes it as well' }),
  name: z.string().meta({ description: 'As given when it was taken' }),
  createTime: timeSchema,
  blockNumber: z.int().meta({ description: 'Newest block of the fork in it' }),
  isDefault: z.boolean().meta({ description: 'The fork as it was created; it cannot be deleted' }),
});

export type Snapshot = z.infer<typeof snapshotSchema>;

const none = z.object({});
const fork = z.object({ project_id: projectIdSchema, fork_id: forkIdSchema });
const snapshot = fork.extend({
  snapshot_id: z.string().meta({ description: 'snapshotId of the snapshot, a UUID' }),
});

/** The snapshot routes of `ROUTES`. */
export const SNAPSHOT_ROUTES = {
  listSnapshots: {
    method: 'get',
    paths: ['/v1/project/:project_id/fork/:fork_id/snapshots'],
    summary: 'List the snapshots of a fork: the default one, then named ones, oldest first (ours)',
    scope: 'manage',
    params: fork,
    query: none,
    body: none,
    data: z.array(snapshotSchema),
    errors: ['projectNotFound', 'forkNotFound', 'engineUnavailable'],
  },
  createSnapshot: {
    method: 'post',
    paths: ['/v1/project/:project_id/fork/:fork_id/snapshots'],
    summary: 'Take a named snapshot of a fork, which stays until it is deleted (ours)',
    scope: 'manage',
    params: fork,
    query: none,
    body: createSnapshotBody,
    data: snapshotSchema,
    errors: ['projectNotFound', 'forkNotFound', 'snapshotLimit', 'engineUnavailable'],
  },
  deleteSnapshot: {
    method: 'delete',
    paths: ['/v1/project/:project_id/fork/:fork_id/snapshots/:snapshot_id'],
    summary: 'Delete a named snapshot (ours)',
    scope: 'manage',
    params: snapshot,
    query: none,
    body: none,
    data: z.null(),
    errors: [
      'projectNotFound',
      'forkNotFound',
      'snapshotNotFound',
      'snapshotFixed',
      'engineUnavailable',
    ],
  },
  revertSnapshot: {
    method: 'post',
    paths: ['/v1/project/:project_id/fork/:fork_id/snapshots/:snapshot_id/revert'],
    summary: 'Revert a fork to a snapshot, which is kept (ours)',
    scope: 'manage',
    params: snapshot,
    query: none,
    body: none,
    data: z.null(),
    errors: ['projectNotFound', 'forkNotFound', 'snapshotNotFound', 'engineUnavailable'],
  },
} as const;
