import type { Context, Handlers } from '../command-handlers/context';
import { findProject } from '../command-handlers/references';
import { runAdminCommand } from './admin-client';

/** Commands for users and collaborators. They work with and without a running service on the data directory. */
export const adminCommands: Handlers<
  'user add' | 'user list' | 'collaborator add' | 'collaborator role' | 'collaborator remove'
> = {
  'user add': async (input, { globals, out }) => {
    const user = await runAdminCommand(globals, 'addUser', input);
    out.result(user, `Added ${user.nickname} <${user.email}>.`);
  },

  'user list': async (format, { globals, out }) => {
    const users = await runAdminCommand(globals, 'listUsers', {});
    const rows = users.map(({ email, nickname, createTime }) => [email, nickname, createTime]);
    out.list(users, { columns: ['E-MAIL', 'NICKNAME', 'SINCE'], rows }, format);
  },

  'collaborator add': async ({ project, email, role }, context) => {
    const body = { email, role };
    const added = (await isAdministered(context, project))
      ? await runAdminCommand(context.globals, 'addCollaborator', { project, ...body })
      : await context.connection.client.call('addCollaborator', {
          ...(await projectParams(context, project)),
          body,
        });
    context.out.result(added, `Added ${added.email}.`);
  },

  'collaborator role': async ({ project, email, role }, context) => {
    const body = { email, role };
    const changed = (await isAdministered(context, project))
      ? await runAdminCommand(context.globals, 'changeCollaboratorRole', { project, ...body })
      : await context.connection.client.call('changeCollaboratorRole', {
          ...(await projectParams(context, project)),
          body,
        });
    context.out.result(changed, `${changed.email} is ${changed.role ?? 'editor'} now.`);
  },

  'collaborator remove': async ({ project, email }, context) => {
    const removed = (await isAdministered(context, project))
      ? await runAdminCommand(context.globals, 'removeCollaborator', { project, email })
      : await context.connection.client.call('removeCollaborator', {
          ...(await projectParams(context, project)),
          body: { email },
        });
    context.out.result(removed, `Removed ${email}.`);
  },
};

const PROJECT_ID = /^project_[0-9a-f]{32}$/;

/** Whether to use the administration of the data directory, which finds the projects of all users by their ids. */
const isAdministered = async ({ connection }: Context, project: string): Promise<boolean> =>
  PROJECT_ID.test(project) && (await connection.isOfDataDirectory());

async function projectParams({ connection }: Context, project: string) {
  const { projectId } = await findProject(connection.client, project);
  return { params: { project_id: projectId } };
}
