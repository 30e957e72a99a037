import type { Address } from '../../api/primitives';
import { netChangesWork, type NetChange } from '../balances/net-changes';
import { callsAbove, executionSteps, isCreation, type CallFrame, type Step } from '../call-frame';
import type { ExecutionState } from '../execution-state';
import type { TraceDecoder } from '../decoding/trace-decoder';
import type { Identification } from '../ports';
import type { PlacedTransfer } from '../transfers/collect';
import { STEPS_PER_YIELD, type Work } from '../../kernel/async/slices';
import { standingApprovalsWork, type StandingApproval } from './approvals';
import { groupBy } from './group-by';
import { transferCall, type TransferCall } from './transfer-calls';
import { readKnownEvent, type KnownEvent } from './known-events';

/** What a summary is made from. */
export interface SceneSource {
  readonly root: CallFrame;
  /** Id of the chain; of a fork, of the forked chain. */
  readonly chainId: number;
  readonly wrappedNative?: Address | undefined;
  /** Of the block, Unix seconds. */
  readonly timestamp: number;
  readonly known: Identification;
  readonly decoder: TraceDecoder;
  /** Those that the state does not contradict. */
  readonly transfers: readonly PlacedTransfer[];
  /** Before and after the transaction; undefined if it is not known. */
  readonly state?: ExecutionState | undefined;
}

/** A transaction as the summary reads it: steps of the trace, well-known events, transfers and nets. */
export interface Scene extends SceneSource {
  readonly steps: readonly Step[];
  readonly events: readonly KnownEvent[];
  /** Net changes by account. */
  readonly nets: ReadonlyMap<Address, readonly NetChange[]>;
  /** Contracts that the transaction created, by address; the step of the creation. */
  readonly created: ReadonlyMap<Address, Step>;
  /** Executions of SELFDESTRUCT that were not rolled back. */
  readonly destructions: readonly Step[];
  /** Calls of `transfer` and `transferFrom` that were not rolled back. */
  readonly transferCalls: readonly TransferCall[];
  /** Rights that hold after the transaction. */
  readonly approvals: readonly StandingApproval[];
}

export function* sceneWork(source: SceneSource): Work<Scene> {
  const steps = executionSteps(source.root);
  const events: KnownEvent[] = [];
  const created = new Map<Address, Step>();
  const destructions: Step[] = [];
  const transferCalls: TransferCall[] = [];
  for (const step of steps) {
    const { frame, log, reverted } = step;
    if (reverted) continue;
    if (log) {
      const event = readKnownEvent(step);
      if (event) events.push(event);
    } else if (isCreation(frame)) {
      if (frame.to !== null) created.set(frame.to, step);
    } else if (frame.type === 'SELFDESTRUCT') destructions.push(step);
    else {
      const call = transferCall(step);
      if (call) transferCalls.push(call);
    }
    if (step.id % STEPS_PER_YIELD === 0) yield STEPS_PER_YIELD;
  }
  const changes = yield* netChangesWork(source.transfers.map(({ transfer }) => transfer));
  const nets = groupBy(changes, ({ account }) => account);
  const approvals = yield* standingApprovalsWork({ events, steps });
  return { ...source, steps, events, nets, created, destructions, transferCalls, approvals };
}

/** The account that called a token to make it move something; undefined if no call of the token contains the transfer. */
export function callerOf(
  { steps }: Scene,
  { transfer, nodeId }: PlacedTransfer,
): Address | undefined {
  const { asset, standard, from } = transfer;
  if (standard === 'native') return from;
  const step = steps[nodeId];
  if (!step) return undefined;
  for (const { frame } of callsAbove(steps, step)) {
    if (frame.type === 'CALL' && frame.to === asset && frame.from !== asset) return frame.from;
  }
  return undefined;
}

/** Whether the payer itself called the token. Otherwise another account took the tokens, by an approval or a right of its own. */
export function isSentByPayer(scene: Scene, placed: PlacedTransfer): boolean {
  const caller = callerOf(scene, placed);
  return caller === undefined || caller === placed.transfer.from;
}

/** Net of an account in one asset without token ids; negative for a loss. */
export function netOf({ nets }: Scene, account: Address, asset: Address): bigint {
  const own = nets.get(account);
  if (!own) return 0n;
  const known = netsByAsset.get(own) ?? byAsset(own);
  netsByAsset.set(own, known);
  return known.get(asset) ?? 0n;
}

/** One account may have as many assets as a transaction has transfers, and each may be asked for. */
const netsByAsset = new WeakMap<readonly NetChange[], ReadonlyMap<Address, bigint>>();

const byAsset = (nets: readonly NetChange[]): ReadonlyMap<Address, bigint> =>
  new Map(
    nets.flatMap(({ asset, tokenId, amount }) => (tokenId === undefined ? [[asset, amount]] : [])),
  );
