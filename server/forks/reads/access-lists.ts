import type { Fields } from '../../evm/forms/fields';
import { invalidParams, isMethodMissing, RpcError } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import { blockNumberOf, headOf } from './block-numbers';
import { checkBlockName, sourceOf } from './named-block';
import type { ForkRead, RunningFork } from './running-fork';
import { RPC_CODES } from '../../api/rpc-codes';

type Params = readonly unknown[];

/** Reads of access lists: EIP-2930 lists of calls, and EIP-7928 lists of blocks. */
export const ACCESS_LIST_READS: Readonly<Record<string, ForkRead>> = {
  eth_getBlockAccessList: async (fork, [block]) => {
    const found = await headerOf(fork, block);
    return found && blockAccessList(fork, found, 'eth_getBlockAccessList');
  },
  debug_getRawBlockAccessList: async (fork, [block]) => {
    checkBlockName(block);
    const found = await headerOf(fork, block);
    if (!found) throw new RpcError(RPC_CODES.invalidInput, `block ${String(block)} not found`);
    return blockAccessList(fork, found, 'debug_getRawBlockAccessList');
  },
};

async function headerOf(fork: RunningFork, block: unknown): Promise<Fields | null> {
  const number = await blockNumberOf(fork, block);
  if (number === undefined || number > headOf(fork)) return null;
  const params = [toQuantity(number), false];
  return (await sourceOf(fork, number).request('eth_getBlockByNumber', params)) as Fields | null;
}

/** @throws RpcError -32001 for a block without a list: blocks before Amsterdam, and all of the fork's own */
function blockAccessList(fork: RunningFork, header: Fields, method: string): Promise<unknown> {
  const number = Number(header['number']);
  if (typeof header['blockAccessListHash'] === 'string' && number <= fork.forkBlock) {
    return fork.upstream.request(method, [header['number']]);
  }
  throw new RpcError(
    RPC_CODES.notFound,
    `block ${number} has no access list: its rules are older than EIP-7928`,
  );
}

/**
 * `eth_createAccessList`. For a call that reverts, the list contains what it touched before, and `error` is the reason. The engine returns
 * an error instead.
 */
export async function createAccessList(fork: RunningFork, params: Params): Promise<unknown> {
  const [call, block = 'latest', ...rest] = params;
  try {
    return await fork.engine.request('eth_createAccessList', [call, block, ...rest]);
  } catch (error) {
    if (!(error instanceof RpcError) || error.code !== 3 || isMethodMissing(error)) throw error;
    return listOfReverted(fork, call, block, error.message);
  }
}

/** Builds the list from a trace: accounts whose storage the call read, and accounts that it called, except its sender and recipient. */
async function listOfReverted(
  { engine }: RunningFork,
  call: unknown,
  block: unknown,
  error: string,
): Promise<unknown> {
  if (typeof call !== 'object' || call === null) throw invalidParams('the call', call, 'an object');
  const traced = (fields: object, tracer: string): Promise<unknown> =>
    engine.request('debug_traceCall', [fields, block, { tracer }]);
  const touched = (await traced(call, 'prestateTracer')) as Record<string, Fields>;
  const { from, to } = call as { from?: string; to?: string };
  const ends = new Set([from ?? `0x${'00'.repeat(20)}`, to].map((one) => one?.toLowerCase()));
  const accessList = Object.entries(touched)
    .map(([address, { storage }]) => ({
      address: address.toLowerCase(),
      storageKeys: Object.keys(storage ?? {}).sort(),
    }))
    .filter(({ address, storageKeys }) => {
      const isListed = storageKeys.length > 0 || !ends.has(address);
      return isListed && BigInt(address) > LAST_PRECOMPILE;
    })
    .filter(({ address, storageKeys }) => storageKeys.length > 0 || touched[address]?.['code']);
  const { gasUsed } = (await traced({ ...call, accessList }, 'callTracer')) as Fields;
  return { accessList, error, gasUsed };
}

/** P256VERIFY (EIP-7951); no contract has such a low address. */
const LAST_PRECOMPILE = 0x100n;
