import type { Handlers } from './context';
import { findProject } from './references';

/** Projects over REST. */
export const projectCommands: Handlers<
  | 'project list'
  | 'project create'
  | 'project show'
  | 'project rename'
  | 'project delete'
  | 'collaborator list'
> = {
  'project list': async (format, { connection, out }) => {
    const projects = await connection.client.call('listProjects', {});
    const rows = projects.map(({ projectId, name, createTime }) => [projectId, name, createTime]);
    out.list(projects, { columns: ['ID', 'NAME', 'CREATED'], rows }, format);
  },

  'project create': async ({ name }, { connection, out }) => {
    const project = await connection.client.call('createProject', { body: { name } });
    out.result(project, project.projectId);
  },

  'project show': async ({ project: reference }, { connection: { client }, out }) => {
    const { projectId } = await findProject(client, reference);
    const project = await client.call('getProject', { params: { project_id: projectId } });
    const { stats, fokDetail, collaboratorDetail } = project;
    out.facts(project, [
      ['ID', projectId],
      ['Name', project.name],
      ['Created', project.createTime],
      ['Role', project.role],
      ['Forks', fokDetail.map(({ forkId, name }) => `${name} (${forkId})`).join(', ')],
      ['Collaborators', collaboratorDetail.collaborators.map(({ email }) => email).join(', ')],
      [
        'Transactions',
        `${stats.dailyTransactionQuantity} today, ${stats.monthlyTransactionQuantity} this month (UTC)`,
      ],
    ]);
  },

  'project rename': async ({ project: reference, name }, { connection: { client }, out }) => {
    const { projectId } = await findProject(client, reference);
    const params = { project_id: projectId };
    const project = await client.call('renameProject', { params, body: { name } });
    out.result(project, project.projectId);
  },

  'project delete': async ({ projects }, { connection: { client }, out }) => {
    const deleted: string[] = [];
    for (const reference of projects) {
      const { projectId } = await findProject(client, reference);
      await client.call('deleteProject', { params: { project_id: projectId } });
      deleted.push(projectId);
    }
    out.result({ deleted }, deleted.join('\n'));
  },

  'collaborator list': async ({ project, ...format }, { connection: { client }, out }) => {
    const { projectId } = await findProject(client, project);
    const { collaboratorDetail } = await client.call('getProject', {
      params: { project_id: projectId },
    });
    const { collaborators } = collaboratorDetail;
    const rows = collaborators.map(({ email, nickname, role = 'editor' }) => [
      email,
      nickname,
      role,
    ]);
    out.list(collaborators, { columns: ['E-MAIL', 'NICKNAME', 'ROLE'], rows }, format);
  },
};
