import { ApiError, chainNotFound } from '../api/errors';
import type { Fork } from '../api/fork';
import type { Hex } from '../api/primitives';
import type { Project, ProjectDetail } from '../api/project';
import type { RouteInput } from '../api/routes';
import { foundryTestOf } from '../client/foundry-test-file';
import type { Caller } from '../projects/access-keys';
import { isLocalUser } from '../projects/local-user';
import type { ProjectRecord } from '../projects/ports';
import type { Projects } from '../projects/projects';
import type { UsageStatistics } from '../projects/usage';
import type { Handlers } from './context';
import { explorerHandlers } from './explorer-handlers';
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

  const detail = async (project: ProjectRecord, { user }: Caller): Promise<ProjectDetail> => {
    const [stats, forksOfProject, collaborators] = await Promise.all([
      usage.of(project.projectId),
      forks.list(project.projectId),
      projects.collaborators(project),
    ]);
    return {
      ...toProject(project),
      stats,
      fokDetail: forksOfProject.map(toForkSummary),
      collaboratorDetail: { collaboratorNum: collaborators.length, collaborators },
      role: project.ownerId === user.userId ? 'owner' : 'collaborator',
    };
  };

  /** A fork that the caller must not see is reported as an unknown chain. */
  const requireChain = async (chain: string, { user }: Caller): Promise<void> => {
    const slugs = chains.list().map(({ slug }) => slug);
    const accepted = [...slugs, 'or the id of a fork'];
    if (!slugs.includes(chain)) {
      const projectId = await forks.findProjectId(chain);
      if (projectId === undefined) throw chainNotFound(chain, accepted);
      await projects.get(user.userId, projectId).catch((error: unknown) => {
        throw isProjectNotFound(error) ? chainNotFound(chain, accepted) : error;
      });
    }
  };

  const transactionKey = async (
    { chain, transaction }: RouteInput<'getInvocationFlow'>['params'],
    caller: Caller,
    { proof }: RouteInput<'getInvocationFlow'>['query'] = {},
  ): Promise<TransactionKey> => {
    await requireChain(chain, caller);
    const user = caller.user.userId;
    return { chain, hash: transaction, user, isProofAwaited: proof === 'wait' };
  };

  /** Only running forks: a search must not wake the others. */
  const runningForks = async ({ user }: Caller): Promise<Fork[]> => {
    const lists = (await projects.list(user.userId)).map(({ projectId }) => forks.list(projectId));
    return (await Promise.all(lists)).flat().filter(({ state }) => state === 'running');
  };

  const abiKey = async (
    { chain, address }: RouteInput<'getAbi'>['params'],
    caller: Caller,
  ): Promise<Parameters<AbiService['get']>[0]> => {
    await requireChain(chain, caller);
    return { user: caller.user.userId, chain, address };
  };

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
      detail(await projects.get(context.user.userId, params.project_id), context),
    renameProject: async ({ params, body }, { user }) =>
      toProject(await projects.rename(user.userId, params.project_id, body.name)),
    deleteProject: async ({ params }, { user }) => {
      await projects.delete(user.userId, params.project_id);
      return null;
    },
    createFork: async ({ params, body }, { user, signal, onProgress }) => {
      const { projectId } = await projects.get(user.userId, params.project_id);
      const fork = await forks.create(projectId, body, { signal, onProgress });
      return unlessOrphaned(fork, projectId, user.userId);
    },
    branchFork: async ({ params, body }, { user, signal, onProgress }) => {
      const { projectId } = await projects.get(user.userId, params.project_id);
      const fork = await forks.branch(projectId, params.fork_id, body, { signal, onProgress });
      return unlessOrphaned(fork, projectId, user.userId);
    },
    deleteFork: async ({ params }, { user }) => {
      const { projectId } = await projects.get(user.userId, params.project_id);
      await forks.delete(projectId, params.fork_id);
      return null;
    },
    renewForkAddress: async ({ params }, { user }) => {
      const { projectId } = await projects.get(user.userId, params.project_id);
      return forks.renewAddress(projectId, params.fork_id);
    },
    listForks: async ({ params }, { user }) => {
      const { projectId } = await projects.get(user.userId, params.project_id);
      return forks.list(projectId);
    },
    getFork: async ({ params }, { user }) => {
      const { projectId } = await projects.get(user.userId, params.project_id);
      return forks.get(projectId, params.fork_id);
    },
    listForkTransactions: async ({ params, query }, { user }) => {
      const { projectId } = await projects.get(user.userId, params.project_id);
      const page = await forks.transactions(projectId, params.fork_id, query);
      const selectors = new Set(page.transactions.map(({ selector }) => selector as Hex));
      const names = await abiRegistry.methodNames(selectors);
      const transactions = page.transactions.map((transaction) => ({
        ...transaction,
        method: names.get(transaction.selector as Hex) ?? '',
      }));
      return { ...page, transactions };
    },
    listSnapshots: async ({ params }, { user }) => {
      const { projectId } = await projects.get(user.userId, params.project_id);
      return forks.snapshots(projectId, params.fork_id);
    },
    createSnapshot: async ({ params, body }, { user }) => {
      const { projectId } = await projects.get(user.userId, params.project_id);
      return forks.keepSnapshot(projectId, params.fork_id, body.name);
    },
    deleteSnapshot: async ({ params }, { user }) => {
      const { projectId } = await projects.get(user.userId, params.project_id);
      await forks.deleteSnapshot(projectId, params.fork_id, params.snapshot_id);
      return null;
    },
    revertSnapshot: async ({ params }, { user }) => {
      const { projectId } = await projects.get(user.userId, params.project_id);
      await forks.revertSnapshot(projectId, params.fork_id, params.snapshot_id);
      return null;
    },
    addCollaborator: ({ params, body }, { user }) =>
      projects.addCollaborator(user.userId, params.project_id, body.email),
    removeCollaborator: async ({ params, body }, { user }) => {
      await projects.removeCollaborator(user.userId, params.project_id, body.email);
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
      abis.put(await abiKey(params, context), body.contractName, body.abi),
    getAbi: async ({ params }, context) => abis.get(await abiKey(params, context)),
    deleteAbi: async ({ params }, context) => {
      await abis.delete(await abiKey(params, context));
      return null;
    },
    listLabels: (_, { user }) => labels.list(user.userId),
    putLabel: async ({ body: { name, ...place } }, context) => {
      if (place.chain !== undefined) await requireChain(place.chain, context);
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
      await requireChain(chain, context);
      const { user, signal } = context;
      return dependencies.addresses.factsOf(chain, address, user.userId, signal);
    },
    getAddressSource: async ({ params: { chain, address }, query }, context) => {
      await requireChain(chain, context);
      const { user, signal } = context;
      const wanted = { chain, address, height: query.block ?? 'latest', file: query.file };
      return dependencies.addressSources.at(wanted, user.userId, signal);
    },
    addArtifactFolders: ({ body: { folders } }, { user }) => {
      if (!isLocalUser(user)) {
        throw new ApiError(
          'localUserOnly',
          'only the local user of this machine can add its folders; give an ABI with PUT /v1/abi instead',
        );
      }
      return Promise.resolve({ folders: [...artifactFolders.add(folders)] });
    },
    listChains: () => Promise.resolve(chains.list()),
    findBlock: ({ params: { chain }, query: { at } }, { signal }) =>
      dependencies.blocks.find(chain, at, { signal }),
    getBalanceChange: async ({ params, query }, context) =>
      analysis.balanceChange(await transactionKey(params, context, query), waitOptions(context)),
    getInvocationFlow: async ({ params, query }, context) =>
      analysis.invocationFlow(await transactionKey(params, context, query), waitOptions(context)),
    getFundFlow: async ({ params, query }, context) =>
      analysis.fundFlow(await transactionKey(params, context, query), waitOptions(context)),
    getStateDiff: async ({ params, query }, context) =>
      analysis.stateDiff(await transactionKey(params, context, query), waitOptions(context)),
    getGasProfile: async ({ params, query }, context) =>
      analysis.gasProfile(await transactionKey(params, context, query), waitOptions(context)),
    getAnalysis: async ({ params, query }, context) =>
      analysis.all(await transactionKey(params, context, query), waitOptions(context)),
    getSourceLocations: async ({ params }, context) =>
      sources.locations(await transactionKey(params, context), waitOptions(context)),
    getFoundryTest: async ({ params, query }, context) => {
      const key = await transactionKey(params, context, query);
      return foundryTestOf(await analysis.all(key, waitOptions(context)));
    },
    simulate: async ({ params: { chain }, body }, context) => {
      await requireChain(chain, context);
      return simulation.simulate(chain, body, context.user.userId, waitOptions(context));
    },
    ...explorerHandlers(dependencies, requireChain),
    ...recordingHandlers(dependencies.recordings, requireChain),
  };
}

const isProjectNotFound = (error: unknown): boolean =>
  error instanceof ApiError && error.kind === 'projectNotFound';

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
