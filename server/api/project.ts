import * as z from 'zod';
import { nameSchema, projectIdSchema, timeSchema } from './primitives';

export const createProjectBody = z.object({ name: nameSchema });

export const projectSchema = z.object({
  projectId: projectIdSchema,
  name: z.string(),
  createTime: timeSchema,
});

export const collaboratorSchema = z.object({ nickname: z.string(), email: z.string() });

export const emailSchema = z
  .email({ error: 'an e-mail address' })
  .transform((email) => email.toLowerCase())
  .meta({ type: 'string', format: 'email' });
export const collaboratorBody = z.object({ email: emailSchema });

export const projectDetailSchema = projectSchema.extend({
  stats: z.object({
    dailyTransactionQuantity: z.int().meta({ description: 'Transactions executed today (UTC)' }),
    monthlyTransactionQuantity: z.int().meta({ description: 'Since the 1st of the month (UTC)' }),
  }),
  /** Spelled so in the interface. */
  fokDetail: z.array(
    z.object({ forkId: z.string(), chainId: z.int(), name: z.string(), rpc: z.string() }),
  ),
  collaboratorDetail: z.object({
    collaboratorNum: z.int().meta({ description: 'Without the owner' }),
    collaborators: z.array(collaboratorSchema),
  }),
  role: z.enum(['owner', 'collaborator']).meta({ description: 'What the caller is (ours)' }),
});

export type Project = z.infer<typeof projectSchema>;
export type ProjectDetail = z.infer<typeof projectDetailSchema>;
export type Collaborator = z.infer<typeof collaboratorSchema>;
