import type { Flow, FlowRow, PartId, Parts } from './protocol';
import type { InvocationFlow, TraceNode } from '../../../server/api/explorer';
import type { SourceLocations } from '../../../server/api/source-locations';
import type { Analysis, GasProfile, StateDiff } from '../../../server/api/views';

/** The call tree of an invocation flow as rows in execution order, without the empty root. Does not recurse. */
function rowsOf({ trace, dataMap }: Pick<InvocationFlow, 'trace' | 'dataMap'>): FlowRow[] {
  const rows: FlowRow[] = [];
  const pending: TraceNode[] = [...trace].reverse();
  for (let node = pending.pop(); node; node = pending.pop()) {
    const data = dataMap[String(node.id)];
    if (data && node.depth >= 0) rows.push({ ...data, depth: node.depth });
    for (let child = node.children.length - 1; child >= 0; child--) {
      const next = node.children[child];
      if (next) pending.push(next);
    }
  }
  return rows;
}

/** Converts the service's response to the form that the webview uses. */
export function flowPart(
  answer: Pick<Analysis, Exclude<keyof Flow, 'rows'> | 'trace' | 'dataMap'>,
): Flow {
  const { status, transaction, labels, nameSources, verification, simulation, summary } = answer;
  return {
    status,
    transaction,
    labels,
    verification,
    simulation,
    summary,
    ...(nameSources && { nameSources }),
    rows: rowsOf(answer),
  };
}

export const stateDiffPart = ({
  stateDiff,
  labels,
}: Pick<StateDiff, 'stateDiff' | 'labels'>): Parts['stateDiff'] => ({ ...stateDiff, labels });

export const gasProfilePart = ({
  gasProfile,
  labels,
}: Pick<GasProfile, 'gasProfile' | 'labels'>): Parts['gasProfile'] => ({ ...gasProfile, labels });

export const sourceLocationsPart = (answer: SourceLocations): Parts['sourceLocations'] => {
  const names = answer.locations.flatMap(({ contract }) => (contract === '' ? [] : contract));
  return { ...answer, contracts: [...new Set(names)] };
};

/** How far balances were compared; undefined where it is not known. */
const balanceProof = ({
  verification,
  simulation,
}: Analysis): Parts['balanceChange']['verification'] => verification ?? simulation;

/** One part of a complete analysis; undefined if the part is missing. */
export function partOfAnalysis<Id extends PartId>(id: Id, answer: Analysis): Parts[Id] | undefined {
  const { status, labels, balanceChange, fundFlow, stateDiff, gasProfile } = answer;
  const parts: { [Key in PartId]: () => Parts[Key] | undefined } = {
    flow: () => flowPart(answer),
    balanceChange: () =>
      balanceChange === null
        ? undefined
        : { status, balanceChange, verification: balanceProof(answer) },
    fundFlow: () => (fundFlow === null ? undefined : { status, fundFlow, labels }),
    stateDiff: () => (stateDiff === null ? undefined : stateDiffPart({ stateDiff, labels })),
    gasProfile: () => (gasProfile === null ? undefined : gasProfilePart({ gasProfile, labels })),
    sourceLocations: () => undefined,
    internalCalls: () => undefined,
    failedConditions: () => undefined,
  };
  return parts[id]();
}
