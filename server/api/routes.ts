import * as z from 'zod';
import { ABI_ROUTES } from './abi';
import { ARTIFACT_FOLDER_ROUTES } from './artifact-folders';
import { AUDIT_ROUTES } from './audit';
import { KEY_ROUTES } from './access-keys';
import { accountSchema, type Scope } from './account';
import { BISECT_ROUTES } from './bisect';
import { CASE_ROUTES } from './cases';
import { CHAIN_BLOCK_ROUTES } from './chain-block';
import { SOURCE_ROUTES } from './contract-source';
import { publicChainSchema } from './config';
import type { ApiErrorName } from './errors';
import { EXPLORER_ROUTES } from './explorer-routes';
import {
  branchForkBody,
  createForkBody,
  forkSchema,
  forkTransactionsQuery,
  forkTransactionsSchema,
} from './fork';
import { LABEL_ROUTES } from './labels';
import { LOOKUP_ROUTES } from './lookup';
import { forkIdSchema, projectIdSchema } from './primitives';
import { QUOTA_ROUTES } from './quota';
import { RECORDING_ROUTES } from './recording-routes';
import { REGRESS_ROUTES } from './regress';
import { REORDER_ROUTES } from './reorder';
import { SNAPSHOT_ROUTES } from './snapshot';
import { UPGRADE_ROUTES } from './upgrade-check';
import {
  addCollaboratorBody,
  changeRoleBody,
  collaboratorBody,
  collaboratorSchema,
  createProjectBody,
  projectDetailSchema,
  projectSchema,
} from './project';

/** One operation of the interface. Paths are in Express's notation; the first one is canonical. */
export interface Route {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  paths: readonly [string, ...string[]];
  summary: string;
  /** Scope that the access key must have; `any`: every valid key. */
  scope: Scope | 'any';
  params: z.ZodType;
  query: z.ZodType;
  body: z.ZodType;
  data: z.ZodType;
  /** Errors besides those that all operations can return. */
  errors: readonly ApiErrorName[];
}

