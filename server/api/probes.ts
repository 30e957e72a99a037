import * as z from 'zod';

/* What load balancers and process managers ask, without an access key. */

export const livenessSchema = z.object({
  status: z.literal('live').meta({ description: 'The process answers' }),
});
export const readinessSchema = z.object({
  status: z.enum(['ready', 'notReady']).meta({ description: 'Whether requests may be sent here' }),
  reason: z
    .enum(['starting', 'draining', 'databaseUnavailable'])
    .optional()
    .meta({ description: 'Why not, with status 503' }),
});
export type Readiness = z.infer<typeof readinessSchema>;
