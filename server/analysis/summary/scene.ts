import type { Address } from '../../api/primitives';
import { netChangesWork, type NetChange } from '../balances/net-changes';
import type { CallFrame } from '../call-frame';
import type { TraceDecoder } from '../decoding/trace-decoder';
import type { Identification } from '../ports';
import type { PlacedTransfer } from '../transfers/collect';
import { STEPS_PER_YIELD, type Work } from '../../async/slices';
import { groupBy } from './group-by';
import { readKnownEvent, type KnownEvent } from './known-events';
import { placesWork, type Place } from './places';

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
  readonly transfers: readonly PlacedTransfer[];
}

/** A transaction as the summary reads it: places of the trace, well-known events, transfers and nets. */
export interface Scene extends SceneSource {
  readonly places: readonly Place[];
  readonly events: readonly KnownEvent[];
  /** Net changes by account. */
  readonly nets: ReadonlyMap<Address, readonly NetChange[]>;
  /** Contracts that the transaction created, by address; the place of the creation. */
  readonly created: ReadonlyMap<Address, Place>;
}

export function* sceneWork(source: SceneSource): Work<Scene> {
  const places = yield* placesWork(source.root);
  const events: KnownEvent[] = [];
  const created = new Map<Address, Place>();
  for (const place of places) {
    const event = readKnownEvent(place);
    if (event) events.push(event);
    const { frame, log, reverted } = place;
    const isNew = !log && !reverted && frame.type.startsWith('CREATE');
    if (isNew && frame.to !== null) created.set(frame.to, place);
    if (place.id % STEPS_PER_YIELD === 0) yield STEPS_PER_YIELD;
  }
  const nets = yield* netChangesWork(source.transfers.map(({ transfer }) => transfer));
  return { ...source, places, events, nets: groupBy(nets, ({ account }) => account), created };
}

/** Net of an account in one asset without token ids; negative for a loss. */
export const netOf = ({ nets }: Scene, account: Address, asset: Address): bigint =>
  nets.get(account)?.find((net) => net.asset === asset && net.tokenId === undefined)?.amount ?? 0n;

/** The place of the call that emitted an event, or of the call itself. */
export const callOf = ({ places }: Scene, place: Place): Place =>
  place.log ? (places[place.parent] ?? place) : place;
