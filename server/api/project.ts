import * as z from 'zod';
import { forkIdSchema, nameSchema, projectIdSchema, timeSchema } from './primitives';

export const createProjectBody = z.object({ name: nameSchema });

export const projectSchema = z.object({
  projectId: projectIdSchema,
  name: z.string().meta({ description: 'As its owner named it' }),
  createTime: timeSchema,
});

/** What a user may do in a project; each role includes those after it. The collaborators of the given interface are editors. */
const PROJECT_ROLES = ['owner', 'editor', 'viewer'] as const;
export type ProjectRole = (typeof PROJECT_ROLES)[number];

/** `editor`: reads and changes forks. `viewer`: reads and analyzes, without the RPC URLs of forks, which permit changes. */
export const collaboratorRoleSchema = z.enum(['editor', 'viewer'], { error: 'editor or viewer' });
export type CollaboratorRole = z.infer<typeof collaboratorRoleSchema>;

/** Whether a role permits what another one is needed for. */
export const includesRole = (role: ProjectRole, needed: ProjectRole): boolean =>
  PROJECT_ROLES.indexOf(role) <= PROJECT_ROLES.indexOf(needed);

export const collaboratorSchema = z.object({
  nickname: z.string().meta({ description: 'As the user is registered' }),
  email: z.string().meta({ description: 'E-mail address, lower case' }),
  role: collaboratorRoleSchema
    .optional()
    .meta({ description: 'Ours: what the user may do; missing: editor' }),
});

export const emailSchema = z
  .email({ error: 'an e-mail address' })
  .transform((email) => email.toLowerCase())
  .meta({ type: 'string', format: 'email', description: 'E-mail address of a registered user' });
export const collaboratorBody = z.object({ email: emailSchema });
export const addCollaboratorBody = collaboratorBody.extend({
  role: collaboratorRoleSchema
    .default('editor')
    .meta({ description: 'Ours: editor (default) or viewer, who reads and analyzes' }),
});
export const changeRoleBody = collaboratorBody.extend({
  role: collaboratorRoleSchema.meta({ description: 'editor or viewer' }),
});

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
        rpc: z
          .string()
          .meta({ description: 'JSON-RPC address; the URL is the credential. Empty for viewers' }),
      }),
    )
    .meta({ description: 'Forks of the project, oldest first' }),
  collaboratorDetail: z
    .object({
      collaboratorNum: z.int().meta({ description: 'Without the owner' }),
      collaborators: z
        .array(collaboratorSchema)
        .meta({ description: 'Editors, then viewers, each in the order of addition' }),
    })
    .meta({ description: 'Who uses the project beside its owner' }),
  role: z.enum(['owner', 'collaborator', 'viewer']).meta({
    description: 'Ours: role of the caller; collaborator: editor',
  }),
});

export type Project = z.infer<typeof projectSchema>;
export type ProjectDetail = z.infer<typeof projectDetailSchema>;
export type Collaborator = z.infer<typeof collaboratorSchema>;
