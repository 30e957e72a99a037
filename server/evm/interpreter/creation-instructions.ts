import { getCreate2Address, getCreateAddress, hexlify, keccak256 } from 'ethers';
import { isSince } from '../forms/hardfork-order';
import { MAX_DEPTH } from './call-instructions';
import { pop, toIndex, type Execution, type Instruction, type Instructions } from './execution';
import type { Frame, FrameContext } from './frame';
import { wordsIn } from './gas-rules';
import { Halt } from './halt';
import { requireWritable } from './storage-instructions';
import { logOf } from './transfer-log';
import { toAddress, toBytes32 } from './word';

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
    if (length > rules.maxInitCode && !frame.isFree) throw new Halt('out of gas');
    const words = wordsIn(toIndex(length));
    const hashing = kind === 'CREATE2' ? HASH_WORD : 0;
    execution.charge(frame, rules.create + words * (rules.initCodeWord + hashing));
    execution.useMemory(frame, offset, length);
    const made = frame.memory.read(toIndex(offset), Number(length));
    const code = execution.guide?.initCode(frame, made) ?? made;
    const { depth } = frame.context;
    const creator = execution.senderOf(frame);
    const { balance, nonce } = world.account(creator);
    const computed =
      kind === 'CREATE2'
        ? getCreate2Address(creator, hexlify(toBytes32(salt)), keccak256(code)).toLowerCase()
        : getCreateAddress({ from: creator, nonce }).toLowerCase();
    const address = execution.createdBy(frame, computed);
    // Before the checks, as execution-specs do; EIP-8037 describes it after them.
    const accountGas = world.isEmpty(address) ? (rules.state?.account ?? 0) : 0;
    execution.chargeState(frame, accountGas);
    const gas = frame.gas - (rules.is63of64 ? Math.floor(frame.gas / 64) : 0);
    frame.returned = NO_BYTES;
    if (depth >= MAX_DEPTH || balance < value || nonce >= MAX_NONCE) {
      execution.guide?.refused(frame, world);
      execution.refillState(frame, accountGas);
      frame.stack.push(0n);
      return;
    }
    if (!frame.isFree) execution.charge(frame, gas);
    world.update(creator, { nonce: nonce + 1 });
    if (rules.isWarmth) world.warmAccount(address);
    enterCreation(execution, {
      kind,
      address,
      codeAddress: address,
      caller: creator,
      value,
      code,
      gas,
      accountGas,
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
    execution.refuse(context, mark, 'address collision');
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
function deposit(execution: Execution, frame: Frame, code: Uint8Array): void {
  const { world, rules } = execution;
  const { kind, address } = frame.context;
  if (kind !== 'CREATE' && kind !== 'CREATE2') return;
  if (frame.isFree && execution.guide) {
    world.update(address, { code: execution.guide.deployedCode(frame, code) });
    return;
  }
  if (code.length > rules.maxCode) throw new Halt('code too large');
  // EIP-3541.
  if (code[0] === 0xef && isSince(rules.hardfork, 'london')) throw new Halt('invalid code');
  const { codeDepositByte, codeDepositWord, state } = rules;
  const gas = codeDepositByte * code.length + codeDepositWord * wordsIn(code.length);
  // Before EIP-2 the account stays without code.
  if (frame.gas < gas && !isSince(rules.hardfork, 'homestead')) return;
  execution.charge(frame, gas);
  execution.chargeState(frame, (state?.codeByte ?? 0) * code.length);
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
  const creation = isNew ? rules.newHeir : 0;
  execution.charge(frame, rules.selfdestruct + (isCold ? rules.coldAccount : 0) + creation);
  if (isNew) execution.chargeState(frame, rules.state?.account ?? 0);
  execution.guide?.destroyed(frame, heir, world);
  const log = rules.logsTransfers ? logOf(address, heir, balance) : undefined;
  if (log) world.emit(log);
  // EIP-6780.
  const isGone = !isSince(rules.hardfork, 'cancun') || world.isCreated(address);
  if (heir !== address) world.transfer(address, heir, balance);
  else if (isGone && !rules.keepsEther) world.update(address, { balance: 0n });
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
