import { ApiError, chainNotFound } from '../api/errors';
import { TEST_CHAIN } from '../api/recorded-test';
import { includesRole, type ProjectRole } from '../api/project';
import { ROUTE_ROLES } from '../api/route-roles';
import type { RouteId } from '../api/routes';
import type { Projects } from '../projects/projects';
import type { ChainDirectory, ForkService } from './services';

export interface AccessDependencies {
  projects: Pick<Projects, 'get'>;
  forks: Pick<ForkService, 'findProjectId'>;
  chains: ChainDirectory;
}

/** The project that a request concerns, and the caller's role in it. */
export interface ProjectAccess {
  projectId: string;
  ownerId: string;
  role: ProjectRole;
}

/** The parts of a validated input that can name a project or a chain. */
interface Named {
  params: { project_id?: string; chain?: string };
  body: { chain?: string | undefined; at?: { chain: string } | undefined };
}

/** Checks each request against `ROUTE_ROLES`. */
export class Access {
  constructor(private readonly dependencies: AccessDependencies) {}

  /**
   * @param input validated
   * @returns undefined if the request concerns no project
   * @throws ApiError `projectNotFound`, or `chainNotFound` where a fork is named as a chain, for what the user does not see; `ownerOnly`
   *   and `roleMissing` for a role that does not suffice
   */
  async check(id: RouteId, input: unknown, userId: string): Promise<ProjectAccess | undefined> {
    const needed = ROUTE_ROLES[id];
    if (needed === 'none') return undefined;
    const { params, body } = input as Named;
    if (params.project_id !== undefined) return this.#require(params.project_id, userId, needed);
    const chain = params.chain ?? body.chain ?? body.at?.chain;
    return chain === undefined ? undefined : this.#requireChain(chain, userId, needed);
  }

  async #require(projectId: string, userId: string, needed: ProjectRole): Promise<ProjectAccess> {
    const { project, role } = await this.dependencies.projects.get(userId, projectId);
    if (includesRole(role, needed)) return { projectId, ownerId: project.ownerId, role };
    throw needed === 'owner'
      ? new ApiError('ownerOnly', `only the owner of project ${projectId} may do this`)
      : new ApiError(
          'roleMissing',
          `your role in project ${projectId} is ${role}; this operation needs ${needed}`,
        );
  }

  /** A fork that the caller must not see is reported as an unknown chain. */
  async #requireChain(
    chain: string,
    userId: string,
    needed: ProjectRole,
  ): Promise<ProjectAccess | undefined> {
    // The id of its recording, which nobody can guess, is the right to see it.
    if (chain === TEST_CHAIN) return undefined;
    const { chains, forks } = this.dependencies;
    const slugs = chains.list().map(({ slug }) => slug);
    if (slugs.includes(chain)) return undefined;
    const unknown = chainNotFound(chain, [...slugs, 'or the id of a fork']);
    const projectId = await forks.findProjectId(chain);
    if (projectId === undefined) throw unknown;
    return this.#require(projectId, userId, needed).catch((error: unknown) => {
      throw isProjectNotFound(error) ? unknown : error;
    });
  }
}

export const isProjectNotFound = (error: unknown): boolean =>
  error instanceof ApiError && error.kind === 'projectNotFound';
