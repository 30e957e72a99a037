import type { Variable } from '../../api/recording';
import { toQuantity, toWord } from '../../evm/forms/quantity';
import type { DebuggedTransaction } from '../session/debugged-transaction';
import type { Frame, FrameContext } from '../../evm/interpreter/frame';
import type { Machine } from '../../evm/interpreter/machine';
import { slotKey } from '../recording/recording';

/** Variables that need no source. */
export type RawScope = 'storage' | 'transient' | 'gas';

export function rawVariables(
  debugged: DebuggedTransaction,
  machine: Machine,
  frame: Frame,
  scope: RawScope,
): Variable[] {
  switch (scope) {
    case 'storage':
      return touchedSlots(debugged, machine, frame.context);
    case 'transient':
      return slots(debugged, machine, frame.context, true);
    case 'gas':
      return gas(machine, frame);
  }
}

const number = (name: string, value: bigint): Variable => ({
  name,
  type: 'uint256',
  value: value.toString(),
  raw: toQuantity(value),
});

function gas(machine: Machine, frame: Frame): Variable[] {
  const { world, frames, environment, reservoir, rules } = machine;
  const { transaction } = environment;
  const left = frames.reduce((sum, one) => sum + one.gas, reservoir);
  return [
    number('gasleft()', BigInt(frame.gas)),
    number('gas of the call', BigInt(frame.context.gas)),
    number('gas used by the transaction', BigInt(transaction.gas - left)),
    number('gas limit of the transaction', BigInt(transaction.gas)),
    number('refund counter', BigInt(world.refund)),
    ...(rules.state ? [number('gas for state alone', BigInt(reservoir))] : []),
  ];
}

/** A slot of the frame's account, also one that the transaction does not touch. It may have to be read first (`UntouchedState.reading`). */
export function slotVariable(
  debugged: DebuggedTransaction,
  machine: Machine,
  frame: Frame,
  slot: bigint,
): Variable {
  const { address } = frame.context;
  const base = { name: toWord(slot), type: 'bytes32', location: 'storage' as const, address };
  const known = machine.world.knownStorage(address, slot);
  if (known !== undefined) {
    const before = machine.world.knownOriginal(address, slot) ?? known;
    return { ...base, slot: toWord(slot), ...valueOf(known, before) };
  }
  const other = debugged.untouched.storage(address, slot) ?? 'its value is not read';
  if (typeof other === 'string') {
    const unavailable = `the transaction does not touch the slot: ${other}`;
    return { ...base, slot: toWord(slot), value: '', unavailable };
  }
  const { value, assumption } = typeof other === 'bigint' ? { value: other } : other;
  return {
    ...base,
    slot: toWord(slot),
    ...valueOf(value, value),
    ...(assumption !== undefined && { assumption }),
  };
}

function valueOf(
  value: bigint,
  before: bigint,
): Pick<Variable, 'value' | 'raw' | 'changed' | 'before'> {
  const changed = value !== before;
  const word = toWord(value);
  return { value: word, raw: word, changed, ...(changed && { before: toWord(before) }) };
}

/** The slots of an account's storage that the whole transaction reads or writes, by number. */
export const touchedSlots = (
  debugged: DebuggedTransaction,
  machine: Machine,
  context: Pick<FrameContext, 'address'>,
): Variable[] => slots(debugged, machine, context, false);

function slots(
  { recording }: DebuggedTransaction,
  { world }: Machine,
  context: Pick<FrameContext, 'address'>,
  isTransient: boolean,
): Variable[] {
  const prefix = slotKey(context.address, 0n, isTransient).slice(0, -1);
  const found = new Set<bigint>();
  for (const key of recording.loads.keys()) {
    if (key.startsWith(prefix)) found.add(BigInt(`0x${key.slice(prefix.length)}`));
  }
  for (const store of recording.stores) {
    if (store.isTransient !== isTransient) continue;
    if (recording.frames[store.frame]?.context.address === context.address) found.add(store.slot);
  }
  return [...found]
    .sort((a, b) => (a < b ? -1 : 1))
    .map((slot) => {
      const value = isTransient
        ? world.transient(context.address, slot)
        : world.storage(context.address, slot);
      const before = isTransient ? 0n : world.original(context.address, slot);
      return {
        name: toWord(slot),
        type: 'bytes32',
        location: isTransient ? ('transient' as const) : ('storage' as const),
        address: context.address,
        slot: toWord(slot),
        ...valueOf(value, before),
      };
    });
}