const none = z.object({});
const project = z.object({ project_id: projectIdSchema });
const fork = z.object({ project_id: projectIdSchema, fork_id: forkIdSchema });
/** All operations below `/v1`. The routers, the clients and the OpenAPI document are generated from this table. */
export const ROUTES = {
  createProject: {
    method: 'post',
    paths: ['/v1/project'],
    summary: 'Create a project',
    scope: 'manage',
    params: none,
    query: none,
    body: createProjectBody,
    data: projectSchema,
    errors: ['projectLimit'],
  },
  listProjects: {
    method: 'get',
    paths: ['/v1/projects'],
    summary: 'List the projects, oldest first',
    scope: 'manage',
    params: none,
    query: none,
    body: none,
    data: z.array(projectSchema),
    errors: [],
  },
  getProject: {
    method: 'get',
    paths: ['/v1/project/:project_id'],
    summary: "Query a project's detail",
    scope: 'manage',
    params: project,
    query: none,
    body: none,
    data: projectDetailSchema,
    errors: ['projectNotFound'],
  },
  renameProject: {
    method: 'patch',
    paths: ['/v1/project/:project_id'],
    summary: 'Give a project another name (ours)',
    scope: 'manage',
    params: project,
    query: none,
    body: createProjectBody,
    data: projectSchema,
    errors: ['projectNotFound', 'ownerOnly'],
  },
  deleteProject: {
    method: 'delete',
    paths: ['/v1/project/delete/:project_id', '/v1/project/:project_id'],
    summary: 'Delete a project and its forks',
    scope: 'manage',
    params: project,
    query: none,
    body: none,
    data: z.null(),
    errors: ['projectNotFound', 'ownerOnly'],
  },
  createFork: {
    method: 'post',
    paths: ['/v1/project/:project_id/fork'],
    summary: 'Create a fork',
    scope: 'manage',
    params: project,
    query: none,
    body: createForkBody,
    data: forkSchema,
    errors: [
      'projectNotFound',
      'chainNotFound',
      'blockNotFound',
      'upstreamUnreachable',
      'upstreamLacksData',
      'engineUnavailable',
      'timedOut',
    ],
  },
  branchFork: {
    method: 'post',
    paths: ['/v1/project/:project_id/fork/:fork_id/branch'],
    summary: 'Create a fork with the changes of another fork, up to a transaction (ours)',
    scope: 'manage',
    params: fork,
    query: none,
    body: branchForkBody,
    data: forkSchema,
    errors: [
      'projectNotFound',
      'forkNotFound',
      'transactionNotFound',
      'upstreamUnreachable',
      'upstreamLacksData',
      'engineUnavailable',
      'timedOut',
    ],
  },
  deleteFork: {
    method: 'delete',
    paths: ['/v1/project/:project_id/fork/:fork_id'],
    summary: 'Delete a fork',
    scope: 'manage',
    params: fork,
    query: none,
    body: none,
    data: z.null(),
    errors: ['projectNotFound', 'forkNotFound'],
  },
  renewForkAddress: {
    method: 'post',
    paths: ['/v1/project/:project_id/fork/:fork_id/rpc'],
    summary: 'Give a fork a new JSON-RPC address; the old one stops working at once (ours)',
    scope: 'manage',
    params: fork,
    query: none,
    body: none,
    data: forkSchema,
    errors: ['projectNotFound', 'forkNotFound'],
  },
  listForks: {
    method: 'get',
    paths: ['/v1/project/:project_id/forks'],
    summary: 'List the forks of a project, oldest first',
    scope: 'manage',
    params: project,
    query: none,
    body: none,
    data: z.array(forkSchema),
    errors: ['projectNotFound'],
  },
  getFork: {
    method: 'get',
    paths: ['/v1/project/:project_id/fork/:fork_id'],
    summary: 'Query a fork',
    scope: 'manage',
    params: fork,
    query: none,
    body: none,
    data: forkSchema,
    errors: ['projectNotFound', 'forkNotFound'],
  },
  listForkTransactions: {
    method: 'get',
    paths: ['/v1/project/:project_id/fork/:fork_id/transactions'],
    summary: 'List the transactions made on a fork, newest first (ours)',
    scope: 'manage',
    params: fork,
    query: forkTransactionsQuery,
    body: none,
    data: forkTransactionsSchema,
    errors: ['projectNotFound', 'forkNotFound', 'engineUnavailable'],
  },
  ...SNAPSHOT_ROUTES,
  addCollaborator: {
    method: 'post',
    paths: ['/v1/project/:project_id/collaborators'],
    summary: 'Add a collaborator (ours)',
    scope: 'manage',
    params: project,
    query: none,
    body: addCollaboratorBody,
    data: collaboratorSchema,
    errors: ['projectNotFound', 'ownerOnly', 'userNotFound', 'alreadyExists'],
  },
  changeCollaboratorRole: {
    method: 'patch',
    paths: ['/v1/project/:project_id/collaborators'],
    summary:
      'Change the role of a collaborator (ours). The RPC URLs of the forks are renewed if the user becomes a viewer',
    scope: 'manage',
    params: project,
    query: none,
    body: changeRoleBody,
    data: collaboratorSchema,
    errors: ['projectNotFound', 'ownerOnly', 'userNotFound'],
  },
  removeCollaborator: {
    method: 'delete',
    paths: ['/v1/project/:project_id/collaborators'],
    summary: 'Remove a collaborator (ours)',
    scope: 'manage',
    params: project,
    query: none,
    body: collaboratorBody,
    data: z.null(),
    errors: ['projectNotFound', 'ownerOnly', 'userNotFound'],
  },
  getAccount: {
    method: 'get',
    paths: ['/v1/account'],
    summary: 'The user of the access key (ours)',
    scope: 'any',
    params: none,
    query: none,
    body: none,
    data: accountSchema,
    errors: [],
  },
  ...AUDIT_ROUTES,
  ...KEY_ROUTES,
  ...QUOTA_ROUTES,
  ...ABI_ROUTES,
  ...ARTIFACT_FOLDER_ROUTES,
  ...LABEL_ROUTES,
  listChains: {
    method: 'get',
    paths: ['/v1/chains'],
    summary: 'The chains that can be forked and analyzed (ours)',
    scope: 'any',
    params: none,
    query: none,
    body: none,
    data: z.array(publicChainSchema),
    errors: [],
  },
  ...CHAIN_BLOCK_ROUTES,
  ...LOOKUP_ROUTES,
  ...SOURCE_ROUTES,
  ...EXPLORER_ROUTES,
  ...RECORDING_ROUTES,
  ...BISECT_ROUTES,
  ...UPGRADE_ROUTES,
  ...REGRESS_ROUTES,
  ...REORDER_ROUTES,
  ...CASE_ROUTES,
} as const satisfies Record<string, Route>;

export type RouteId = keyof typeof ROUTES;
type Of<Id extends RouteId, Part extends 'params' | 'query' | 'body'> = z.output<
  (typeof ROUTES)[Id][Part]
>;

/** Validated input of an operation. */
export interface RouteInput<Id extends RouteId> {
  params: Of<Id, 'params'>;
  query: Of<Id, 'query'>;
  body: Of<Id, 'body'>;
}
/** A client's request, in which fields with defaults are optional. */
export interface RouteRequest<Id extends RouteId> {
  params: z.input<(typeof ROUTES)[Id]['params']>;
  query: z.input<(typeof ROUTES)[Id]['query']>;
  body: z.input<(typeof ROUTES)[Id]['body']>;
}
/** `data` of a successful answer. */
export type RouteData<Id extends RouteId> = z.output<(typeof ROUTES)[Id]['data']>;

export const healthSchema = z.object({
  status: z.literal('ok').meta({ description: 'The service answers' }),
  version: z.string().meta({ description: 'Of the service' }),
  instance: z.string().meta({ description: 'Identifies one run of the service' }),
});
export type Health = z.infer<typeof healthSchema>;
