import { getCreate2Address, getCreateAddress, hexlify, keccak256 } from 'ethers';
import { isSince } from '../../rules/hardfork-order';
import { MAX_DEPTH } from './call-instructions';
import { pop, toIndex, type Execution, type Instruction, type Instructions } from './execution';
import type { Frame, FrameContext } from './frame';
import { CODE_DEPOSIT, COLD_ACCOUNT, NEW_ACCOUNT, wordsIn } from './gas-rules';
import { Halt } from './halt';
import { requireWritable } from './storage-instructions';
import { toAddress, toBytes32 } from './word';

/** EIP-3860. */
const MAX_INIT_CODE = 49_152;
/** EIP-170. */
const MAX_CODE = 24_576;
const HASH_WORD = 6;
/** EIP-2681. */
const MAX_NONCE = Number.MAX_SAFE_INTEGER;
const DESTRUCTION_REFUND = 24_000;
const NO_BYTES = new Uint8Array(0);

const create =
  (kind: 'CREATE' | 'CREATE2'): Instruction =>
  (execution, frame) => {
    requireWritable(frame);
    const { world, rules } = execution;
    const value = pop(frame);
    const offset = pop(frame);
    const length = pop(frame);
    const salt = kind === 'CREATE2' ? pop(frame) : 0n;
    if (rules.initCodeWord > 0 && length > BigInt(MAX_INIT_CODE)) throw new Halt('out of gas');
    const words = wordsIn(toIndex(length));
    execution.charge(frame, words * (rules.initCodeWord + (kind === 'CREATE2' ? HASH_WORD : 0)));
    execution.useMemory(frame, offset, length);
    const code = frame.memory.read(toIndex(offset), Number(length));
    const gas = frame.gas - (rules.is63of64 ? Math.floor(frame.gas / 64) : 0);
    const { address: creator, depth } = frame.context;
    const { balance, nonce } = world.account(creator);
    frame.returned = NO_BYTES;
    if (depth >= MAX_DEPTH || balance < value || nonce >= MAX_NONCE) {
      frame.stack.push(0n);
      return;
    }
    execution.charge(frame, gas);
    world.update(creator, { nonce: nonce + 1 });
    const address =
      kind === 'CREATE2'
        ? getCreate2Address(creator, hexlify(toBytes32(salt)), keccak256(code)).toLowerCase()
        : getCreateAddress({ from: creator, nonce }).toLowerCase();
    if (rules.isWarmth) world.warmAccount(address);
    enterCreation(execution, {
      ...{ kind, address, codeAddress: address, caller: creator, value, code, gas },
      input: NO_BYTES,
      isStatic: false,
      depth: depth + 1,
      output: { offset: 0, length: 0 },
    });
  };

/** Begins a creation. Where the account is a contract already, the collision takes all of the gas. */
export function enterCreation(execution: Execution, context: FrameContext): void {
  const { world, rules } = execution;
  const { address, caller, value } = context;
  const { mark } = world;
  const { nonce, code } = world.account(address);
  if (nonce !== 0 || code.length > 0) {
    execution.enter(context, mark);
    execution.leave({ kind: 'halted', output: NO_BYTES, reason: 'address collision' });
    return;
  }
  world.markCreated(address);
  // EIP-161.
  world.update(address, { nonce: rules.isEmptyGone ? 1 : 0 });
  world.transfer(caller, address, value);
  execution.enter(context, mark);
}

const finish =
  (kind: 'returned' | 'reverted'): Instruction =>
  (execution, frame) => {
    const offset = pop(frame);
    const length = pop(frame);
    execution.useMemory(frame, offset, length);
    const output = frame.memory.read(toIndex(offset), Number(length));
    if (kind === 'returned') deposit(execution, frame, output);
    execution.leave({ kind, output });
  };

/** What a creation returns becomes the code of the account. @throws Halt where it cannot */
function deposit({ world, rules }: Execution, frame: Frame, code: Uint8Array): void {
  const { kind, address } = frame.context;
  if (kind !== 'CREATE' && kind !== 'CREATE2') return;
  if (rules.isEmptyGone && code.length > MAX_CODE) throw new Halt('code too large');
  // EIP-3541.
  if (code[0] === 0xef && isSince(rules.hardfork, 'london')) throw new Halt('invalid code');
  const gas = CODE_DEPOSIT * code.length;
  if (frame.gas < gas) {
    // Before EIP-2 the account stays without code.
    if (isSince(rules.hardfork, 'homestead')) throw new Halt('out of gas');
    return;
  }
  frame.gas -= gas;
  world.update(address, { code });
}

function selfdestruct(execution: Execution, frame: Frame): void {
  requireWritable(frame);
  const { world, rules } = execution;
  const { address } = frame.context;
  const heir = toAddress(pop(frame));
  const { balance } = world.account(address);
  const isCold = rules.isWarmth && world.warmAccount(heir);
  const isNew = rules.isEmptyGone ? balance > 0n && world.isEmpty(heir) : !world.exists(heir);
  const creation = rules.is63of64 && isNew ? NEW_ACCOUNT : 0;
  execution.charge(frame, rules.selfdestruct + (isCold ? COLD_ACCOUNT : 0) + creation);
  // EIP-6780.
  const isGone = !isSince(rules.hardfork, 'cancun') || world.isCreated(address);
  if (heir !== address) world.transfer(address, heir, balance);
  else if (isGone) world.update(address, { balance: 0n });
  if (isGone && world.markDestroyed(address) && !isSince(rules.hardfork, 'london')) {
    world.addRefund(DESTRUCTION_REFUND);
  }
  execution.leave({ kind: 'returned', output: NO_BYTES });
}

export const ENDS_AND_CREATIONS: Instructions = {
  0x00: (execution) => {
    execution.leave({ kind: 'returned', output: NO_BYTES });
  },
  0xf0: create('CREATE'),
  0xf3: finish('returned'),
  0xf5: create('CREATE2'),
  0xfd: finish('reverted'),
  0xff: selfdestruct,
};
