import * as z from 'zod';
import { forkStateSchema } from './fork';
import { forkIdSchema, projectIdSchema } from './primitives';
import { progressSchema } from './progress';

const fork = { projectId: projectIdSchema, forkId: forkIdSchema };

/** What changed, so that a client knows what to ask for again. */
export const changeSchema = z.discriminatedUnion('type', [
  z
    .object({ type: z.literal('project'), projectId: projectIdSchema })
    .meta({ description: 'Created, deleted, or shared with others' }),
  z.object({
    type: z.literal('fork'),
    ...fork,
    name: z.string(),
    chain: z.string().meta({ description: 'Slug of the forked chain' }),
    height: z.string().meta({ description: 'Block number, hex' }),
    position: z.int().nullable(),
    state: forkStateSchema.meta({
      description:
        '`creating` before it is in the list of forks, `deleting` once it is not any more',
    }),
    progress: progressSchema.optional().meta({ description: 'While its engine starts' }),
  }),
  z
    .object({ type: z.literal('transactions'), ...fork })
    .meta({ description: 'Some were executed, or taken back; the usage of the project as well' }),
  z.object({ type: z.literal('snapshots'), ...fork }),
]);

export type Change = z.infer<typeof changeSchema>;
export type ForkChange = Exclude<Change, { type: 'project' }>;

/** Its events: one `ready`, then any number of `change`. A comment comes now and then, so that nobody takes it for dead. */
export const CHANGES_PATH = '/v1/events';
