import { pop, toIndex, type Execution, type Instruction, type Instructions } from './execution';
import type { Frame } from './frame';
import { CALL_STIPEND, COLD_SLOT, storeCost, WARM_ACCESS } from './gas-rules';
import { Halt } from './halt';

const LOG_BYTE = 8;

/** @throws Halt in a static call (EIP-214) */
export function requireWritable({ context }: Frame): void {
  if (context.isStatic) throw new Halt('write in a static call');
}

const log: Instruction = (execution, frame, byte) => {
  requireWritable(frame);
  const offset = pop(frame);
  const length = pop(frame);
  const topics = Array.from({ length: byte - 0xa0 }, () => pop(frame));
  execution.charge(frame, LOG_BYTE * toIndex(length));
  execution.useMemory(frame, offset, length);
  const data = frame.memory.read(toIndex(offset), Number(length));
  execution.emit(frame, { address: frame.context.address, topics, data });
};

function store(execution: Execution, frame: Frame): void {
  requireWritable(frame);
  const { world, rules } = execution;
  const { address } = frame.context;
  // EIP-2200: enough must be left for a call that may write.
  const hasSentry = rules.sstore !== 'simple' && rules.sstore !== 'eip1283';
  if (hasSentry && !frame.isFree && frame.gas <= CALL_STIPEND) throw new Halt('out of gas');
  const slot = pop(frame);
  const value = pop(frame);
  const cold = rules.isWarmth && world.warmSlot(address, slot) ? rules.coldStore : 0;
  const current = world.storage(address, slot);
  const original = world.original(address, slot);
  const { gas, refund } = storeCost(rules, { original, current, value });
  execution.charge(frame, gas + cold);
  if (refund !== 0) world.addRefund(refund);
  if (rules.state && original === 0n) payForSlot(execution, frame, current, value);
  execution.store(frame, slot, value);
}

/** EIP-8037, for a slot that was empty before the transaction. */
function payForSlot(execution: Execution, frame: Frame, current: bigint, value: bigint): void {
  const gas = execution.rules.state?.slot ?? 0;
  if (current === 0n && value !== 0n) execution.chargeState(frame, gas);
  if (current !== 0n && value === 0n) execution.refillState(frame, gas);
}

export const STORAGE: Instructions = {
  0x54: (execution, frame) => {
    const { world, rules } = execution;
    const slot = pop(frame);
    const { address } = frame.context;
    const warmth = (): number => (world.warmSlot(address, slot) ? COLD_SLOT : WARM_ACCESS);
    execution.charge(frame, rules.isWarmth ? warmth() : rules.sload);
    execution.loaded(frame, slot, false);
    frame.stack.push(world.storage(address, slot));
  },
  0x55: store,
  0x5c: (execution, frame) => {
    const slot = pop(frame);
    execution.loaded(frame, slot, true);
    frame.stack.push(execution.world.transient(frame.context.address, slot));
  },
  0x5d: (execution, frame) => {
    requireWritable(frame);
    const slot = pop(frame);
    execution.storeTransient(frame, slot, pop(frame));
  },
  0xa0: log,
  0xa1: log,
  0xa2: log,
  0xa3: log,
  0xa4: log,
};
