import type { DecodeSource } from '../../api/decoding';
import type { Hash } from '../../api/primitives';
import type { StateChange } from '../../api/summary-parties';
import type { AccountChange } from '../../api/views';
import { toWord } from '../../evm/forms/quantity';
import { inSlices } from '../../kernel/async/slices';
import type { TraceDecoder } from '../decoding/trace-decoder';
import type { ExecutionState } from '../execution-state';
import { keyCandidatesWork, nameSlotsWork } from '../state/name-slots';
import { storageLayouts, type LayoutSource } from '../state/storage-layouts';
import type { Clause } from '../summary/clause';
import type { ViewedExecution } from './viewed-execution';

/** Sources that know the contract itself, and not only a selector or a standard. */
const KNOWN: ReadonlySet<DecodeSource | undefined> = new Set(['artifact', 'sourcify', 'etherscan']);
const MAX_ARGUMENTS = 4;
const MAX_CHANGES = 4;
/** Changed slots that are named, to bound the time. */
const MAX_SLOTS = 200;

/**
 * The clause of a call with its arguments, and with the variables of the called contract that changed, where its interface and its storage
 * layout are known. Other clauses stay as they are.
 * @param state undefined if it is not known: then no variables are listed
 */
export async function withCalledState(
  clause: Clause,
  execution: ViewedExecution,
  decoder: TraceDecoder,
  state: () => Promise<ExecutionState | undefined>,
  layouts: LayoutSource | undefined,
): Promise<Clause> {
  const { root } = execution.located.executed.trace;
  if (clause.kind !== 'called' || clause.counterparty !== root.to) return clause;
  const method = decoder.decodeCall(root);
  if (!method || !KNOWN.has(method.source)) return clause;
  const { callParams } = method;
  const shown = callParams
    .slice(0, MAX_ARGUMENTS)
    .map(({ name, type, value }) => ({ name, type, value }));
  const changes = root.error === undefined ? await changesOf(execution, state, layouts) : [];
  return {
    ...clause,
    arguments: shown,
    ...more('moreArguments', callParams.length - MAX_ARGUMENTS),
    ...(changes.length === 0 ? {} : { changes: changes.slice(0, MAX_CHANGES) }),
    ...more('moreChanges', changes.length - MAX_CHANGES),
  };
}

const more = <Key extends string>(key: Key, count: number): Partial<Record<Key, number>> =>
  count > 0 ? ({ [key]: count } as Partial<Record<Key, number>>) : {};

/** Variables of the called contract whose values differ after the transaction. */
async function changesOf(
  { located, signal }: ViewedExecution,
  stateOf: () => Promise<ExecutionState | undefined>,
  source: LayoutSource | undefined,
): Promise<StateChange[]> {
  const { root } = located.executed.trace;
  if (root.to === null) return [];
  const layouts = await storageLayouts(source, located, [root.to], signal);
  const own = layouts.get(root.to) ?? [];
  const state = own.length === 0 ? undefined : await stateOf();
  if (!state) return [];
  const [before, after] = [state.before, state.after].map(
    (side) => side[root.to ?? '0x']?.stateDiff ?? {},
  );
  const slots = (Object.keys({ ...before, ...after }) as Hash[]).flatMap((slot) => {
    const [was, is] = [before?.[slot] ?? toWord(0), after?.[slot] ?? toWord(0)];
    return was === is ? [] : [{ slot, before: was, after: is }];
  });
  if (slots.length === 0 || slots.length > MAX_SLOTS) return [];
  const keys = await inSlices(keyCandidatesWork(root), signal);
  let named: readonly AccountChange['storage'][number][] = slots;
  for (const layout of own) named = await inSlices(nameSlotsWork(named, layout, keys), signal);
  return named.flatMap(({ variables = [] }) =>
    variables.flatMap(({ name, type, before: was, after: is }) =>
      was === is ? [] : [{ name, type, before: was, after: is }],
    ),
  );
}
