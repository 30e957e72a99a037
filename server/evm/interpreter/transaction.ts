import { getCreateAddress } from 'ethers';
import { isSince } from '../forms/hardfork-order';
import { delegate } from './authorizations';
import { enterCreation } from './creation-instructions';
import { delegateOf } from './delegation';
import type { FrameContext, GasMeter } from './frame';
import { accountAccess } from './gas-rules';
import { Halt } from './halt';
import type { Machine } from './machine';

/** Gas of one blob (EIP-4844). */
const GAS_PER_BLOB = 131_072n;
const NO_BYTES = new Uint8Array(0);

/** Enters the frame of the transaction itself, with what happens before its first instruction. */
export function beginTransaction(machine: Machine): void {
  const { world, environment } = machine;
  const { transaction, block } = environment;
  const { from, gas, gasPrice } = transaction;
  const sender = world.account(from);
  const blobFee = BigInt(transaction.blobHashes.length) * GAS_PER_BLOB * block.blobBaseFee;
  world.update(from, {
    balance: sender.balance - BigInt(gas) * gasPrice - blobFee,
    nonce: sender.nonce + 1,
  });
  warmUp(machine);
  const { mark } = world;
  const meter = { gas: splitGas(machine), stateSpill: 0 };
  const { reservoir } = machine;
  try {
    delegate(machine, meter);
    enterFirst(machine, meter);
  } catch (error) {
    if (!(error instanceof Halt)) throw error;
    // EIP-2780: no frame begins, and authorizations have no effect.
    world.revertTo(mark);
    machine.reserve(reservoir);
    machine.refuse(firstFrame(machine, meter), mark, error.reason);
  }
}

/** Sets the gas apart that is for state alone (EIP-8037). @returns the other gas after the intrinsic gas */
function splitGas(machine: Machine): number {
  const { gas, intrinsicGas } = machine.environment.transaction;
  const all = gas - intrinsicGas;
  const { executionLimit = Infinity } = machine.rules.state ?? {};
  const left = Math.min(all, Math.max(0, executionLimit - intrinsicGas));
  machine.reserve(all - left);
  return left;
}

/** Of the transaction, with the code of its recipient or of the creation; without the code of a delegate. */
function firstFrame({ world, environment }: Machine, { gas }: GasMeter): FrameContext {
  const { from, to, value, input } = environment.transaction;
  const output = { offset: 0, length: 0 };
  const common = { caller: from, value, isStatic: false, depth: 0, gas, output };
  if (to !== null) {
    const { code } = world.account(to);
    return { ...common, kind: 'CALL', address: to, codeAddress: to, input, code };
  }
  const nonce = world.account(from).nonce - 1;
  const computed = getCreateAddress({ from, nonce }).toLowerCase();
  const address = environment.cheats?.created(0, undefined, computed) ?? computed;
  const code = input;
  return { ...common, kind: 'CREATE', address, codeAddress: address, input: NO_BYTES, code };
}

/** @throws Halt out of gas before the frame begins (EIP-2780) */
function enterFirst(machine: Machine, meter: GasMeter): void {
  const { world, rules, environment } = machine;
  const { from, to, value } = environment.transaction;
  const first = firstFrame(machine, meter);
  const isNew = (to === null || value > 0n) && world.isEmpty(first.address);
  const accountGas = isNew ? (rules.state?.account ?? 0) : 0;
  if (accountGas > meter.gas + machine.reservoir) throw new Halt('out of gas');
  if (to === null) {
    world.warmAccount(first.address);
    enterCreation(machine, { ...first, accountGas });
    return;
  }
  const target = rules.delegates ? delegateOf(first.code) : undefined;
  let { code } = first;
  if (target !== undefined) {
    const isCold = world.warmAccount(target);
    if (rules.state) machine.charge(meter, accountAccess(rules, isCold));
    ({ code } = world.account(target));
  }
  const { mark } = world;
  world.transfer(from, to, value);
  machine.enter({ ...first, code, gas: meter.gas, accountGas }, mark);
}

/** EIP-2929, EIP-2930, EIP-3651. */
function warmUp({
  world,
  environment: { transaction, block, hardfork, precompiles },
}: Machine): void {
  world.warmAccount(transaction.from);
  if (transaction.to !== null) world.warmAccount(transaction.to);
  for (const address of precompiles) world.warmAccount(address);
  if (isSince(hardfork, 'shanghai')) world.warmAccount(block.coinbase);
  for (const { address, slots } of transaction.accessList) {
    world.warmAccount(address);
    for (const slot of slots) world.warmSlot(address, slot);
  }
}

/** Gas that the transaction pays for, after its end. @param floor least that its data costs (EIP-7623) */
export function gasUsed(machine: Machine, floor = 0): number {
  const { gas } = machine.environment.transaction;
  const used = gas - machine.gasLeft - machine.reservoir;
  const divisor = isSince(machine.environment.hardfork, 'london') ? 5 : 2;
  const refund = Math.min(machine.world.refund, Math.floor(used / divisor));
  return Math.max(used - refund, floor);
}
