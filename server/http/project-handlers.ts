import type { Fork } from '../api/fork';
import type { Project, ProjectDetail, ProjectRole } from '../api/project';
import type { AuditLog } from '../projects/audit-log';
import type { ProjectRecord } from '../projects/ports';
import type { Projects } from '../projects/projects';
import type { Quotas } from '../projects/quotas';
import type { UsageStatistics } from '../projects/usage';
import type { Handlers } from './context';
import { shownTo } from './fork-handlers';
import type { ForkService } from './services';

type ProjectHandlers = Pick<
  Handlers,
  | 'createProject'
  | 'listProjects'
  | 'getProject'
  | 'renameProject'
  | 'deleteProject'
  | 'addCollaborator'
  | 'changeCollaboratorRole'
  | 'removeCollaborator'
  | 'getAccount'
  | 'getQuota'
  | 'getProjectQuota'
  | 'listAudit'
>;

export interface ProjectServices {
  projects: Projects;
  quotas: Quotas;
  audit: AuditLog;
  usage: UsageStatistics;
  forks: ForkService;
}

/** Handlers of the operations on projects, their collaborators and the account of the caller. */
export function projectHandlers({
  projects,
  quotas,
  audit,
  usage,
  forks,
}: ProjectServices): ProjectHandlers {
  const detail = async ({
    project,
    role,
  }: {
    project: ProjectRecord;
    role: ProjectRole;
  }): Promise<ProjectDetail> => {
    const [stats, forksOfProject, collaborators] = await Promise.all([
      usage.of(project.projectId),
      forks.list(project.projectId),
      projects.collaborators(project),
    ]);
    return {
      ...toProject(project),
      stats,
      fokDetail: forksOfProject.map((fork) => toForkSummary(shownTo(role, fork))),
      collaboratorDetail: { collaboratorNum: collaborators.length, collaborators },
      role: role === 'editor' ? 'collaborator' : role,
    };
  };

  return {
    createProject: async ({ body }, { user }) =>
      toProject(await projects.create(user.userId, body.name)),
    listProjects: async (_, { user }) => (await projects.list(user.userId)).map(toProject),
    getProject: async ({ params }, context) =>
      detail(await projects.get(context.user.userId, params.project_id)),
    renameProject: async ({ params, body }) =>
      toProject(await projects.rename(params.project_id, body.name)),
    deleteProject: async ({ params }) => {
      await projects.delete(params.project_id);
      return null;
    },
    addCollaborator: ({ params, body }) =>
      projects.addCollaborator(params.project_id, body.email, body.role),
    changeCollaboratorRole: ({ params, body }) =>
      projects.changeRole(params.project_id, body.email, body.role),
    removeCollaborator: async ({ params, body }) => {
      await projects.removeCollaborator(params.project_id, body.email);
      return null;
    },
    getAccount: (_, { user, key }) =>
      Promise.resolve({
        nickname: user.nickname,
        email: user.email,
        scopes: key.scopes,
        projectLimit: projects.limit,
      }),
    getQuota: (_, { user }) => quotas.ofUser(user.userId),
    getProjectQuota: ({ params }) => quotas.ofProject(params.project_id),
    listAudit: ({ query }, { user }) => audit.list(query, user.userId),
  };
}

const toProject = ({ projectId, name, createTime }: ProjectRecord): Project => ({
  projectId,
  name,
  createTime,
});

const toForkSummary = ({
  forkId,
  chainId,
  name,
  rpc,
}: Fork): ProjectDetail['fokDetail'][number] => ({
  forkId,
  chainId,
  name,
  rpc,
});
