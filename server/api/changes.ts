import * as z from 'zod';
import { forkStateSchema } from './fork';
import { forkIdSchema, projectIdSchema } from './primitives';
import { progressSchema } from './progress';
import { verificationLevelSchema } from './verification';

const fork = { projectId: projectIdSchema, forkId: forkIdSchema };

/** A change. It tells a client which data to request again. */
export const changeSchema = z.discriminatedUnion('type', [
  z
    .object({
      type: z
        .literal('project')
        .meta({ description: 'A project was created, renamed, deleted, or shared with others' }),
      projectId: projectIdSchema,
    })
    .meta({ description: 'Created, deleted, or shared with others' }),
  z.object({
    type: z.literal('fork').meta({ description: 'A fork changed' }),
    ...fork,
    name: z.string().meta({ description: 'Of the fork' }),
    chain: z.string().meta({ description: 'Slug of the forked chain' }),
    height: z.string().meta({ description: 'Block number, hex' }),
    position: z.int().nullable().meta({ description: 'null: after the whole block' }),
    state: forkStateSchema.meta({
      description: '`creating` before it is in the list of forks, `deleting` once it is removed',
    }),
    progress: progressSchema.optional().meta({ description: 'While its engine starts' }),
  }),
  z
    .object({
      type: z
        .literal('transactions')
        .meta({ description: 'Transactions were executed on a fork, or taken back' }),
      ...fork,
    })
    .meta({ description: 'Some were executed, or taken back; the usage of the project as well' }),
  z.object({
    type: z.literal('snapshots').meta({ description: 'The named snapshots of a fork changed' }),
    ...fork,
  }),
  z
    .object({
      type: z.literal('analysis').meta({ description: 'A proof of an analysis ended' }),
      chain: z.string().meta({ description: 'Slug' }),
      hash: z.string().meta({ description: 'Of the transaction' }),
      level: verificationLevelSchema,
      reason: z.string().optional().meta({ description: 'Why the level is not higher, in words' }),
      corrected: z.string().optional().meta({
        description: 'What the answers so far had wrong, in words; missing where they were right',
      }),
    })
    .meta({ description: 'The proof of an analysis that you asked for has ended' }),
]);

export type Change = z.infer<typeof changeSchema>;
export type ProjectChange = Exclude<Change, { type: 'analysis' }>;
export type ForkChange = Exclude<ProjectChange, { type: 'project' }>;

/** The stream of changes: one `ready` event, then any number of `change` events. Regular comments show that the connection is alive. */
export const CHANGES_PATH = '/v1/events';
