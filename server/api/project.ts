import * as z from 'zod';
import { forkIdSchema, nameSchema, projectIdSchema, timeSchema } from './primitives';

export const createProjectBody = z.object({ name: nameSchema });

export const projectSchema = z.object({
  projectId: projectIdSchema,
  name: z.string().meta({ description: 'As its owner named it' }),
  createTime: timeSchema,
});

export const collaboratorSchema = z.object({
  nickname: z.string().meta({ description: 'As the user is registered' }),
  email: z.string().meta({ description: 'E-mail address, lower case' }),
});

export const emailSchema = z
  .email({ error: 'an e-mail address' })
  .transform((email) => email.toLowerCase())
  .meta({ type: 'string', format: 'email', description: 'E-mail address of a registered user' });
export const collaboratorBody = z.object({ email: emailSchema });

export const projectDetailSchema = projectSchema.extend({
  stats: z
    .object({
      dailyTransactionQuantity: z.int().meta({ description: 'Transactions executed today (UTC)' }),
      monthlyTransactionQuantity: z.int().meta({ description: 'Since the 1st of the month (UTC)' }),
    })
    .meta({ description: 'Transactions that users executed on the forks of the project' }),
  /** This is the spelling in the interface. */
  fokDetail: z
    .array(
      z.object({
        forkId: forkIdSchema,
        chainId: z.int().meta({ description: 'Id of the forked chain' }),
        name: z.string().meta({ description: 'Name of the fork' }),
        rpc: z.string().meta({ description: 'JSON-RPC address; the URL is the credential' }),
      }),
    )
    .meta({ description: 'Forks of the project, oldest first' }),
  collaboratorDetail: z
    .object({
      collaboratorNum: z.int().meta({ description: 'Without the owner' }),
      collaborators: z
        .array(collaboratorSchema)
        .meta({ description: 'In the order in which they were added' }),
    })
    .meta({ description: 'Who uses the project beside its owner' }),
  role: z.enum(['owner', 'collaborator']).meta({ description: 'Ours: what the caller is' }),
});

export type Project = z.infer<typeof projectSchema>;
export type ProjectDetail = z.infer<typeof projectDetailSchema>;
export type Collaborator = z.infer<typeof collaboratorSchema>;
