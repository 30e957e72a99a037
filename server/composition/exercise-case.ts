import { newCodeSchema } from '../api/new-code';
import { reorderBody } from '../api/reorder';
import type { Chain } from '../api/config';
import { ApiError } from '../api/errors';
import { addressSchema, type Address, type Hash, type Hex } from '../api/primitives';
import type { InvocationFlow } from '../api/explorer';
import type { OnProgress } from '../api/progress';
import { simulateBody, type SimulateBody } from '../api/simulate';
import type { Analysis } from '../api/views';
import type { SubjectAnalysis } from '../cases/case-subject';
import type { RpcClient } from '../evm/forms/json-rpc';
import type { RpcTransaction } from '../evm/forms/types';
import { forkMethod } from '../forks/methods/fork-methods';
import type { Forks } from '../forks/life/forks';
import type { ChainAnalysis } from './analysis-services';

interface Exercise {
  readonly services: ChainAnalysis;
  readonly forks: Forks;
  readonly chain: Chain;
  /** Node of the chain, or of the fork. */
  readonly client: RpcClient;
  /** Whether the blocks are those of a fork. */
  readonly isFork: boolean;
  readonly analysis: SubjectAnalysis;
  /** Id of the user whose labels and ABIs count. */
  readonly user: string;
}

interface Options {
  readonly signal: AbortSignal;
  readonly onProgress?: OnProgress;
}

/** An upgrade to it makes the check read all that it may read. */
const NEXT_CODE = newCodeSchema.parse({
  code: '0x00',
  abi: [
    {
      type: 'function',
      name: 'initialize',
      inputs: [],
      outputs: [],
      stateMutability: 'nonpayable',
    },
  ],
});
/** Project of the fork that is made and deleted; no user has it. */
const PROJECT = 'project_of_recordings';
/** Contracts whose variables are read. */
const MOST_CONTRACTS = 64;
const CALLS = 1_000;
/** Transactions of the block that are listed at first. */
const BLOCK_PAGE = 25;
/** Accounts whose facts and sources are read. */
const MOST_ADDRESSES = 64;

/** Does with an analysis what the readers of its case will do, so that everything that this reads is read. */
export async function exerciseCase(exercise: Exercise, options: Options): Promise<void> {
  const { analysis } = exercise;
  const call =
    'transaction' in analysis
      ? await transaction(exercise, analysis.transaction, options)
      : await simulation(exercise, analysis.simulation, options);
  // Its state may have been changed between blocks: then it cannot be forked by block and position.
  const made = fork(exercise, call, options);
  await (exercise.isFork ? made.catch(unlessUnsupported) : made);
}

/** @returns the call as a simulation */
async function transaction(
  exercise: Exercise,
  hash: Hash,
  options: Options,
): Promise<SimulateBody> {
  const { services, chain, client, analysis, user } = exercise;
  const key = { chain: chain.slug, hash, user, isProofAwaited: true };
  await services.analysis.all(key, options);
  await services.sources.locations(key, options);
  await debug(exercise, hash, options);
  const { dataMap } = await services.analysis.invocationFlow(key, options);
  const accounts = await lookAround(exercise, dataMap, options);
  const found = await client.request('eth_getTransactionByHash', [hash], options);
  const { from, to, value, input: data, gas } = found as RpcTransaction;
  const { number: height, position } = analysis.block;
  const body = simulateBody.parse({ from, to, value, data, gas, height, position });
  await simulate(exercise, body, options).catch(unlessUnsupported);
  await askThePast(exercise, accounts, options);
  return body;
}

/** @returns the call as it is simulated */
async function simulation(
  exercise: Exercise,
  body: SimulateBody,
  options: Options,
): Promise<SimulateBody> {
  const { dataMap } = await simulate(exercise, body, options);
  await lookAround(exercise, dataMap, options);
  return body;
}

/** Recordings of the executed codes and of unoptimized builds. */
async function debug(exercise: Exercise, subject: Hash, options: Options): Promise<void> {
  await debugBuild(exercise, subject, 'executed', options);
  await debugBuild(exercise, subject, 'unoptimized', options);
}

