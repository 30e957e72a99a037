import * as z from 'zod';
import { expiresInDaysSchema, overlapSecondsSchema, scopesSchema } from '../api/access-keys';
import type { Scope } from '../api/account';
import { nameSchema } from '../api/primitives';
import {
  addCollaboratorBody,
  changeRoleBody,
  emailSchema,
  type Collaborator,
} from '../api/project';
import { exactly, parseFields } from '../api/validation';
import { auditQuery, type AuditPage } from '../api/audit';
import type { AccessKeys, IssuedKey } from './access-keys';
import type { AuditLog } from './audit-log';
import type { User } from './ports';
import type { Projects } from './projects';
import type { Users } from './users';

/** Input schema of each command. The command line sends these names to a running service. */
const INPUTS = {
  addUser: z.object({ nickname: nameSchema, email: emailSchema }),
  listUsers: z.object({}),
  createKey: z.object({
    user: emailSchema,
    scopes: scopesSchema,
    label: nameSchema.optional(),
    expiresInDays: expiresInDaysSchema,
  }),
  listKeys: z.object({ user: emailSchema.optional() }),
  revokeKey: z.object({ keyId: z.string() }),
  rotateKey: z.object({ keyId: z.string(), overlapSeconds: overlapSecondsSchema }),
  addCollaborator: addCollaboratorBody.extend({ project: z.string() }),
  changeCollaboratorRole: changeRoleBody.extend({ project: z.string() }),
  audit: auditQuery,
  removeCollaborator: z.object({ project: z.string(), email: emailSchema }),
} satisfies Record<string, z.ZodType>;

export type AdminCommand = keyof typeof INPUTS;
export type AdminInput<Name extends AdminCommand> = z.output<(typeof INPUTS)[Name]>;

/** A key in a list: without its hash, with its user's e-mail address. */
export interface ListedKey {
  keyId: string;
  user: string;
  label: string;
  scopes: Scope[];
  createTime: string;
  expiresAt?: string | undefined;
  lastUsedAt?: string | undefined;
  isExpired: boolean;
}

/** Result of each command. */
export interface AdminResult {
  addUser: User;
  listUsers: readonly User[];
  createKey: IssuedKey;
  listKeys: ListedKey[];
  revokeKey: null;
  rotateKey: IssuedKey;
  addCollaborator: Collaborator;
  changeCollaboratorRole: Collaborator;
  removeCollaborator: null;
  audit: AuditPage;
}

const READS: ReadonlySet<AdminCommand> = new Set(['listUsers', 'listKeys', 'audit']);

export interface AdminDependencies {
  users: Users;
  keys: AccessKeys;
  projects: Projects;
  audit: AuditLog;
}

/** Administration of users, keys and collaborators for the command line, which runs it in its own process or in the service's. */
export class AdminCommands {
  readonly #users: Users;
  readonly #keys: AccessKeys;
  readonly #projects: Projects;
  readonly #audit: AuditLog;
  readonly #commands: {
    [Name in AdminCommand]: (input: AdminInput<Name>) => Promise<AdminResult[Name]>;
  } = {
    addUser: ({ nickname, email }) => this.#users.register(nickname, email),
    listUsers: () => this.#users.list(),
    createKey: async ({ user, scopes, label, expiresInDays }) => {
      const { userId } = await this.#users.getByEmail(user);
      return this.#keys.issueFor(userId, { scopes, name: label ?? '', expiresInDays });
    },
    listKeys: ({ user }) => this.#listKeys(user),
    revokeKey: async ({ keyId }) => {
      await this.#keys.revoke(keyId);
      return null;
    },
    rotateKey: ({ keyId, overlapSeconds }) => this.#keys.rotate(keyId, overlapSeconds),
    addCollaborator: ({ project, email, role }) =>
      this.#projects.addCollaborator(project, email, role),
    changeCollaboratorRole: ({ project, email, role }) =>
      this.#projects.changeRole(project, email, role),
    audit: (query) => this.#audit.list(query),
    removeCollaborator: async ({ project, email }) => {
      await this.#projects.removeCollaborator(project, email);
      return null;
    },
  };

  constructor({ users, keys, projects, audit }: AdminDependencies) {
    this.#users = users;
    this.#keys = keys;
    this.#projects = projects;
    this.#audit = audit;
  }

  /** @throws ApiError `invalidField`, and the errors of the command itself */
  async run<Name extends AdminCommand>(name: Name, input: unknown): Promise<AdminResult[Name]> {
    const command = this.#commands[name];
    const parsed = parseFields(exactly(INPUTS[name]), input, 'input') as AdminInput<Name>;
    if (READS.has(name)) return command(parsed);
    const { user, email, keyId, project, role } = parsed as Partial<Record<string, string>>;
    const facts = { email: email ?? user, targetKeyId: keyId, projectId: project, role };
    const action = { action: `admin.${name}`, actor: 'administrator', address: 'local', ...facts };
    return this.#audit.around(action, () => command(parsed));
  }

  /** @returns undefined for an unknown name */
  find(name: string): ((input: unknown) => Promise<unknown>) | undefined {
    return Object.hasOwn(INPUTS, name)
      ? (input) => this.run(name as AdminCommand, input)
      : undefined;
  }

  async #listKeys(email: string | undefined): Promise<ListedKey[]> {
    const userId = email === undefined ? undefined : (await this.#users.getByEmail(email)).userId;
    const emails = new Map((await this.#users.list()).map((user) => [user.userId, user.email]));
    return (await this.#keys.list(userId)).map((key) => ({
      keyId: key.keyId,
      user: emails.get(key.userId) ?? '',
      label: key.label,
      scopes: key.scopes,
      createTime: key.createTime,
      ...(key.expiresAt === undefined ? {} : { expiresAt: key.expiresAt }),
      ...(key.lastUsedAt === undefined ? {} : { lastUsedAt: key.lastUsedAt }),
      isExpired: key.isExpired === true,
    }));
  }
}
