import type { Fork } from '../api/fork';
import type { Hex } from '../api/primitives';
import type { Project, ProjectDetail, ProjectRole } from '../api/project';
import type { RouteInput } from '../api/routes';
import { foundryTestOf } from '../client/foundry-test-file';
import type { AccessKeys, Caller } from '../projects/access-keys';
import type { AuditLog } from '../projects/audit-log';
import type { ProjectRecord } from '../projects/ports';
import type { Projects } from '../projects/projects';
import type { Quotas } from '../projects/quotas';
import type { UsageStatistics } from '../projects/usage';
import { isProjectNotFound } from './access';
import { caseHandlers, type CaseFiles } from './case-handlers';
import type { Handlers } from './context';
import { explorerHandlers } from './explorer-handlers';
import { historyHandlers, type HistoryService } from './history-handlers';
import { keyHandlers } from './key-handlers';
import { requireLocalUser } from './require-local-user';
import { recordingHandlers } from './recording-handlers';
import type {
  AbiService,
  AddressService,
  AddressSourceService,
  AnalysisService,
  ArtifactFolderService,
  BlockDirectory,
  BlockExplorerService,
  ChainDirectory,
  DataDecoderService,
  ForkService,
  LabelService,
  MethodDirectory,
  RecordingService,
  SimulationService,
  SourceService,
  TransactionKey,
  TransactionSearchService,
} from './services';
import { waitOptions } from './wait-options';

export interface HandlerDependencies {
  projects: Projects;
  keys: AccessKeys;
  quotas: Quotas;
  audit: AuditLog;
  usage: UsageStatistics;
  forks: ForkService;
  analysis: AnalysisService;
  simulation: SimulationService;
  sources: SourceService;
  recordings: RecordingService;
  chains: ChainDirectory;
  blocks: BlockDirectory;
  abis: AbiService;
  labels: LabelService;
  search: TransactionSearchService;
  addresses: AddressService;
  addressSources: AddressSourceService;
  abiRegistry: MethodDirectory;
  explorer: BlockExplorerService;
  decoder: DataDecoderService;
  artifactFolders: ArtifactFolderService;
  history: HistoryService;
  cases: CaseFiles;
}

