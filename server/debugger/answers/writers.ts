import type { Writer, Writers } from '../../api/recording-writers';
import { toWord } from '../../evm/forms/quantity';
import { inSlices, type Work } from '../../kernel/async/slices';
import { slotKey, type RecordedStore } from '../recording/recording';
import { accountWritesWork, valuesWork, type AccountWrite } from '../session/account-writes';
import { balanceSlotsWork } from '../session/balance-slots';
import type { DebuggedTransaction } from '../session/debugged-transaction';
import { isChanged, slotsOf } from '../session/watched-slots';
import { localWriters } from './local-writers';
import { writerPlace } from './writer-place';
import { localOf, requireAddress, type WritersQuery } from './writers-query';

type Kind = Exclude<Writer['kind'], 'local'>;

/** A write or a read, before it is described. */
interface Access {
  readonly kind: Kind;
  readonly isRead: boolean;
  readonly address: string;
  readonly step: number | undefined;
  readonly frame: number;
  readonly slot?: bigint;
  readonly values?: { readonly before: bigint; readonly after: bigint };
  readonly account?: AccountWrite;
  /** Index of a log. */
  readonly log?: number;
  /** The frame whose failure, or that of a caller, undoes it. */
  readonly within: number | undefined;
}

const COUNT = 100;
const PAUSE = 16_384;

/** Of the state, or of a local variable. @throws ApiError `invalidField`; the signal's reason */
export async function writersAnswer(
  debugged: DebuggedTransaction,
  query: WritersQuery,
  signal: AbortSignal,
): Promise<Writers> {
  const { start = 0, count = COUNT } = query;
  const build = debugged.recorded.executed ? 'unoptimized' : 'executed';
  const local = localOf(query);
  if (local) {
    const { access } = query;
    const page = { start, count };
    return { build, ...(await localWriters(debugged, local, { access, ...page }, signal)) };
  }
  requireAddress(query);
  const found = await inSlices(placesWork(debugged, query), signal);
  if ('unavailable' in found) return { writers: [], total: 0, build, ...found };
  const accounts = await inSlices(accountWritesWork(debugged.recording), signal);
  const all = await inSlices(accessesWork(debugged, accounts, query, found.slots), signal);
  const writers: Writer[] = [];
  for (const one of all.slice(start, start + count)) {
    const values = one.account
      ? await inSlices(valuesWork(debugged.recording, accounts, one.account), signal)
      : one.values;
    writers.push(writerOf(debugged, one, values));
  }
  return { writers, total: all.length, build };
}

/** The wanted slots; undefined: all. */
function* placesWork(
  debugged: DebuggedTransaction,
  query: WritersQuery,
): Work<{ slots: ReadonlySet<bigint> | undefined } | { unavailable: string }> {
  const { address = '', of, slot, slots, isBytes, asset, tokenId, change } = query;
  if (asset !== undefined) {
    const found = yield* balanceSlotsWork(debugged, {
      asset,
      account: address,
      tokenId: tokenId === undefined ? undefined : BigInt(tokenId),
      change: change === undefined ? undefined : BigInt(change),
    });
    return 'unavailable' in found ? found : { slots: new Set(found.slots) };
  }
  if (slot === undefined) return { slots: undefined };
  const range = {
    address,
    slot: BigInt(slot),
    slots,
    isBytes: isBytes === 'true',
    transient: of === 'transient',
  };
  return { slots: new Set(slotsOf(debugged, range)) };
}