/** A recording, with the variables of each contract at the first of its calls. */
async function debugBuild(
  { services: { recordings }, chain, user }: Exercise,
  subject: Hash,
  build: 'executed' | 'unoptimized',
  options: Options,
): Promise<void> {
  const key = { chain: chain.slug, transaction: subject, user, build };
  const recording = await recordings.recording(key, options).catch(unlessUnsupported);
  if (recording?.build !== build) return;
  const { calls } = await recordings.calls(key, { start: 0, count: CALLS }, options);
  const seen = new Set<number | null>([null]);
  for (const { contract, firstStep: step } of calls) {
    if (seen.has(contract) || seen.size > MOST_CONTRACTS) continue;
    seen.add(contract);
    await recordings.variables(key, step, { scope: 'state' }, options).catch(unlessUnsupported);
  }
  await recordings.conditions(key, options).catch(unlessUnsupported);
}

/** The block, and the accounts of the calls. */
async function lookAround(
  { services, chain: { slug }, analysis: { block }, user }: Exercise,
  dataMap: InvocationFlow['dataMap'],
  { signal }: Options,
): Promise<ReadonlySet<Address>> {
  const { explorer, addresses, addressSources } = services;
  await explorer.health(slug, signal).catch(unlessUnsupported);
  await explorer.transactions(slug, block.number, { limit: BLOCK_PAGE }, user, signal);
  const accounts = new Set<Address>();
  for (const node of Object.values(dataMap)) {
    if (!('invocation' in node) || accounts.size >= MOST_ADDRESSES) continue;
    for (const text of [node.invocation.fromAddress, node.invocation.address]) {
      const { data: address } = addressSchema.safeParse(text);
      if (address !== undefined) accounts.add(address);
    }
  }
  for (const address of accounts) {
    await addresses.factsOf(slug, address, user, signal).catch(unlessUnsupported);
    for (const height of [block.number, 'latest'] as const) {
      const wanted = { chain: slug, address, height, file: undefined };
      await addressSources.at(wanted, user, signal).catch(unlessUnsupported);
    }
  }
  return accounts;
}

/** A call, unsent, with its recording. */
async function simulate(
  exercise: Exercise,
  body: SimulateBody,
  options: Options,
): Promise<Analysis> {
  const { services, chain, user } = exercise;
  const { slug } = chain;
  const analysis = await services.simulation.simulate(slug, body, user, options);
  await services.sources.ofSimulation(slug, body, user, options).catch(unlessUnsupported);
  const recording = await services.recordings
    .simulation(slug, body, { user }, options)
    .catch(unlessUnsupported);
  if (recording) await debug(exercise, recording.transaction as Hash, options);
  return analysis;
}

/** The block up to the transaction executed again, and who may upgrade the proxies. */
async function askThePast(
  { services: { history }, chain: { slug }, analysis: { block }, user }: Exercise,
  accounts: ReadonlySet<Address>,
  { signal }: Options,
): Promise<void> {
  const body = reorderBody.parse({ block: Number(block.number), changes: [] });
  // Without progress: its stages are of another operation.
  await history.reorder(slug, body, user, { signal }).catch(unlessUnsupported);
  for (const address of accounts) {
    // It ends at the first read of what is no proxy.
    await history.checkUpgrade(slug, address, NEXT_CODE, user, signal).catch(unlessUnsupported);
  }
}

/** A fork right before the call, the same call on it, and its analysis. */
async function fork(
  { services, forks, chain, analysis, user }: Exercise,
  { from, to, value, data, input, gas }: SimulateBody,
  { signal, onProgress }: Options,
): Promise<void> {
  const { chainId, slug } = chain;
  const { number, position } = analysis.block;
  const height: Hex = `0x${BigInt(number).toString(16)}`;
  const made = await forks.create(
    PROJECT,
    { chainId, chain: slug, height, position, name: 'case', antiReplay: false, accounts: 'test' },
    { signal, ...(onProgress && { onProgress }) },
  );
  try {
    const open = forks.findBySecret(made.rpc.slice(made.rpc.lastIndexOf('/') + 1));
    const call = { from, value, data: data ?? input ?? '0x' };
    const method = forkMethod({
      method: 'eth_sendTransaction',
      params: [{ ...call, ...(gas === undefined ? {} : { gas }), ...(to ? { to } : {}) }],
    });
    if (method.kind !== 'write') throw new Error('a transaction changes a fork');
    const hash = await open?.use((awake) => method.run(awake)).catch(unlessUnsupported);
    if (typeof hash !== 'string') return;
    await services.analysis.all({ chain: made.forkId, hash: hash as Hash, user }, { signal });
  } finally {
    await forks.delete(PROJECT, made.forkId);
  }
}

/** What cannot be done with an analysis cannot be done with its case either. @throws other errors */
function unlessUnsupported(error: unknown): undefined {
  const isOver = error instanceof ApiError && ['cancelled', 'internal'].includes(error.kind);
  if (isOver) throw error;
  return undefined;
}
