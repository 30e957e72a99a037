import type { EVMResult } from '@ethereumjs/evm';
import {
  createAccount,
  createAddressFromString,
  type Address as AddressObject,
} from '@ethereumjs/util';
import type { Address } from '../../api/primitives';
import type { RpcTransaction } from '../../evm/forms/types';
import { isSince, type ExecutedHardfork } from '../../evm/forms/hardfork-order';
import { intrinsicGas } from '../../evm/rules/intrinsic-gas';
import type { BlockState } from './block-state';
import { toLog, type Outcome } from './outcome';
import type { OpenedVm } from './virtual-machine';

interface Place {
  readonly hardfork: ExecutedHardfork;
  /** Fee recipient of the block. */
  readonly miner: Address;
}

/**
 * Executes a transaction that pays no fee and has no signature: a deposit, or a call.
 * @returns undefined if its gas or the balance of its sender is too low to begin
 */
export async function runBareCall(
  opened: OpenedVm,
  state: BlockState,
  transaction: RpcTransaction,
  place: Place,
): Promise<Outcome | undefined> {
  const { vm, block } = opened;
  const { hardfork } = place;
  const caller = createAddressFromString(transaction.from);
  const costs = intrinsicGas({ ...transaction, type: '0x0' }, hardfork);
  const gas = BigInt(transaction.gas);
  const value = BigInt(transaction.value);
  const intrinsic = BigInt(costs?.intrinsic ?? 0);
  const floor = BigInt(costs?.floor ?? 0);
  const { balance = 0n } = (await state.getAccount(caller)) ?? {};
  if (gas < intrinsic || gas < floor || balance < value) return undefined;
  const to = transaction.to === null ? undefined : createAddressFromString(transaction.to);
  await warmUp(opened, place, caller, to);
  await raiseNonce(state, caller);
  const data = Buffer.from(transaction.input.slice(2), 'hex');
  const call = { block, gasPrice: 0n, caller, gasLimit: gas - intrinsic, value, data };
  const target = to === undefined ? {} : { to };
  const result = await vm.evm.runCall({ ...call, ...target, skipNonceIncrement: true });
  await destroy(opened, hardfork, result);
  await vm.evm.journal.cleanup();
  const { execResult } = result;
  const spent = intrinsic + execResult.executionGasUsed;
  const refund = execResult.gasRefund ?? 0n;
  const most = spent / BigInt(costs?.refundDivisor ?? 5);
  const left = spent - (refund < most ? refund : most);
  return {
    failed: execResult.exceptionError !== undefined,
    gasUsed: left < floor ? floor : left,
    logs: (execResult.logs ?? []).map(toLog),
  };
}

export async function raiseNonce(state: BlockState, address: AddressObject): Promise<void> {
  const account = (await state.getAccount(address)) ?? createAccount({});
  account.nonce += 1n;
  await state.putAccount(address, account);
}

/** EIP-2929 and EIP-3651. */
async function warmUp(
  { vm }: OpenedVm,
  { hardfork, miner }: Place,
  caller: AddressObject,
  to: AddressObject | undefined,
): Promise<void> {
  const { journal } = vm.evm;
  await journal.cleanup();
  const warm = [...vm.evm.precompiles.keys(), caller.toString()];
  if (to !== undefined) warm.push(to.toString());
  if (isSince(hardfork, 'shanghai')) warm.push(miner.toLowerCase());
  for (const address of warm) journal.addAlwaysWarmAddress(address);
}

/** EIP-6780: since Cancun, only accounts that the same transaction created are removed. */
async function destroy(
  { vm }: OpenedVm,
  hardfork: ExecutedHardfork,
  { execResult }: EVMResult,
): Promise<void> {
  for (const address of execResult.selfdestruct?.keys() ?? []) {
    const isKept = isSince(hardfork, 'cancun') && !execResult.createdAddresses?.has(address);
    if (!isKept) await vm.evm.journal.deleteAccount(createAddressFromString(address));
  }
}
