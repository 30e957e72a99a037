import { delegateOf } from './delegation';
import { pop, toIndex, type Execution, type Instruction, type Instructions } from './execution';
import type { Frame, FrameContext } from './frame';
import { accountAccess, CALL_STIPEND } from './gas-rules';
import { Halt } from './halt';
import { requireWritable } from './storage-instructions';
import { toAddress } from './word';

type CallKind = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL';

/** Of the chain of calls below the transaction's own. */
export const MAX_DEPTH = 1_024;
const NO_BYTES = new Uint8Array(0);

interface CallRequest {
  readonly kind: CallKind;
  readonly gas: bigint;
  readonly to: string;
  readonly value: bigint;
  readonly input: Uint8Array;
  readonly output: FrameContext['output'];
}

const call =
  (kind: CallKind): Instruction =>
  (execution, frame) => {
    const gas = pop(frame);
    const to = toAddress(pop(frame));
    const value = kind === 'CALL' || kind === 'CALLCODE' ? pop(frame) : 0n;
    const [inputAt, inputLength] = [pop(frame), pop(frame)];
    const [outputAt, outputLength] = [pop(frame), pop(frame)];
    if (kind === 'CALL' && value > 0n) requireWritable(frame);
    execution.useMemory(frame, inputAt, inputLength);
    execution.useMemory(frame, outputAt, outputLength);
    const input = frame.memory.read(toIndex(inputAt), Number(inputLength));
    const output = { offset: toIndex(outputAt), length: Number(outputLength) };
    begin(execution, frame, { kind, gas, to, value, input, output });
  };

function begin(execution: Execution, frame: Frame, request: CallRequest): void {
  const { world } = execution;
  const { kind, to, value } = request;
  const { code, isNew } = chargeTarget(execution, frame, request);
  const accountGas = isNew ? (execution.rules.state?.account ?? 0) : 0;
  execution.chargeState(frame, accountGas);
  const passed = passedGas(execution, frame, request.gas);
  if (!frame.isFree) execution.charge(frame, passed);
  const gas = passed + (value > 0n ? CALL_STIPEND : 0);
  const { context } = frame;
  frame.returned = NO_BYTES;
  const sender = execution.senderOf(frame);
  const isTooDeep = context.depth >= MAX_DEPTH;
  if (isTooDeep || world.account(sender).balance < value) {
    if (!frame.isFree) frame.gas += gas;
    execution.guide?.refused(frame, world);
    execution.refillState(frame, accountGas);
    frame.stack.push(0n);
    return;
  }
  const keeps = kind === 'CALLCODE' || kind === 'DELEGATECALL';
  const { mark } = world;
  if (kind === 'CALL') {
    if (value > 0n) world.transfer(sender, to, value);
    else if (!execution.rules.isEmptyGone) world.update(to, {});
  }
  execution.enter(
    {
      kind,
      address: keeps ? context.address : to,
      codeAddress: to,
      caller: kind === 'DELEGATECALL' ? context.caller : sender,
      value: kind === 'DELEGATECALL' ? context.value : value,
      input: request.input,
      code,
      isStatic: context.isStatic || kind === 'STATICCALL',
      depth: context.depth + 1,
      gas,
      accountGas,
      output: request.output,
    },
    mark,
  );
}

/** Charges for reaching the account and for value. @returns the code to execute, and whether the call makes the account */
function chargeTarget(
  execution: Execution,
  frame: Frame,
  { kind, to, value }: CallRequest,
): { code: Uint8Array; isNew: boolean } {
  const { world, rules } = execution;
  const access = (address: string): number => accountAccess(rules, world.warmAccount(address));
  execution.charge(frame, rules.isWarmth ? access(to) : rules.call);
  let { code } = world.account(to);
  const delegate = rules.delegates ? delegateOf(code) : undefined;
  if (delegate !== undefined) {
    execution.charge(frame, access(delegate));
    ({ code } = world.account(delegate));
  }
  if (value > 0n) execution.charge(frame, rules.callValue);
  const isAbsent = rules.isEmptyGone ? value > 0n && world.isEmpty(to) : !world.exists(to);
  const isNew = kind === 'CALL' && isAbsent;
  if (isNew) execution.charge(frame, rules.newAccount);
  return { code, isNew };
}

/** Since EIP-150, no more than all but one 64th of what is left. @throws Halt out of gas */
function passedGas({ rules }: Execution, frame: Frame, requested: bigint): number {
  if (!rules.is63of64) {
    if (requested <= BigInt(frame.gas)) return Number(requested);
    if (!frame.isFree) throw new Halt('out of gas');
    return frame.gas;
  }
  const most = frame.gas - Math.floor(frame.gas / 64);
  return requested > BigInt(most) ? most : Number(requested);
}

export const CALLS: Instructions = {
  0xf1: call('CALL'),
  0xf2: call('CALLCODE'),
  0xf4: call('DELEGATECALL'),
  0xfa: call('STATICCALL'),
};
