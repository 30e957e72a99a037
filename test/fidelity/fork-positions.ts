import type { Address, Hash } from '../../server/api/primitives';
import type { Fork } from '../../server/api/fork';
import { toQuantity, toWord } from '../../server/evm/forms/quantity';
import { post, type RpcReply } from '../support/json-rpc';
import { localProject, type TestService } from '../support/service';
import type { Random } from './random-programs/random';
import type { Executed, PlayedBlock } from './reference/chain';
import type { AccountState, WorldState } from './reference/state';
import type { Judgement } from './verdict';

/** Number of calls per batch. */
const BATCH = 100;
const NOTHING: AccountState = { balance: 0n, nonce: 0, code: '0x', storage: new Map() };

interface Call {
  what: string;
  method: string;
  params: unknown[];
  expected: string;
}

/** A block whose forks are judged. */
export interface ForkedBlock {
  /** 1 if it is left out. */
  chainId?: number;
  number: bigint;
  transactions: readonly Pick<Executed, 'before' | 'after'>[];
  /** State after the block. */
  state: WorldState;
}

/** Positions to test in a block: the start, after the first transaction, some random ones, and the end. */
export function positionsOf(
  { transactions }: Pick<ForkedBlock, 'transactions'>,
  random: Random,
  some: number,
): number[] {
  const all = transactions.length;
  const inside = Array.from({ length: some }, () => 1 + random.number(all));
  return [...new Set([0, 1, ...inside, all])];
}

/**
 * Creates a fork at a position of a block, and compares every account that the block changes with the reference.
 * A fork that reports an unfaithful replay is marked.
 */
export async function judgeFork(
  service: TestService,
  chain: string,
  { context, transactions, state }: PlayedBlock,
  position: number,
): Promise<Judgement> {
  const forked: ForkedBlock = { number: context.number, transactions, state };
  return judgeForkOf(service, chain, forked, position);
}

/** As `judgeFork`, for blocks of any chain. */
export async function judgeForkOf(
  service: TestService,
  chain: string,
  forked: ForkedBlock,
  position: number,
): Promise<Judgement> {
  const { number, chainId = 1 } = forked;
  const height = toQuantity(number);
  const path = `/v1/project/${await localProject(service)}/fork`;
  const body = { name: 'position', chainId, chain, height, position };
  const { code, message, data } = await service.request<Fork>('POST', path, { body });
  if (code !== 0) return { verdict: 'marked', why: `${code} ${message}` };
  const why = await difference(data.rpc, callsAt(forked, position));
  await service.request('DELETE', `${path}/${data.forkId}`);
  if (why === undefined) return { verdict: 'right' };
  return { verdict: data.replay?.faithful === false ? 'marked' : 'wrong', why };
}

function callsAt({ transactions, state }: ForkedBlock, position: number): Call[] {
  const start = transactions[0]!.before;
  // After the last transaction the block is complete: before the merge its fee recipient then has the reward.
  const isOver = position === transactions.length;
  const here = isOver ? state : (transactions[position - 1]?.after ?? start);
  const worlds = [start, here, state];
  return [...new Set(worlds.flatMap((world) => [...world.keys()]))].flatMap((address) =>
    accountCalls(address, here, worlds),
  );
}

function accountCalls(address: Address, here: WorldState, worlds: readonly WorldState[]): Call[] {
  const all = worlds.map((world) => world.get(address) ?? NOTHING);
  const { balance, nonce, code, storage } = here.get(address) ?? NOTHING;
  const changes = (read: (account: AccountState) => unknown): boolean =>
    new Set(all.map(read)).size > 1;
  const call = (what: string, method: string, expected: string, ...params: string[]): Call => ({
    what: `${what} of ${address}`,
    method,
    expected,
    params: [address, ...params, 'latest'],
  });
  const slots = new Set(all.flatMap((account) => [...account.storage.keys()]));
  const changed = [...slots].filter((slot) => changes((account) => account.storage.get(slot)));
  const isTouched =
    changed.length > 0 ||
    changes((account) => account.balance) ||
    changes((account) => account.nonce) ||
    changes((account) => account.code);
  if (!isTouched) return [];
  return [
    call('balance', 'eth_getBalance', toQuantity(balance)),
    call('nonce', 'eth_getTransactionCount', toQuantity(nonce)),
    call('code', 'eth_getCode', code),
    ...changed.map((slot: Hash) =>
      call(`slot ${slot}`, 'eth_getStorageAt', storage.get(slot) ?? toWord(0), slot),
    ),
  ];
}

type Answers = readonly (RpcReply & { id: number })[];

async function difference(url: string, calls: readonly Call[]): Promise<string | undefined> {
  for (let from = 0; from < calls.length; from += BATCH) {
    const batch = calls.slice(from, from + BATCH);
    const requests = batch.map(({ method, params }, id) => ({
      jsonrpc: '2.0',
      id,
      method,
      params,
    }));
    const reply = (await post(url, JSON.stringify(requests))) as Answers | RpcReply;
    if (!Array.isArray(reply))
      throw new Error(`the fork does not answer: ${JSON.stringify(reply)}`);
    const answers: Answers = reply;
    for (const [id, { what, expected }] of batch.entries()) {
      const answer = answers.find((one) => one.id === id);
      if (answer?.result === expected) continue;
      const instead = JSON.stringify(answer?.error ?? answer?.result ?? null);
      return `${what}: expected ${expected}, answered ${instead}`;
    }
  }
  return undefined;
}
