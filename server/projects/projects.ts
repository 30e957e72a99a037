import { ApiError, projectNotFound, shown } from '../api/errors';
import type { Collaborator, CollaboratorRole, ProjectRole } from '../api/project';
import { membersOf, type ChangeFeed } from './change-feed';
import { newId } from './ids';
import { roleOf } from './roles';
import type { Clock, ProjectRecord, ProjectStore, User, UserStore } from './ports';

export interface ProjectsDependencies {
  store: ProjectStore;
  users: Pick<UserStore, 'findUser' | 'findUserByEmail'>;
  clock: Clock;
  /** Limit of projects per owner, including `default`. */
  limit: number;
  /** Deletes all forks of a project, including their processes. */
  deleteForksOf: (projectId: string) => Promise<void>;
  /** Called when the store has new addresses for the forks of a project. */
  addressesRenewed: (projectId: string) => Promise<void>;
  changes: ChangeFeed;
}

/**
 * Projects and their members. Owner and collaborators see a project; for all other users it does not exist. Callers of the methods without
 * a `userId` have checked the role of the user. Methods for a project throw ApiError `projectNotFound`.
 */
export class Projects {
  readonly limit: number;
  readonly #store: ProjectsDependencies['store'];
  readonly #users: ProjectsDependencies['users'];
  readonly #clock: Clock;
  readonly #deleteForksOf: ProjectsDependencies['deleteForksOf'];
  readonly #addressesRenewed: ProjectsDependencies['addressesRenewed'];
  readonly #changes: ChangeFeed;

  constructor(dependencies: ProjectsDependencies) {
    this.limit = dependencies.limit;
    this.#store = dependencies.store;
    this.#users = dependencies.users;
    this.#clock = dependencies.clock;
    this.#deleteForksOf = dependencies.deleteForksOf;
    this.#addressesRenewed = dependencies.addressesRenewed;
    this.#changes = dependencies.changes;
  }

  /** @throws ApiError `projectLimit` */
  async create(userId: string, name: string): Promise<ProjectRecord> {
    const project = {
      projectId: newId('project'),
      ownerId: userId,
      name,
      createTime: this.#clock().toISOString(),
      collaboratorIds: [],
    };
    if (!(await this.#store.insertProject(project, this.limit))) {
      throw new ApiError(
        'projectLimit',
        `you own ${this.limit} projects, which is the limit; delete one first`,
      );
    }
    this.#publishChange(project);
    return project;
  }

  list(userId: string): Promise<readonly ProjectRecord[]> {
    return this.#store.listProjectsOf(userId);
  }

  /**
   * @returns the project, and the role of the user in it
   * @throws ApiError `projectNotFound`, also for a project that the user does not see
   */
  async get(
    userId: string,
    projectId: string,
  ): Promise<{ project: ProjectRecord; role: ProjectRole }> {
    const project = await this.#store.findProject(projectId);
    const role = project && roleOf(project, userId);
    if (!role) throw projectNotFound(projectId);
    return { project, role };
  }

  async rename(projectId: string, name: string): Promise<ProjectRecord> {
    const project = await this.#find(projectId);
    // The project may have been deleted since.
    if (!(await this.#store.renameProject(projectId, name))) throw projectNotFound(projectId);
    this.#publishChange(project);
    return { ...project, name };
  }

  async delete(projectId: string): Promise<void> {
    const project = await this.#find(projectId);
    await this.#deleteForksOf(project.projectId);
    await this.#store.deleteProject(project.projectId);
    this.#publishChange(project);
  }

  async collaborators(project: ProjectRecord): Promise<Collaborator[]> {
    const find = (ids: readonly string[]): Promise<(User | undefined)[]> =>
      Promise.all(ids.map((id) => this.#users.findUser(id)));
    const editors = await find(project.collaboratorIds);
    const viewers = await find(project.viewerIds ?? []);
    return [
      ...editors.flatMap((user) => (user ? [toCollaborator(user, 'editor')] : [])),
      ...viewers.flatMap((user) => (user ? [toCollaborator(user, 'viewer')] : [])),
    ];
  }

  /** @throws ApiError `userNotFound`, `alreadyExists` (also for the owner, who is a member) */
  async addCollaborator(
    projectId: string,
    email: string,
    role: CollaboratorRole,
  ): Promise<Collaborator> {
    const project = await this.#find(projectId);
    const user = await this.#users.findUserByEmail(email);
    if (!user) throw new ApiError('userNotFound', `user ${shown(email)} does not exist`);
    const isOwner = user.userId === project.ownerId;
    if (isOwner || !(await this.#store.addCollaborator(projectId, user.userId, role))) {
      throw new ApiError('alreadyExists', `user ${shown(email)} is already in the project`);
    }
    this.#publishChange(project, user.userId);
    return toCollaborator(user, role);
  }

  /** @throws ApiError `userNotFound`, also if the user is not a collaborator */
  async changeRole(
    projectId: string,
    email: string,
    role: CollaboratorRole,
  ): Promise<Collaborator> {
    const project = await this.#find(projectId);
    const user = await this.#users.findUserByEmail(email);
    if (!user || !(await this.#store.setCollaboratorRole(projectId, user.userId, role))) {
      throw notCollaborator(email);
    }
    await this.#addressesRenewed(projectId);
    this.#publishChange(project);
    return toCollaborator(user, role);
  }

  /** @throws ApiError `userNotFound`, also if the user is not a collaborator */
  async removeCollaborator(projectId: string, email: string): Promise<void> {
    const project = await this.#find(projectId);
    const user = await this.#users.findUserByEmail(email);
    if (!user || !(await this.#store.removeCollaborator(projectId, user.userId))) {
      throw notCollaborator(email);
    }
    await this.#addressesRenewed(projectId);
    this.#publishChange(project);
  }

  /** @param also ids of users who see the project from now on */
  #publishChange(project: ProjectRecord, ...also: string[]): void {
    const { projectId } = project;
    this.#changes.notifyUsers([...membersOf(project), ...also], { type: 'project', projectId });
  }

  async #find(projectId: string): Promise<ProjectRecord> {
    const project = await this.#store.findProject(projectId);
    if (!project) throw projectNotFound(projectId);
    return project;
  }
}

const notCollaborator = (email: string): ApiError =>
  new ApiError('userNotFound', `user ${shown(email)} is not a collaborator of the project`);

const toCollaborator = ({ nickname, email }: User, role: CollaboratorRole): Collaborator => ({
  nickname,
  email,
  ...(role === 'viewer' ? { role } : {}),
});
