import { keccak256 } from 'ethers';
import { UnknownResult } from './environment';
import { pop, type Execution, type Instruction, type Instructions } from './execution';
import type { Frame } from './frame';
import { accountAccess } from './gas-rules';
import { toAddress, wordAt } from './word';

const pushed =
  (of: (execution: Execution, frame: Frame) => bigint): Instruction =>
  (execution, frame) => {
    frame.stack.push(of(execution, frame));
  };

/** Charges for reading an account. @param before cost of it before EIP-2929 */
export function chargeAccount(
  execution: Execution,
  frame: Frame,
  address: string,
  before: number,
): void {
  const { rules, world } = execution;
  const access = rules.isWarmth ? accountAccess(rules, world.warmAccount(address)) : before;
  execution.charge(frame, access);
}

const EMPTY_HASH = BigInt(keccak256('0x'));

export const CONTEXT: Instructions = {
  0x30: pushed((_, { context }) => BigInt(context.address)),
  0x31: (execution, frame) => {
    const address = toAddress(pop(frame));
    chargeAccount(execution, frame, address, execution.rules.balance);
    frame.stack.push(execution.world.account(address).balance);
  },
  0x32: pushed(({ environment }) => BigInt(environment.transaction.from)),
  0x33: pushed((_, { context }) => BigInt(context.caller)),
  0x34: pushed((_, { context }) => context.value),
  0x35: (_, frame) => {
    const offset = pop(frame);
    const { input } = frame.context;
    frame.stack.push(offset < BigInt(input.length) ? wordAt(input, Number(offset)) : 0n);
  },
  0x36: pushed((_, { context }) => BigInt(context.input.length)),
  0x38: pushed((_, { context }) => BigInt(context.code.length)),
  0x3a: pushed(({ environment }) => environment.transaction.gasPrice),
  0x3b: (execution, frame) => {
    const address = toAddress(pop(frame));
    chargeAccount(execution, frame, address, execution.rules.extCode);
    execution.charge(frame, execution.rules.codeRead);
    frame.stack.push(BigInt(execution.world.account(address).code.length));
  },
  0x3d: pushed((_, { returned }) => BigInt(returned.length)),
  0x3f: (execution, frame) => {
    const address = toAddress(pop(frame));
    chargeAccount(execution, frame, address, execution.rules.extCodeHash);
    frame.stack.push(codeHash(execution, address));
  },
  0x40: ({ environment: { block } }, frame) => {
    const number = pop(frame);
    const isRecent = number < block.number && number + 256n >= block.number;
    const hash = isRecent ? block.hashes.get(number) : 0n;
    if (hash === undefined)
      throw new UnknownResult(`the hash of block ${number} is not known`, number);
    frame.stack.push(hash);
  },
  0x41: pushed(({ environment }) => BigInt(environment.block.coinbase)),
  0x42: pushed(({ environment }) => environment.block.timestamp),
  0x43: pushed(({ environment }) => environment.block.number),
  0x44: pushed(({ environment }) => environment.block.random),
  0x45: pushed(({ environment }) => environment.block.gasLimit),
  0x46: pushed(({ environment }) => environment.chainId),
  0x47: pushed(({ world }, { context }) => world.account(context.address).balance),
  0x48: pushed(({ environment }) => environment.block.baseFee),
  0x49: ({ environment }, frame) => {
    const index = pop(frame);
    const { blobHashes } = environment.transaction;
    frame.stack.push(index < BigInt(blobHashes.length) ? (blobHashes[Number(index)] ?? 0n) : 0n);
  },
  0x4a: pushed(({ environment }) => environment.block.blobBaseFee),
  0x4b: pushed(({ environment }) => environment.block.slot),
};

function codeHash({ world }: Execution, address: string): bigint {
  if (world.isEmpty(address)) return 0n;
  const { code } = world.account(address);
  return code.length === 0 ? EMPTY_HASH : BigInt(keccak256(code));
}
