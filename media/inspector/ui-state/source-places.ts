import { computed, type ReadonlySignal } from '@preact/signals';
import type { KnownCode, SourceLocation, UnknownCode } from '../../../server/api/source-locations';
import { internalId } from '../model/internal-rows';
import type { PartSignals } from '../protocol/parts';
import type { ExecutedNode } from '../protocol/protocol';

/** Source locations of calls in the user's projects, by node of the invocation flow. */
type Locations = ReadonlyMap<number, SourceLocation>;

/** Where calls are in sources, as far as it has arrived. */
export interface SourcePlaces {
  /** Calls of functions inside contracts among the rest; undefined until all have arrived. */
  internalNodes: ReadonlySignal<readonly ExecutedNode[] | undefined>;
  locations: ReadonlySignal<Locations>;
  /** What is known of the source of the code that a call executes, by node of the invocation flow. */
  codes: ReadonlySignal<ReadonlyMap<number, KnownCode | UnknownCode>>;
}

export function createSourcePlaces(parts: PartSignals): SourcePlaces {
  const internalNodes = computed(() => {
    const { value } = parts.internalCalls;
    return value.state === 'ready' && value.missing === 0 ? value.value.nodes : undefined;
  });
  const locations = computed<Locations>(() => {
    const { value } = parts.sourceLocations;
    const known = value.state === 'ready' ? value.value.locations : [];
    const inside = (internalNodes.value ?? []).flatMap(({ internal }) =>
      internal?.declaration === undefined
        ? []
        : {
            nodeId: internalId(internal.call),
            contract: internal.contract,
            function: internal.declaration,
          },
    );
    return new Map([...known, ...inside].map((one) => [one.nodeId, one]));
  });
  const codes = computed(() => {
    const { value } = parts.sourceLocations;
    const { sources = [], unknown = [] } = value.state === 'ready' ? value.value : {};
    return new Map([...sources, ...unknown].flatMap((code) => code.calls.map((id) => [id, code])));
  });
  return { internalNodes, locations, codes };
}
