import { getCreateAddress } from 'ethers';
import { isSince } from '../../rules/hardfork-order';
import { delegateOf } from './delegation';
import { enterCreation } from './creation-instructions';
import type { Machine } from './machine';

/** Gas of one blob (EIP-4844). */
const GAS_PER_BLOB = 131_072n;
/** EIP-7702: PER_EMPTY_ACCOUNT_COST - PER_AUTH_BASE_COST, for an authority that is in the state. */
const AUTHORITY_REFUND = 12_500;
const NO_BYTES = new Uint8Array(0);

/** Enters the frame of the transaction itself, with what happens before its first instruction. */
export function beginTransaction(machine: Machine): void {
  const { world, environment } = machine;
  const { transaction, block } = environment;
  const { from, to, value, gas, gasPrice, intrinsicGas } = transaction;
  const sender = world.account(from);
  const blobFee = BigInt(transaction.blobHashes.length) * GAS_PER_BLOB * block.blobBaseFee;
  world.update(from, {
    balance: sender.balance - BigInt(gas) * gasPrice - blobFee,
    nonce: sender.nonce + 1,
  });
  warmUp(machine);
  delegate(machine);
  const { mark } = world;
  const common = { caller: from, value, isStatic: false, depth: 0, gas: gas - intrinsicGas };
  const output = { offset: 0, length: 0 };
  if (to === null) {
    const address = getCreateAddress({ from, nonce: sender.nonce }).toLowerCase();
    world.warmAccount(address);
    enterCreation(machine, {
      ...{ ...common, kind: 'CREATE', address, codeAddress: address, output },
      code: transaction.input,
      input: NO_BYTES,
    });
    return;
  }
  world.transfer(from, to, value);
  const own = world.account(to).code;
  const target = machine.rules.delegates ? delegateOf(own) : undefined;
  if (target !== undefined) world.warmAccount(target);
  const code = target === undefined ? own : world.account(target).code;
  const { input } = transaction;
  machine.enter(
    { ...common, kind: 'CALL', address: to, codeAddress: to, input, code, output },
    mark,
  );
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

function delegate({ world, environment }: Machine): void {
  for (const { authority, code } of environment.transaction.delegations) {
    world.warmAccount(authority);
    if (code === undefined) continue;
    if (!world.isEmpty(authority)) world.addRefund(AUTHORITY_REFUND);
    world.update(authority, { code, nonce: world.account(authority).nonce + 1 });
  }
}

/** Gas that the transaction pays for, after its end. @param floor least that its data costs (EIP-7623) */
export function gasUsed(machine: Machine, floor = 0): number {
  const { gas } = machine.environment.transaction;
  const used = gas - machine.gasLeft;
  const divisor = isSince(machine.environment.hardfork, 'london') ? 5 : 2;
  const refund = Math.min(machine.world.refund, Math.floor(used / divisor));
  return Math.max(used - refund, floor);
}
