import type { Common } from '@ethereumjs/common';
import { getOpcodesForHF, paramsEVM, type EVMOpts } from '@ethereumjs/evm';
import type { Address, Hash, Hex } from '../../api/primitives';
import { toWord } from '../../evm/forms/quantity';
import { OPCODES } from '../prefix/opcodes';
import type { Frames } from './frames';

type CustomOpcode = Extract<
  NonNullable<EVMOpts['customOpcodes']>[number],
  { logicFunction: unknown }
>;
type Logic = CustomOpcode['logicFunction'];
type RunState = Parameters<Logic>[0];

/** What the hooks of one virtual machine report to. */
export interface HookTarget {
  /** Of the current transaction; undefined if its calls are not recorded. */
  frames: Frames | undefined;
  /** Result of BLOBBASEFEE, in wei, if it is not the price of the header. */
  blobBaseFee?: bigint | undefined;
  /** Whether the current transaction executed BLOBBASEFEE. */
  readsBlobBaseFee: boolean;
}

const BLOBBASEFEE = 0x4a;
const MAX_DEPTH = 1_024;
const [LOG0, LOG4] = [0xa0, 0xa4];
const CALLS: ReadonlyMap<number, string> = new Map([
  [0xf1, 'CALL'],
  [0xf2, 'CALLCODE'],
  [0xf4, 'DELEGATECALL'],
  [0xfa, 'STATICCALL'],
]);
const CREATIONS: ReadonlyMap<number, string> = new Map([
  [0xf0, 'CREATE'],
  [0xf5, 'CREATE2'],
]);

/**
 * The instructions that are observed, each with its own gas and logic: those that make calls or logs or destroy a contract. The virtual machine's own `step` event copies the stack and the memory at every instruction.
 */
export function observedInstructions(
  common: Common,
  target: HookTarget,
  hasTransferLogs: boolean,
): CustomOpcode[] {
  common.updateParams(paramsEVM);
  const { handlers, dynamicGasHandlers, opcodes } = getOpcodesForHF(common);
  const observed: CustomOpcode[] = [];
  for (const [code, { name, fee }] of opcodes) {
    const logic = handlers.get(code);
    const observe = observerOf(code, hasTransferLogs);
    if (!logic || !observe) continue;
    const gasFunction = dynamicGasHandlers.get(code);
    const instruction: CustomOpcode = {
      opcode: code,
      opcodeName: name,
      baseFee: fee,
      logicFunction: (state, rules) => observe(target, state, () => logic(state, rules)),
    };
    if (gasFunction !== undefined) instruction.gasFunction = gasFunction;
    observed.push(instruction);
  }
  return observed;
}

type Observe = (
  target: HookTarget,
  state: RunState,
  run: () => void | Promise<void>,
) => void | Promise<void>;

function observerOf(code: number, hasTransferLogs: boolean): Observe | undefined {
  if (code === BLOBBASEFEE) return readBlobBaseFee;
  if (code === OPCODES.SELFDESTRUCT) return (...observed) => destroy(hasTransferLogs, ...observed);
  if (code >= LOG0 && code <= LOG4) return (...observed) => log(code - LOG0, ...observed);
  const call = CALLS.get(code);
  if (call !== undefined) return (...observed) => callBy(call, ...observed);
  const creation = CREATIONS.get(code);
  return creation === undefined ? undefined : (...observed) => create(creation, ...observed);
}

function readBlobBaseFee(
  target: HookTarget,
  state: RunState,
  run: Parameters<Observe>[2],
): void | Promise<void> {
  target.readsBlobBaseFee = true;
  if (target.blobBaseFee === undefined) return run();
  state.stack.push(target.blobBaseFee);
}

async function callBy(
  type: string,
  target: HookTarget,
  state: RunState,
  run: Parameters<Observe>[2],
): Promise<void> {
  const hasValue = type === 'CALL' || type === 'CALLCODE';
  const [, to = 0n, ...rest] = state.stack.peek(hasValue ? 5 : 4);
  const [value, offset, length] = hasValue ? rest : [0n, ...rest];
  const from = selfOf(state);
  const input = (): Hex => bytesOf(state, offset, length);
  target.frames?.ask({ type, from, to: addressOf(to), value: value ?? 0n, input });
  await run();
  target.frames?.answered(refusalOf(state));
}

async function create(
  type: string,
  target: HookTarget,
  state: RunState,
  run: Parameters<Observe>[2],
): Promise<void> {
  const [value = 0n, offset, length] = state.stack.peek(3);
  const input = (): Hex => bytesOf(state, offset, length);
  target.frames?.ask({ type, from: selfOf(state), to: undefined, value, input });
  await run();
  target.frames?.answered(refusalOf(state));
}

async function destroy(
  hasTransferLogs: boolean,
  { frames }: HookTarget,
  state: RunState,
  run: Parameters<Observe>[2],
): Promise<void> {
  const [to = 0n] = state.stack.peek(1);
  const { balance } = state.env.contract;
  try {
    await run();
  } catch (error) {
    // It ends the call by STOP.
    if ((error as { error?: unknown }).error === 'stop') {
      if (hasTransferLogs) frames?.transferred(selfOf(state), addressOf(to), balance);
      frames?.destroyed(selfOf(state), addressOf(to), balance);
    }
    throw error;
  }
}

async function log(
  count: number,
  { frames }: HookTarget,
  state: RunState,
  run: Parameters<Observe>[2],
): Promise<void> {
  const [offset, length, ...topics] = state.stack.peek(2 + count);
  await run();
  frames?.log(
    selfOf(state),
    topics.map((topic): Hash => toWord(topic)),
    bytesOf(state, offset, length),
  );
}

/** Why a call did not begin. */
const refusalOf = ({ env }: RunState): string =>
  env.depth >= MAX_DEPTH ? 'max call depth exceeded' : 'insufficient balance for transfer';

/** The gas of the instruction is paid, so the length is bounded, and the memory extends to it. */
const bytesOf = ({ memory }: RunState, offset = 0n, length = 0n): Hex =>
  length === 0n ? '0x' : hexOf(memory.read(Number(offset), Number(length), true));

const selfOf = ({ env }: RunState): Address => hexOf(env.address.bytes);

const addressOf = (word: bigint): Address => `0x${toWord(word).slice(26)}`;

const hexOf = (bytes: Uint8Array): Hex =>
  `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;