/** Handlers of all REST operations, which call the domain's services. */
export function createHandlers(dependencies: HandlerDependencies): Handlers {
  const {
    projects,
    usage,
    forks,
    analysis,
    simulation,
    sources,
    chains,
    abis,
    labels,
    abiRegistry,
    artifactFolders,
  } = dependencies;

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

  const transactionKey = (
    { chain, transaction }: RouteInput<'getInvocationFlow'>['params'],
    { user }: Caller,
    { proof }: RouteInput<'getInvocationFlow'>['query'] = {},
  ): TransactionKey => ({
    chain,
    hash: transaction,
    user: user.userId,
    isProofAwaited: proof === 'wait',
  });

  /** Only running forks: a search must not wake the others. */
  const runningForks = async ({ user }: Caller): Promise<Fork[]> => {
    const lists = (await projects.list(user.userId)).map(({ projectId }) => forks.list(projectId));
    return (await Promise.all(lists)).flat().filter(({ state }) => state === 'running');
  };

  const abiKey = (
    { chain, address }: RouteInput<'getAbi'>['params'],
    { user }: Caller,
  ): Parameters<AbiService['get']>[0] => ({ user: user.userId, chain, address });

  /** Deletes the new fork if its project was deleted while the fork was created. A fork whose project cannot be looked up now exists. */
  const unlessOrphaned = async (fork: Fork, projectId: string, userId: string): Promise<Fork> => {
    await projects.get(userId, projectId).catch(async (error: unknown) => {
      if (!isProjectNotFound(error)) return;
      await forks.delete(projectId, fork.forkId);
      throw error;
    });
    return fork;
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
    createFork: async ({ params, body }, { user, signal, onProgress }) => {
      const fork = await forks.create(params.project_id, body, { signal, onProgress });
      return unlessOrphaned(fork, params.project_id, user.userId);
    },
    branchFork: async ({ params, body }, { user, signal, onProgress }) => {
      const fork = await forks.branch(params.project_id, params.fork_id, body, {
        signal,
        onProgress,
      });
      return unlessOrphaned(fork, params.project_id, user.userId);
    },
    deleteFork: async ({ params }) => {
      await forks.delete(params.project_id, params.fork_id);
      return null;
    },
    renewForkAddress: ({ params }) => forks.renewAddress(params.project_id, params.fork_id),
    listForks: async ({ params }, { access }) =>
      (await forks.list(params.project_id)).map((fork) => shownTo(access?.role, fork)),
    getFork: async ({ params }, { access }) =>
      shownTo(access?.role, await forks.get(params.project_id, params.fork_id)),
    listForkTransactions: async ({ params, query }) => {
      const page = await forks.transactions(params.project_id, params.fork_id, query);
      const selectors = new Set(page.transactions.map(({ selector }) => selector as Hex));
      const names = await abiRegistry.methodNames(selectors);
      const transactions = page.transactions.map((transaction) => ({
        ...transaction,
        ...(names.get(transaction.selector as Hex) ?? { method: '' }),
      }));
      return { ...page, transactions };
    },
    listSnapshots: ({ params }) => forks.snapshots(params.project_id, params.fork_id),
    createSnapshot: ({ params, body }) =>
      forks.keepSnapshot(params.project_id, params.fork_id, body.name),
    deleteSnapshot: async ({ params }) => {
      await forks.deleteSnapshot(params.project_id, params.fork_id, params.snapshot_id);
      return null;
    },
    revertSnapshot: async ({ params }) => {
      await forks.revertSnapshot(params.project_id, params.fork_id, params.snapshot_id);
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
    putAbi: async ({ params, body }, context) =>
      abis.put(abiKey(params, context), body.contractName, body.abi),
    getAbi: async ({ params }, context) => abis.get(abiKey(params, context)),
    deleteAbi: async ({ params }, context) => {
      await abis.delete(abiKey(params, context));
      return null;
    },
    listLabels: (_, { user }) => labels.list(user.userId),
    putLabel: async ({ body: { name, ...place } }, context) => {
      return labels.put({ ...place, user: context.user.userId }, name);
    },
    deleteLabel: async ({ body }, { user }) => {
      await labels.delete({ ...body, user: user.userId });
      return null;
    },
    findTransaction: async ({ params, query }, context) => {
      const slugs = query.chains?.split(',').filter((slug) => slug !== '');
      const running = await runningForks(context);
      return dependencies.search.find(params.transaction, running, slugs, context.signal);
    },
    getAddress: async ({ params: { chain, address } }, context) => {
      const { user, signal } = context;
      return dependencies.addresses.factsOf(chain, address, user.userId, signal);
    },
    getAddressSource: async ({ params: { chain, address }, query }, context) => {
      const { user, signal } = context;
      const wanted = { chain, address, height: query.block ?? 'latest', file: query.file };
      return dependencies.addressSources.at(wanted, user.userId, signal);
    },
    addArtifactFolders: ({ body: { folders } }, context) => {
      requireLocalUser(
        context,
        'only the local user of this machine can add its folders; give an ABI with PUT /v1/abi instead',
      );
      return Promise.resolve({ folders: [...artifactFolders.add(folders)] });
    },
    listChains: () => Promise.resolve(chains.list()),
    findBlock: ({ params: { chain }, query: { at } }, { signal }) =>
      dependencies.blocks.find(chain, at, { signal }),
    getBalanceChange: async ({ params, query }, context) =>
      analysis.balanceChange(transactionKey(params, context, query), waitOptions(context)),
    getInvocationFlow: async ({ params, query }, context) =>
      analysis.invocationFlow(transactionKey(params, context, query), waitOptions(context)),
    getFundFlow: async ({ params, query }, context) =>
      analysis.fundFlow(transactionKey(params, context, query), waitOptions(context)),
    getStateDiff: async ({ params, query }, context) =>
      analysis.stateDiff(transactionKey(params, context, query), waitOptions(context)),
    getGasProfile: async ({ params, query }, context) =>
      analysis.gasProfile(transactionKey(params, context, query), waitOptions(context)),
    getAnalysis: async ({ params, query }, context) =>
      analysis.all(transactionKey(params, context, query), waitOptions(context)),
    getSourceLocations: async ({ params }, context) =>
      sources.locations(transactionKey(params, context), waitOptions(context)),
    getSimulationSourceLocations: async ({ params: { chain }, body }, context) =>
      sources.ofSimulation(chain, body, context.user.userId, waitOptions(context)),
    getFoundryTest: async ({ params, query }, context) => {
      const key = transactionKey(params, context, query);
      return foundryTestOf(await analysis.all(key, waitOptions(context)));
    },
    simulate: async ({ params: { chain }, body }, context) => {
      return simulation.simulate(chain, body, context.user.userId, waitOptions(context));
    },
    listAudit: ({ query }, { user }) => dependencies.audit.list(query, user.userId),
    getQuota: (_, { user }) => dependencies.quotas.ofUser(user.userId),
    getProjectQuota: ({ params }) => dependencies.quotas.ofProject(params.project_id),
    ...keyHandlers(dependencies.keys),
    ...explorerHandlers(dependencies),
    ...recordingHandlers(dependencies.recordings),
    ...historyHandlers(dependencies.history),
    ...caseHandlers(dependencies.cases),
  };
}

/** A viewer does not get the RPC URL of a fork: it permits every change, to everyone who has it. */
const shownTo = (role: ProjectRole | undefined, fork: Fork): Fork =>
  role === 'viewer' ? { ...fork, rpc: '' } : fork;

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