function* accessesWork(
  debugged: DebuggedTransaction,
  accounts: readonly AccountWrite[],
  query: WritersQuery,
  slots: ReadonlySet<bigint> | undefined,
): Work<Access[]> {
  const { of, asset, node, access } = query;
  const address = asset ?? query.address;
  const isSlots = slots !== undefined;
  const isPart = query.length !== undefined;
  const kinds = kindsOf(query, isSlots);
  const found: Access[] = [];
  const isWanted = (kind: Kind, account: string): boolean =>
    kinds.has(kind) && (address === undefined || address === account);
  const { recording } = debugged;
  if (access !== 'read') {
    for (const [index, store] of recording.stores.entries()) {
      if (index % PAUSE === PAUSE - 1) yield PAUSE;
      const { slot, frame, step, before, after } = store;
      const kind = store.isTransient ? 'transient' : 'storage';
      const own = recording.frames[frame]?.context.address ?? '';
      if (!isWanted(kind, own) || (slots && !slots.has(slot))) continue;
      const isOther = access === 'readWrite' && before === after;
      if (!isOther && !isChanged(store, query.offset, query.length)) continue;
      const values = { before, after };
      found.push({ kind, isRead: false, address: own, step, frame, slot, values, within: frame });
    }
    for (const account of accounts) {
      if (!isWanted(account.kind, account.address)) continue;
      found.push({ ...account, isRead: false, account });
    }
    for (const [log, { address: own, step, frame }] of recording.logs.entries()) {
      const isOwn = node === undefined || debugged.nodes.ofLog.get(log) === node;
      if (!isOwn || !isWanted('event', own)) continue;
      found.push({ kind: 'event', isRead: false, address: own, step, frame, log, within: frame });
    }
  }
  if (access !== 'write' && slots && address !== undefined && of !== 'event') {
    const read = { address, slots, isTransient: of === 'transient', isPart };
    for (const one of yield* readsWork(debugged, read)) found.push(one);
  }
  return found.sort((a, b) => (a.step ?? -1) - (b.step ?? -1));
}

/** The kinds of what is asked for: a slot is in storage unless `of` says otherwise, and a node is that of an event. */
function kindsOf({ of, node }: WritersQuery, isSlots: boolean): ReadonlySet<Kind> {
  if (of !== undefined) return new Set([of]);
  if (isSlots) return new Set<Kind>(['storage']);
  if (node !== undefined) return new Set<Kind>(['event']);
  return new Set<Kind>(['storage', 'transient', 'balance', 'nonce', 'code', 'event']);
}

interface ReadSlots {
  readonly address: string;
  readonly slots: ReadonlySet<bigint>;
  readonly isTransient: boolean;
  /** Whether it is a value that shares its slot. */
  readonly isPart: boolean;
}

function* readsWork(
  debugged: DebuggedTransaction,
  { address, slots, isTransient, isPart }: ReadSlots,
): Work<Access[]> {
  const { recording, index } = debugged;
  const kind = isTransient ? 'transient' : 'storage';
  const found: Access[] = [];
  for (const slot of slots) {
    const writes = index.writes(address, slot, false);
    let next = 0;
    for (const step of recording.loads.get(slotKey(address, slot, isTransient)) ?? []) {
      yield 1;
      // Steps of both lists ascend.
      while ((writes[next]?.step ?? Infinity) <= step) next++;
      if (isPart && isOfWrite(debugged, step, writes[next])) continue;
      const { frame } = recording.at(step);
      found.push({ kind, isRead: true, address, step, frame, slot, within: frame });
    }
  }
  return found;
}

/**
 * Whether the code reads a slot to keep the other values in it: the same statement writes it.
 * @param next the first write of the slot behind the read
 */
function isOfWrite(
  { stops, recording }: DebuggedTransaction,
  step: number,
  next: Pick<RecordedStore, 'step' | 'frame'> | undefined,
): boolean {
  const { frame } = recording.at(step);
  return next?.frame === frame && stops.indexAt(next.step) === stops.indexAt(step);
}

function writerOf(
  debugged: DebuggedTransaction,
  { kind, isRead, address, step, frame, slot, log, within }: Access,
  values: Access['values'],
): Writer {
  const text = kind === 'storage' || kind === 'transient' ? toWord : String;
  const { nodes } = debugged;
  return {
    kind,
    access: isRead ? 'read' : 'write',
    address,
    ...(slot !== undefined && { slot: toWord(slot) }),
    ...writerPlace(debugged, step),
    nodeId: (log === undefined ? nodes.ofFrame.get(frame) : nodes.ofLog.get(log)) ?? null,
    ...(values && { before: text(values.before), after: text(values.after) }),
    isUndone: isUndone(debugged, within),
  };
}

function isUndone({ recording }: DebuggedTransaction, frame: number | undefined): boolean {
  for (let at = frame; at !== undefined; at = recording.frames[at]?.parent) {
    if (recording.frames[at]?.end?.kind !== 'returned') return true;
  }
  return false;
}
