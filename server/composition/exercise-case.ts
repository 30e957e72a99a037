import { newCodeSchema } from '../api/new-code';
import { reorderBody } from '../api/reorder';
import { simulateBody } from '../api/simulate';
import type { Chain } from '../api/config';
import { ApiError } from '../api/errors';
import { addressSchema, type Address, type Hash } from '../api/primitives';
import type { OnProgress } from '../api/progress';
import type { CaseSubject } from '../cases/case-file';
import type { RpcTransaction } from '../evm/forms/types';
import { forkMethod } from '../forks/methods/fork-methods';
import type { Forks } from '../forks/life/forks';
import type { ChainAnalysis } from './analysis-services';

interface Exercise {
  readonly services: ChainAnalysis;
  readonly forks: Forks;
  readonly chain: Chain;
  readonly subject: CaseSubject;
  readonly transaction: RpcTransaction;
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

/** Does with a transaction what the readers of its case will do, so that everything that this reads is read. */
export async function exerciseCase(exercise: Exercise, options: Options): Promise<void> {
  await view(exercise, options);
  await debug(exercise, options);
  const accounts = await lookAround(exercise, options);
  await simulate(exercise, options);
  await askThePast(exercise, accounts, options);
  // Its state may have been changed between blocks: then it cannot be forked by block and position.
  const isFork = exercise.subject.chain.isFork === true;
  await (isFork ? fork(exercise, options).catch(unlessUnsupported) : fork(exercise, options));
}

/** All views, with the sources of the calls. */
async function view({ services, chain, subject, user }: Exercise, options: Options): Promise<void> {
  const { transaction: hash } = subject;
  const key = { chain: chain.slug, hash, user, isProofAwaited: true };
  await services.analysis.all(key, options);
  await services.sources.locations(key, options);
}

/** A recording, with the variables of each contract at the first of its calls. */
async function debug(
  { services: { recordings }, chain, subject, user }: Exercise,
  options: Options,
): Promise<void> {
  const key = { chain: chain.slug, transaction: subject.transaction, user };
  const recording = await recordings.recording(key, options).catch(unlessUnsupported);
  if (!recording) return;
  const { calls } = await recordings.calls(key, { start: 0, count: CALLS }, options);
  const seen = new Set<number | null>([null]);
  for (const { contract, firstStep: step } of calls) {
    if (seen.has(contract) || seen.size > MOST_CONTRACTS) continue;
    seen.add(contract);
    await recordings.variables(key, step, { scope: 'state' }, options).catch(unlessUnsupported);
  }
  await recordings.conditions(key, options).catch(unlessUnsupported);
}

/** The block, and the accounts of the transaction. */
async function lookAround(
  { services, chain: { slug }, subject, user }: Exercise,
  { signal }: Options,
): Promise<ReadonlySet<Address>> {
  const { explorer, addresses, addressSources, analysis } = services;
  await explorer.health(slug, signal).catch(unlessUnsupported);
  await explorer.transactions(slug, subject.block.number, { limit: BLOCK_PAGE }, user, signal);
  const key = { chain: slug, hash: subject.transaction, user };
  const { dataMap } = await analysis.invocationFlow(key, { signal });
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
    for (const height of [subject.block.number, 'latest'] as const) {
      const wanted = { chain: slug, address, height, file: undefined };
      await addressSources.at(wanted, user, signal).catch(unlessUnsupported);
    }
  }
  return accounts;
}

/** The same call, unsent. */
async function simulate(
  { services, chain: { slug }, subject, user, transaction }: Exercise,
  options: Options,
): Promise<void> {
  const { from, to, value, input: data, gas } = transaction;
  const { number: height, position } = subject.block;
  const body = simulateBody.parse({ from, to, value, data, gas, height, position });
  await services.simulation.simulate(slug, body, user, options).catch(unlessUnsupported);
  await services.sources.ofSimulation(slug, body, user, options).catch(unlessUnsupported);
  await services.recordings.simulation(slug, body, { user }, options).catch(unlessUnsupported);
}

/** The block up to the transaction executed again, and who may upgrade the proxies. */
async function askThePast(
  { services: { history }, chain: { slug }, subject, user }: Exercise,
  accounts: ReadonlySet<Address>,
  options: Options,
): Promise<void> {
  const body = reorderBody.parse({ block: Number(subject.block.number), changes: [] });
  await history.reorder(slug, body, user, options).catch(unlessUnsupported);
  for (const address of accounts) {
    // It ends at the first read of what is no proxy.
    await history
      .checkUpgrade(slug, address, NEXT_CODE, user, options.signal)
      .catch(unlessUnsupported);
  }
}

/** A fork right before the transaction, the same transaction on it, and its analysis. */
async function fork(
  { services, forks, chain, subject, user, transaction }: Exercise,
  { signal, onProgress }: Options,
): Promise<void> {
  const { chainId, slug } = chain;
  const { from, to, value, input: data, gas } = transaction;
  const { number: height, position } = subject.block;
  const made = await forks.create(
    PROJECT,
    { chainId, chain: slug, height, position, name: 'case', antiReplay: false, accounts: 'test' },
    { signal, ...(onProgress && { onProgress }) },
  );
  try {
    const open = forks.findBySecret(made.rpc.slice(made.rpc.lastIndexOf('/') + 1));
    const method = forkMethod({
      method: 'eth_sendTransaction',
      params: [{ from, value, data, gas, ...(to === null ? {} : { to }) }],
    });
    if (method.kind !== 'write') throw new Error('a transaction changes a fork');
    const hash = await open?.use((awake) => method.run(awake)).catch(unlessUnsupported);
    if (typeof hash !== 'string') return;
    await services.analysis.all({ chain: made.forkId, hash: hash as Hash, user }, { signal });
  } finally {
    await forks.delete(PROJECT, made.forkId);
  }
}

/** What cannot be done with a transaction cannot be done with its case either. @throws other errors */
function unlessUnsupported(error: unknown): undefined {
  const isOver = error instanceof ApiError && ['cancelled', 'internal'].includes(error.kind);
  if (isOver) throw error;
  return undefined;
}
