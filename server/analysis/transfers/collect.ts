import { NATIVE_ASSET } from '../../api/explorer';
import type { Address } from '../../api/primitives';
import { executionSteps, isCreation, type CallFrame } from '../call-frame';
import type { Transfer, TransferContext } from './transfer';
import { TransferEvents } from './token-events';
import { WrapReader } from './wrap-events';
import { STEPS_PER_YIELD, type Work } from '../../kernel/async/slices';

/** All transfers in execution order, without those that were rolled back. Fees and rewards are not transfers. */
export const collectTransfers = (root: CallFrame, context: TransferContext): Transfer[] =>
  Array.from(placedTransfers(root, context), ({ transfer }) => transfer);

/** The same as interruptible work, with the places of the transfers. */
export function* transfersWork(root: CallFrame, context: TransferContext): Work<PlacedTransfer[]> {
  const transfers: PlacedTransfer[] = [];
  for (const placed of placedTransfers(root, context)) {
    transfers.push(placed);
    if (transfers.length % STEPS_PER_YIELD === 0) yield STEPS_PER_YIELD;
  }
  return transfers;
}

/** A transfer with its place in the invocation flow: the call or event that caused it, and the call that contains this node. */
export interface PlacedTransfer {
  readonly transfer: Transfer;
  readonly nodeId: number;
  readonly frameId: number;
  /** Set if this is the measured change of one account, in place of transfers that the state contradicts. */
  readonly measured?: MeasuredMove;
}

export interface MeasuredMove {
  /** Net change that the transfers claim, in the smallest unit; negative for a loss. */
  readonly claimed: bigint;
  /** Number of the replaced transfers. */
  readonly count: number;
  /** The other side, if all replaced transfers name the same. */
  readonly other?: Address | undefined;
}

/** As `collectTransfers`. Ids count calls and logs in execution order, like those of the invocation flow. */
export function* placedTransfers(
  root: CallFrame,
  context: TransferContext,
): Generator<PlacedTransfer, void, undefined> {
  const native = new NativeTransfers(context);
  const events = new TransferEvents(context.contracts);
  const wraps = new WrapReader(context, events);
  const openFrames: number[] = []; // ids by depth
  const { mint = 0n } = context;
  if (mint > 0n) yield { transfer: minted(root.from, mint), nodeId: 0, frameId: 0 };
  let nodeId = -1;
  for (const step of executionSteps(root)) {
    nodeId++;
    if (!step.log) openFrames[step.depth] = nodeId;
    if (step.reverted) continue;
    const reported = step.log ? events.read(step.log, step.frame) : native.read(step.frame);
    if (reported === 'unreadable') continue;
    const transfers = reported ?? (step.log ? wraps.read(step, step.log) : NONE);
    const frameId = openFrames[step.depth] ?? nodeId;
    for (const transfer of transfers) yield { transfer, nodeId, frameId };
  }
}

const minted = (to: Address, amount: bigint): Transfer => ({
  standard: 'native',
  asset: NATIVE_ASSET,
  from: undefined,
  to,
  amount,
});

const NONE: readonly Transfer[] = [];

/** Value moved by calls, creations and self-destructions. */
class NativeTransfers {
  readonly #created = new Set<Address>();
  readonly #destroyed = new Set<Address>();

  constructor(
    private readonly rules: Pick<
      TransferContext,
      'destructionNeedsCreation' | 'destructionKeepsEther'
    >,
  ) {}

  read(frame: CallFrame): readonly Transfer[] {
    const { type, from, to, value } = frame;
    if (type === 'SELFDESTRUCT') return this.#destroy(from, to, value);
    if (isCreation(frame) && to !== null) this.#created.add(to);
    const moves = type === 'CALL' || isCreation(frame);
    return moves && value > 0n ? [this.#transfer(from, to, value)] : NONE;
  }

  #destroy(from: Address, to: Address | null, value: bigint): Transfer[] {
    const { destructionNeedsCreation, destructionKeepsEther } = this.rules;
    const isDestroyed =
      !destructionKeepsEther && (!destructionNeedsCreation || this.#created.has(from));
    const payer = this.#holder(from);
    if (isDestroyed) this.#destroyed.add(from); // before the beneficiary is resolved: it may be the contract itself
    const isKeptByOwner = !isDestroyed && to === from;
    if (value === 0n || isKeptByOwner) return [];
    return [{ ...this.#transfer(from, to, value), from: payer }];
  }

  #transfer(from: Address, to: Address | null, amount: bigint): Transfer {
    return {
      standard: 'native',
      asset: NATIVE_ASSET,
      from: this.#holder(from),
      to: to === null ? undefined : this.#holder(to),
      amount,
    };
  }

  /** Ether sent to a destroyed account vanishes at the end of the transaction, so no account holds it. */
  #holder(account: Address): Address | undefined {
    return this.#destroyed.has(account) ? undefined : account;
  }
}

/** Tokens with a transfer event that was not rolled back but cannot be counted. */
export function* unreadableTokensWork(
  root: CallFrame,
  { contracts }: Pick<TransferContext, 'contracts'>,
): Work<Address[]> {
  const events = new TransferEvents(contracts);
  const found: Address[] = [];
  for (const { id, log, frame, reverted } of executionSteps(root)) {
    if (id % STEPS_PER_YIELD === 0) yield STEPS_PER_YIELD;
    if (log && !reverted && events.read(log, frame) === 'unreadable') found.push(log.address);
  }
  return found;
}

/** Tokens with standard events in the trace. */
export const tokensOf = (transfers: readonly Transfer[]): Address[] => [
  ...new Set(transfers.filter((one) => one.standard !== 'native').map((one) => one.asset)),
];
