import * as z from 'zod';

/** How far a long operation is, as `event: progress` of an event stream. */
export const progressSchema = z.object({
  stage: z.string().meta({ description: 'What is being done, such as "replaying transactions"' }),
  done: z.int().meta({ description: 'Steps done so far' }),
  total: z.int().meta({ description: 'Steps in all' }),
});

export type Progress = z.infer<typeof progressSchema>;
export type OnProgress = (progress: Progress) => void;
