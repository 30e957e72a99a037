import * as z from 'zod';

/** Progress of a long operation: the data of `event: progress` in an event stream. */
export const progressSchema = z.object({
  stage: z.string().meta({ description: 'What is being done, such as "replaying transactions"' }),
  done: z.int().meta({ description: 'Steps done so far' }),
  total: z.int().meta({ description: 'Steps in all' }),
});

export type Progress = z.infer<typeof progressSchema>;
export type OnProgress = (progress: Progress) => void;
