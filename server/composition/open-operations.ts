import type { Logger } from 'pino';
import { GivenAbis } from '../store/user-supplied/given-abis';
import { GivenLabels } from '../store/user-supplied/given-labels';
import { addProjects, type AccountServices } from './account-services';
import { hasBlocks } from './has-blocks';
import { joinCluster, type Cluster } from './join-cluster';
import type { ForkFoundation, OpenForks } from './open-forks';
import { createOperations, type Operations } from './operations';
import type { Options } from './startup/options';
import type { Stops } from './stops';

/** What clients ask for, besides the forks: the fifth stage of a start. */
export interface OpenOperations {
  abis: GivenAbis;
  labels: GivenLabels;
  operations: Operations;
  accounts: AccountServices;
  cluster: Cluster | undefined;
}

/** @param afterForks what stops after the forks */
export async function openOperations(
  options: Options,
  foundation: ForkFoundation,
  opened: OpenForks,
  log: Logger,
  { stops, afterForks }: { stops: Stops; afterForks: Stops },
): Promise<OpenOperations> {
  const { data, nodes, opened: on } = foundation;
  const { storage } = data;
  const { forks } = opened;
  const abis = new GivenAbis(storage.abis, log);
  const labels = new GivenLabels(storage.labels, log);
  const operations = await operate(options, foundation, opened, { abis, labels }, log);
  stops.add(operations.close);
  const cluster =
    nodes &&
    joinCluster({
      nodes,
      feed: data.accounts.feed,
      forks,
      hasBlocks: (chainId) => hasBlocks(on.chains, on.answerFiles, chainId),
      simulated: operations.simulated,
      log,
    });
  if (cluster) afterForks.add(() => cluster.close());
  const accounts = addProjects(data.accounts, {
    storage,
    projectLimit: options.config.limits.projectsPerUser,
    clock: () => new Date(),
    deleteForksOf: forks.deleteAllOf.bind(forks),
    addressesRenewed: async (projectId) => {
      await forks.adoptAddresses(projectId);
      await cluster?.addressesRenewed(projectId);
    },
  });
  return { abis, labels, operations, accounts, cluster };
}

function operate(
  { dataDir, config, solc, localUser }: Options,
  { data, engines, opened, nodes }: ForkFoundation,
  { forks, executions }: OpenForks,
  { abis, labels }: { abis: GivenAbis; labels: GivenLabels },
  log: Logger,
): Promise<Operations> {
  return createOperations({
    ...opened.executionFiles,
    config,
    chains: opened.chains,
    upstreamOf: opened.upstreamOf,
    gateway: opened.gateway,
    rules: opened.rules,
    startEngine: engines.startEngine,
    executions,
    forks,
    sandbox: engines.sandbox,
    compiled: engines.compiled,
    given: abis,
    userLabels: labels,
    dataDir,
    ownClients: opened.ownClients,
    solcFolders: { given: solc, dataDir, isShown: localUser },
    onProof: (userIds, result) => {
      data.accounts.feed.notifyUsers(userIds, { type: 'analysis', ...result });
    },
    simulatedElsewhere: nodes?.others.simulated.bind(nodes.others),
    log,
  });
}
