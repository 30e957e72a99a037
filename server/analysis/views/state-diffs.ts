import type { OnProgress } from '../../api/progress';
import type { Address } from '../../api/primitives';
import type { StateDiff } from '../../api/views';
import { SharedCache } from '../../async/shared-cache';
import type { LocatedExecution } from '../executed-transaction';
import { gasFee } from '../gas/fee';
import type { RawStateDiff, StateDiffSource } from '../ports';
import { readStateDiff, toStateDiff, type AccountDiff } from '../state/diff';
import { keyCandidates, nameSlots } from '../state/name-slots';
import { storageLayouts, type LayoutSource } from '../state/storage-layouts';
import type { ViewedExecution } from './viewed-execution';

/** Changes of accounts, and whether a node or an engine reported them. */
interface FoundDiff {
  readonly accounts: readonly AccountDiff[];
  readonly method: RawStateDiff['method'];
}

/** Bound of the cache of state differences, in characters over all transactions. */
const CACHED_CHARACTERS = 20_000_000;

/** The state differences of executions. */
export class StateDiffs {
  private readonly found = new SharedCache<FoundDiff>(CACHED_CHARACTERS, weightOf);

  constructor(
    private readonly source: StateDiffSource,
    private readonly layouts: LayoutSource | undefined,
  ) {}

  /**
   * Uses the changes of the trace if it contains them and the whole prefix was executed; otherwise the fee recipient would lack the fees
   * of skipped transactions. Else requests them once. An unreadable result is not cached.
   */
  async of(
    { located, signal }: ViewedExecution,
    onProgress: OnProgress | undefined,
  ): Promise<StateDiff['stateDiff']> {
    const { network, executed } = located;
    const { mined, trace } = executed;
    const isWhole = trace.applied === Number(mined.transaction.transactionIndex);
    if (isWhole && trace.changes !== undefined) {
      return this.ofAnswer(located, { answer: trace.changes, method: 'replay' }, signal);
    }
    const found = await this.found.get(
      [network.key, mined.transaction.hash, mined.block.hash].join(),
      async (...shared) => toFound(await this.source.diff(network, mined, trace.root, ...shared)),
      { signal, onProgress },
    );
    return this.named(located, found, signal);
  }

  /** @throws ApiError `upstreamLacksData` if the difference cannot be read */
  ofAnswer(
    located: LocatedExecution,
    raw: RawStateDiff,
    signal: AbortSignal,
  ): Promise<StateDiff['stateDiff']> {
    return this.named(located, toFound(raw), signal);
  }

  /** The difference in the view's form, with the names of variables. */
  private async named(
    { network, executed: { mined, trace }, known }: LocatedExecution,
    { accounts: changed, method }: FoundDiff,
    signal: AbortSignal,
  ): Promise<StateDiff['stateDiff']> {
    const { fee, accounts } = toStateDiff(changed, gasFee(mined));
    const written = accounts.flatMap(({ address, storage }) =>
      storage.length === 0 ? [] : [address as Address],
    );
    const layouts = await storageLayouts(this.layouts, { network, known }, written, signal);
    const keys = layouts.size === 0 ? [] : keyCandidates(trace.root);
    const withNames = accounts.map((account) => {
      let { storage } = account;
      for (const layout of layouts.get(account.address as Address) ?? []) {
        storage = nameSlots(storage, layout, keys);
      }
      return { ...account, storage };
    });
    return { method, fee, accounts: withNames };
  }
}

const toFound = ({ answer, method }: RawStateDiff): FoundDiff => ({
  accounts: readStateDiff(answer),
  method,
});

const CHARACTERS_PER_ACCOUNT = 500;
const CHARACTERS_PER_SLOT = 200;

function weightOf({ accounts }: FoundDiff): number {
  let weight = CHARACTERS_PER_ACCOUNT;
  for (const { before, after } of accounts) {
    weight += CHARACTERS_PER_ACCOUNT;
    for (const side of [before, after]) {
      weight += (side?.code?.length ?? 0) + (side?.storage.size ?? 0) * CHARACTERS_PER_SLOT;
    }
  }
  return weight;
}
