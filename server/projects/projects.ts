import { ApiError, projectNotFound, shown } from '../api/errors';
import type { Collaborator } from '../api/project';
import { membersOf, type ChangeFeed } from './change-feed';
import { newId } from './ids';
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
 * Projects and their access. Owner and collaborators see a project; for all other users it does not exist.
 * Methods with a `userId` throw ApiError `projectNotFound` for projects that this user does not see.
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

  async get(userId: string, projectId: string): Promise<ProjectRecord> {
    const project = await this.#store.findProject(projectId);
    const visible = project?.ownerId === userId || project?.collaboratorIds.includes(userId);
    if (!project || !visible) throw projectNotFound(projectId);
    return project;
  }

  /** @throws ApiError `ownerOnly` */
  async rename(userId: string, projectId: string, name: string): Promise<ProjectRecord> {
    const project = await this.#getOwned(userId, projectId);
    // The project may have been deleted since.
    if (!(await this.#store.renameProject(projectId, name))) throw projectNotFound(projectId);
    this.#publishChange(project);
    return { ...project, name };
  }

  /** @throws ApiError `ownerOnly` */
  async delete(userId: string, projectId: string): Promise<void> {
    const project = await this.#getOwned(userId, projectId);
    await this.#deleteForksOf(project.projectId);
    await this.#store.deleteProject(project.projectId);
    this.#publishChange(project);
  }

  async collaborators(project: ProjectRecord): Promise<Collaborator[]> {
    const users = await Promise.all(project.collaboratorIds.map((id) => this.#users.findUser(id)));
    return users.flatMap((user) => (user ? [toCollaborator(user)] : []));
  }

  /** @throws ApiError `ownerOnly`, `userNotFound`, `alreadyExists` (also for the owner, who is a member) */
  async addCollaborator(userId: string, projectId: string, email: string): Promise<Collaborator> {
    return this.#add(await this.#getOwned(userId, projectId), email);
  }

  /** @throws ApiError `ownerOnly`, `userNotFound` (also if the user is not a collaborator) */
  async removeCollaborator(userId: string, projectId: string, email: string): Promise<void> {
    await this.#remove(await this.#getOwned(userId, projectId), email);
  }

  /** As `addCollaborator`, for the administrator of the service instead of the owner. */
  async addCollaboratorAsAdmin(projectId: string, email: string): Promise<Collaborator> {
    return this.#add(await this.#find(projectId), email);
  }

  /** As `removeCollaborator`, for the administrator of the service instead of the owner. */
  async removeCollaboratorAsAdmin(projectId: string, email: string): Promise<void> {
    await this.#remove(await this.#find(projectId), email);
  }

  async #add(project: ProjectRecord, email: string): Promise<Collaborator> {
    const user = await this.#users.findUserByEmail(email);
    if (!user) throw new ApiError('userNotFound', `user ${shown(email)} does not exist`);
    const isOwner = user.userId === project.ownerId;
    if (isOwner || !(await this.#store.addCollaborator(project.projectId, user.userId))) {
      throw new ApiError('alreadyExists', `user ${shown(email)} is already in the project`);
    }
    this.#publishChange(project, user.userId);
    return toCollaborator(user);
  }

  async #remove(project: ProjectRecord, email: string): Promise<void> {
    const user = await this.#users.findUserByEmail(email);
    if (!user || !(await this.#store.removeCollaborator(project.projectId, user.userId))) {
      throw new ApiError(
        'userNotFound',
        `user ${shown(email)} is not a collaborator of the project`,
      );
    }
    await this.#addressesRenewed(project.projectId);
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

  async #getOwned(userId: string, projectId: string): Promise<ProjectRecord> {
    const project = await this.get(userId, projectId);
    if (project.ownerId !== userId) {
      throw new ApiError('ownerOnly', `only the owner of project ${projectId} may do this`);
    }
    return project;
  }
}

const toCollaborator = ({ nickname, email }: User): Collaborator => ({ nickname, email });
