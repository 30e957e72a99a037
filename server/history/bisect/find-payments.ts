import type { LocatedExecution } from '../../analysis/executed-transaction';
import { executionSteps } from '../../analysis/call-frame';
import type { BisectChange } from '../../api/bisect';
import type { Hash } from '../../api/primitives';
import type { SourceLocations } from '../../api/source-locations';

/** Payments that are listed. */
const MAX_PAYMENTS = 20;

interface Key {
  readonly chain: string;
  readonly hash: Hash;
  readonly user: string;
}

export interface PaymentSources {
  readonly locate: (key: Key, options: { signal: AbortSignal }) => Promise<LocatedExecution>;
  readonly locations: (key: Key, options: { signal: AbortSignal }) => Promise<SourceLocations>;
}

/** The first calls of a transaction that paid ether to or from accounts, with the lines that made them. */
export async function findPayments(
  { locate, locations }: PaymentSources,
  key: Key,
  accounts: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<BisectChange['payments']> {
  const { executed } = await locate(key, { signal });
  const found = executionSteps(executed.trace.root).filter(
    ({ frame, log, reverted }) =>
      !log &&
      !reverted &&
      frame.value > 0n &&
      frame.type !== 'DELEGATECALL' &&
      frame.type !== 'CALLCODE' &&
      (accounts.has(frame.from) || (frame.to !== null && accounts.has(frame.to))),
  );
  if (found.length === 0) return [];
  const places = new Map(
    (await locations(key, { signal })).locations.map((one) => [one.nodeId, one] as const),
  );
  return found.slice(0, MAX_PAYMENTS).map(({ id, parent, frame: { from, to, value } }) => {
    const site = places.get(id)?.callSite;
    return {
      nodeId: id,
      from,
      to: to ?? '',
      value: value.toString(),
      contract: places.get(parent)?.contract ?? '',
      ...(site && { file: site.file, line: site.startLine }),
    };
  });
}
