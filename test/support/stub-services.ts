import type { PublicChain } from '../../server/api/config';
import type { AppDependencies } from '../../server/http/app';
import { Quotas } from '../../server/projects/quotas';

const ETH: PublicChain = { slug: 'eth', chainId: 1, name: 'Ethereum', nativeSymbol: 'ETH' };

type StubServices = Omit<
  AppDependencies,
  | 'projects'
  | 'usage'
  | 'audit'
  | 'quotas'
  | 'keys'
  | 'admin'
  | 'changes'
  | 'requestsPerMinute'
  | 'log'
>;

/** Quotas without a limit, of projects without forks. */
export const noQuotas = (): Quotas =>
  new Quotas({
    limits: { user: {}, project: {} },
    projects: {
      findProject: () => Promise.resolve(undefined),
      listProjectsOf: () => Promise.resolve([]),
    },
    now: () => 0,
  });

/**
 * What the handlers of REST operations call, on one chain, `eth`, without forks.
 * @param answer of every method that is not set otherwise
 */
export function stubServices(answer: () => Promise<never>): StubServices {
  return {
    forks: {
      create: answer,
      get: answer,
      renewAddress: answer,
      transactions: answer,
      branch: answer,
      snapshots: answer,
      keepSnapshot: answer,
      deleteSnapshot: answer,
      revertSnapshot: answer,
      list: () => Promise.resolve([]),
      delete: () => Promise.resolve(),
      deleteAllOf: () => Promise.resolve(),
      findProjectId: () => Promise.resolve(undefined),
    },
    analysis: {
      balanceChange: answer,
      invocationFlow: answer,
      fundFlow: answer,
      stateDiff: answer,
      gasProfile: answer,
      all: answer,
    },
    simulation: { simulate: answer },
    recordings: {
      recording: answer,
      simulation: answer,
      calls: answer,
      step: answer,
      block: answer,
      bytes: answer,
      variables: answer,
      evaluate: answer,
      find: answer,
      lines: answer,
      instructions: answer,
      file: answer,
      conditions: answer,
      console: answer,
      names: answer,
      writers: answer,
      test: answer,
    },
    sources: { locations: answer, ofSimulation: answer },
    artifactFolders: { add: () => [] },
    cases: { create: answer, open: answer, verify: answer, list: () => [], close: answer },
    history: {
      bisect: answer,
      checkUpgrade: answer,
      touching: answer,
      regress: answer,
      reorder: answer,
    },
    abis: { put: answer, get: answer, delete: answer },
    labels: { list: answer, put: answer, delete: answer },
    search: { find: answer },
    addresses: { factsOf: answer, balancesOf: answer },
    addressSources: { at: answer },
    abiRegistry: { methodNames: answer },
    chains: { list: () => [ETH] },
    blocks: { find: answer },
    explorer: {
      health: answer,
      blocks: answer,
      transactions: answer,
      story: () => [],
      addressTransactions: answer,
      addressOfName: answer,
      activity: answer,
    },
    decoder: { decode: answer },
    local: [],
    adminToken: 'token',
    health: { status: 'ok', version: '1.0.0', instance: 'i' },
    readiness: () => Promise.resolve({ status: 'ready' }),
    metrics: { contentType: 'text/plain', text: answer },
    metricsToken: undefined,
  };
}
