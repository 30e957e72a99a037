import * as z from 'zod';

export const recordingNamesSchema = z.object({
  labels: z.record(z.string(), z.string()).meta({
    description:
      'Names of addresses (lower case), as those of an analysis. A name that looks like the one of a well-known contract or token at another address begins with "unlisted"',
  }),
  userLabels: z
    .array(z.string())
    .meta({ description: 'The addresses of `labels` that the user named' }),
});

/** An addition to the interface: names of the addresses of a recording. */
export type RecordingNames = z.infer<typeof recordingNamesSchema>;
