import { toAddress } from '../../evm/interpreter/word';
import { gasRules } from '../../evm/interpreter/gas-rules';
import { isCreationKind } from '../../evm/interpreter/frame';
import type { Work } from '../../kernel/async/slices';
import type { RecordedFrame, Recording } from '../recording/recording';

/** A change of an account that is not in its storage. */
export interface AccountWrite {
  readonly kind: 'balance' | 'nonce' | 'code';
  /** In lower case. */
  readonly address: string;
  /** Undefined: the transaction itself, before its first step. */
  readonly step: number | undefined;
  /** The frame that the call, the creation or the end of a frame is of. */
  readonly frame: number;
  /** The frame whose failure, or that of a caller, undoes it; undefined: none does. */
  readonly within: number | undefined;
  /** Wei of a balance, or what a nonce increases by. */
  readonly delta?: bigint;
}

const SELFDESTRUCT = 0xff;
const FRAMES = 4_096;

/**
 * Changes of balances, nonces and codes, in order of execution. Fees are left out: they are settled before and after the execution. So are
 * those that cheatcodes make.
 */
export function* accountWritesWork(recording: Recording): Work<AccountWrite[]> {
  const writes = [...ofTransaction(recording)];
  const { isEmptyGone } = gasRules(recording.environment.hardfork);
  for (const [index, frame] of recording.frames.entries()) {
    if (index % FRAMES === FRAMES - 1) yield FRAMES;
    if (isRefused(frame)) {
      if (isCreationKind(frame.context.kind)) writes.push(creatorNonce(index, frame));
      continue;
    }
    writes.push(...ofEntry(index, frame, isEmptyGone), ...ofCode(index, frame));
    if (isDestruction(recording, frame)) writes.push(...(yield* destructionWork(recording, index)));
  }
  return writes.sort((a, b) => (a.step ?? -1) - (b.step ?? -1));
}

/** Balance, nonce or code of an account before and after a write. */
export function* valuesWork(
  recording: Recording,
  writes: readonly AccountWrite[],
  write: AccountWrite,
): Work<{ before: bigint; after: bigint } | undefined> {
  const { kind, address, step, delta } = write;
  if (kind === 'code' || delta === undefined) return undefined;
  const isOwn = (one: AccountWrite): boolean =>
    one.kind === kind && one.address === address && one.step === step;
  const own = writes.filter(isOwn);
  const at = own.indexOf(write);
  const sum = (some: readonly AccountWrite[]): bigint =>
    some.reduce((total, one) => total + (one.delta ?? 0n), 0n);
  const isFirst = step === undefined;
  const { world } =
    recording.steps === 0 ? recording : yield* recording.stateWork(isFirst ? 0 : step);
  const account = world.account(address);
  const known = kind === 'balance' ? account.balance : BigInt(account.nonce);
  // Those of the transaction itself precede the first state.
  const before = isFirst ? known - sum(own.slice(at)) : known + sum(own.slice(0, at));
  return { before, after: before + delta };
}

function* ofTransaction({ environment }: Recording): Generator<AccountWrite> {
  const { from, delegations } = environment.transaction;
  const common = { step: undefined, frame: 0, within: undefined };
  yield { kind: 'nonce', address: from, delta: 1n, ...common };
  for (const { authority: address, code } of delegations) {
    if (code === undefined) continue;
    yield { kind: 'code', address, ...common };
    yield { kind: 'nonce', address, delta: 1n, ...common };
  }
}

/** A creation where there is a contract already, and a frame that fails before it begins: nothing is paid. */
const isRefused = ({ firstStep, endStep, end }: RecordedFrame): boolean =>
  firstStep === endStep && end?.kind === 'halted';

const callStep = ({ parent, firstStep }: RecordedFrame): number | undefined =>
  parent === undefined ? undefined : firstStep - 1;

function creatorNonce(index: number, frame: RecordedFrame): AccountWrite {
  const { parent, context } = frame;
  const step = callStep(frame);
  const isOfTransaction = parent === undefined;
  return {
    kind: 'nonce',
    address: context.caller,
    step,
    frame: index,
    within: parent,
    delta: isOfTransaction ? 0n : 1n,
  };
}

/** What the begin of a frame changes. */
function* ofEntry(
  index: number,
  frame: RecordedFrame,
  isEmptyGone: boolean,
): Generator<AccountWrite> {
  const { kind, caller, address, value } = frame.context;
  const common = { step: callStep(frame), frame: index, within: index };
  const isCreation = isCreationKind(kind);
  if (isCreation && frame.parent !== undefined) yield creatorNonce(index, frame);
  if (isCreation && isEmptyGone) yield { kind: 'nonce', address, delta: 1n, ...common };
  const pays = (kind === 'CALL' || isCreation) && value > 0n && caller !== address;
  if (!pays) return;
  yield { kind: 'balance', address: caller, delta: -value, ...common };
  yield { kind: 'balance', address, delta: value, ...common };
}

/** The code that a creation returns. */
function* ofCode(index: number, { context, end, endStep }: RecordedFrame): Generator<AccountWrite> {
  const isMade = isCreationKind(context.kind) && end?.kind === 'returned' && end.output.length > 0;
  if (!isMade) return;
  yield { kind: 'code', address: context.address, step: endStep - 1, frame: index, within: index };
}

const isDestruction = (
  recording: Recording,
  { context, end, firstStep, endStep }: RecordedFrame,
): boolean =>
  end?.kind === 'returned' &&
  endStep > firstStep &&
  context.code[recording.at(endStep - 1).pc] === SELFDESTRUCT;

function* destructionWork(recording: Recording, index: number): Work<AccountWrite[]> {
  const { context, endStep } = recording.frames[index] ?? {};
  if (!context || endStep === undefined) return [];
  const { address } = context;
  const step = endStep - 1;
  const common = { step, frame: index, within: index };
  const { world, frames } = yield* recording.stateWork(step);
  const heir = toAddress(frames.at(-1)?.stack.at(-1) ?? 0n);
  const { balance } = world.account(address);
  const isGone = recording.world.destroyed.has(address);
  const writes: AccountWrite[] = [];
  if (balance > 0n && (heir !== address || isGone)) {
    writes.push({ kind: 'balance', address, delta: -balance, ...common });
  }
  if (balance > 0n && heir !== address) {
    writes.push({ kind: 'balance', address: heir, delta: balance, ...common });
  }
  if (isGone) {
    writes.push({ kind: 'code', address, ...common });
    writes.push({ kind: 'nonce', address, ...common });
  }
  return writes;
}
