import type { Fields } from '../../evm/forms/fields';
import { RpcError, type RpcCall } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import { isOpcodeTrace, requireListable } from '../../execution/prefix/opcode-trace-bound';
import { deriveTrace, isDerived } from '../reads/derived-traces';
import { blockNumberOf, headOf } from '../reads/block-numbers';
import { FILTER_METHODS } from '../reads/filter-methods';
import { createAccessList } from '../reads/access-lists';
import { READS_ACROSS_FORK_POINT } from '../reads/reads-across-fork-point';
import { REPLAYED_READS } from '../reads/replayed-reads';
import type { ForkRead, RunningFork } from '../reads/running-fork';
import { namedBlock } from '../reads/state-block';
import { traceOlderCall } from '../reads/traces';
import { completionOf } from '../reads/transaction-times';
import { withBlobPrice } from '../simulations/priced-call';
import { simulate } from '../simulations/simulate';
import { callOnNextBlock, isOnNextBlock } from '../writes/next-block-calls';
import { ACCOUNTS } from './accounts';
import { FAUCET } from './faucet';
import { read, write, type Check, type ForkMethod } from './fork-method';
import { boundGas } from './gas-bound';
import { CALLS, canonicalName, CHANGES, READS, REFUSED } from './method-names';
import { changeCalls, checkTracer, stateParameters } from './method-parameters';
import { MINING } from './mining';
import { OWN_ANSWERS } from './own-answers';
import { PORTABLE_STATE } from './portable-state';
import { BUNDLES, SENDS } from './sends';
import { SETTINGS } from './settings';
import { SIGNING } from './signing';
import { RPC_CODES } from '../../api/rpc-codes';

const OWN_METHODS = new Map([
  ...OWN_ANSWERS,
  ...ACCOUNTS,
  ...SIGNING,
  ...SENDS,
  ...BUNDLES,
  ...MINING,
  ...SETTINGS,
  ...PORTABLE_STATE,
]);

/** Methods that execute without changing anything, and need more than the engine's own method. */
const OWN_CALLS: ReadonlyMap<string, ForkRead> = new Map([
  ['eth_createAccessList', createAccessList],
  ['eth_simulateV1', simulate],
]);

/**
 * The rules of a fork's JSON-RPC address: an allow list, so that the address can be given to a stranger.
 * @throws RpcError for a method that is not offered, or parameters that are not accepted
 */
export function forkMethod({ method: original, params }: RpcCall): ForkMethod {
  if (Object.hasOwn(REFUSED, original)) {
    throw new RpcError(
      RPC_CODES.notSupported,
      `${original} is not offered on a fork: ${REFUSED[original] ?? ''}`,
    );
  }
  const method = canonicalName(original);
  if (method.startsWith('debug_trace')) checkTracer(params[method === 'debug_traceCall' ? 2 : 1]);
  const reads = READS_ACROSS_FORK_POINT.get(method) ?? FILTER_METHODS.get(method);
  if (reads) return read(reads)(params);
  if (READS.has(method)) return pass({ method, params: stateParameters(method, params) });
  if (CALLS.has(method)) {
    const call = boundGas({ method, params });
    if (isOnNextBlock(call)) return onNextBlock(call);
    const own =
      method === 'debug_traceCall' && isDerived(params[2]) ? traceDerived : OWN_CALLS.get(method);
    if (!own) return pass(call);
    const isPriced = method !== 'eth_simulateV1';
    return read((fork, given) => {
      const answer = (): Promise<unknown> => own(fork, given).catch(withoutBlock);
      return isPriced ? withPriceOfBlock(fork, call, answer) : answer();
    })(call.params);
  }
  if (CHANGES.has(method)) return change(changeCalls(original, method, params));
  const gives = FAUCET.get(method);
  if (gives) return write(gives)(params);
  const own = OWN_METHODS.get(method);
  if (own) return own(params);
  throw new RpcError(
    RPC_CODES.methodNotFound,
    `the method ${original} does not exist or is not available`,
  );
}

