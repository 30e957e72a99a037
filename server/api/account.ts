import * as z from 'zod';

/** `manage`: projects and forks (operations 1-8). `analyze`: transaction analysis (operations 9-10). */
export const SCOPES = ['manage', 'analyze'] as const;
export const scopeSchema = z.enum(SCOPES, { error: 'manage or analyze' });

export const accountSchema = z.object({
  nickname: z.string().meta({ description: 'As the user is registered' }),
  email: z.string().meta({ description: 'E-mail address, lower case' }),
  scopes: z.array(scopeSchema).meta({ description: 'Of the access key that was sent' }),
  projectLimit: z.int().meta({ description: 'Projects that a user may own' }),
});

export type Scope = z.infer<typeof scopeSchema>;
export type Account = z.infer<typeof accountSchema>;