function pass(call: RpcCall): ForkMethod {
  const { method, params } = call;
  const replayed = REPLAYED_READS.get(method);
  const complete = completionOf(method, params);
  const isOnPending = CALLS.has(method) && params[1] === 'pending';
  const namesBlock = isOnPending || namedBlock(call) !== undefined;
  const check: Check | undefined =
    method === 'debug_traceCall' && isOpcodeTrace(params[2])
      ? ({ engine }) => requireListable(engine, params)
      : undefined;
  if (!complete && !namesBlock) {
    return { kind: 'pass', call, ...(replayed && { replayed }), ...(check && { check }) };
  }
  const ask = async (fork: RunningFork): Promise<unknown> => {
    if (method === 'debug_traceCall') {
      const older = await olderBlock(fork, params);
      if (older !== undefined) return traceOlderCall(fork, params, older);
    }
    await check?.(fork);
    return replayed && fork.replayed
      ? replayed(fork, fork.replayed, params)
      : fork.engine.request(method, params);
  };
  return read(async (fork) => {
    if (!namesBlock) return complete?.(fork, await ask(fork));
    const answer = (): Promise<unknown> => ask(fork).catch(withoutBlock);
    return CALLS.has(method) ? withPriceOfBlock(fork, call, answer) : answer();
  })(params);
}

const onNextBlock = (call: RpcCall): ForkMethod =>
  read((fork) => {
    const time = fork.writer.nextTime;
    const answer = callOnNextBlock(fork.engine, call, time);
    return withBlobPrice(fork, call, 'pending', answer, time);
  })([]);

/** Executes a call with the price of blob gas of its block, which the engine has for the newest block alone. */
async function withPriceOfBlock(
  fork: RunningFork,
  call: RpcCall,
  ask: () => Promise<unknown>,
): Promise<unknown> {
  if (call.params[1] === 'pending') return withBlobPrice(fork, call, 'pending', ask());
  const older = await olderOfFork(fork, call);
  return older === undefined ? ask() : withBlobPrice(fork, call, older, ask());
}

/** The number of the block that a call names, as a quantity, if it is one of the fork and not the newest. */
async function olderOfFork(fork: RunningFork, call: RpcCall): Promise<string | undefined> {
  const number = await blockNumberOf(fork, namedBlock(call)).catch(() => undefined);
  const isOlder = number !== undefined && number > fork.forkBlock && number < headOf(fork);
  return isOlder ? toQuantity(number) : undefined;
}

/** Traces a call with a tracer that is derived from other tracers. */
async function traceDerived(fork: RunningFork, params: readonly unknown[]): Promise<unknown> {
  const [call, block = 'latest', options] = params;
  const replayed = REPLAYED_READS.get('debug_traceCall');
  const source = { position: {}, hardfork: fork.hardfork };
  return deriveTrace(options as Fields, source, async (one) => {
    const asked = [call, block, one];
    const older = await olderBlock(fork, asked);
    if (older !== undefined) return traceOlderCall(fork, asked, older);
    return fork.replayed && replayed
      ? replayed(fork, fork.replayed, asked)
      : fork.engine.request('debug_traceCall', asked);
  });
}

/** The number of the block that a call names, if it is before the block that the engine forked from. */
async function olderBlock(
  fork: RunningFork,
  params: readonly unknown[],
): Promise<number | undefined> {
  const block = namedBlock({ method: 'debug_traceCall', params });
  const number = block === undefined ? undefined : await blockNumberOf(fork, block);
  return number !== undefined && number < fork.forkBlock ? number : undefined;
}

/** The engine reports invalid parameters. EIP-1898 recommends the code for a missing resource. */
function withoutBlock(error: unknown): never {
  const isMissing = error instanceof RpcError && error.message.startsWith('BlockOutOfRangeError');
  throw isMissing
    ? new RpcError(RPC_CODES.notFound, error.message.replace(/^\w+/, 'block not found'))
    : error;
}

const change = (calls: readonly RpcCall[]): ForkMethod =>
  write(async ({ writer }) => {
    let result: unknown = null;
    for (const call of calls) result = await writer.change(call).catch(withoutSlot);
    return result;
  })([]);

/** The engine reports a token without a known slot as an internal error. */
function withoutSlot(error: unknown): never {
  if (!(error instanceof RpcError) || !error.message.startsWith('Unable to set ERC20')) throw error;
  throw new RpcError(
    RPC_CODES.unavailable,
    'no storage slot of the allowance was found: the account is not an ERC-20 token, or stores allowances in an unusual way; set the slot with anvil_setStorageAt',
  );
}
