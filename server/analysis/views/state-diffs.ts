import type { OnProgress } from '../../api/progress';
import type { Address, Hash } from '../../api/primitives';
import type { AccountChange, StateDiff } from '../../api/views';
import { SharedCache } from '../../kernel/async/shared-cache';
import { inSlices } from '../../kernel/async/slices';
import { netChangesWork, type NetChange } from '../balances/net-changes';
import { gasFee } from '../gas/fee';
import type { RawStateDiff, StateDiffSource } from '../ports';
import { readStateDiff, toStateDiff, type AccountDiff } from '../state/diff';
import { findPlacesWork, plausible, type FoundPlace } from '../state/found-slots';
import { keyCandidatesWork, nameSlotsWork } from '../state/name-slots';
import { storageLayouts, type LayoutSource } from '../state/storage-layouts';
import { withFoundAmounts, withVariableAmounts, type ChangedToken } from '../state/token-amounts';
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
  readonly #found = new SharedCache<FoundDiff>(CACHED_CHARACTERS, weightOf);

  constructor(
    private readonly source: StateDiffSource,
    private readonly layouts: LayoutSource | undefined,
  ) {}

  /**
   * Uses the changes of the trace if it contains them and the whole prefix was executed; otherwise the fee recipient would lack the fees
   * of skipped transactions. Else requests them once. An unreadable result is not cached.
   */
  async of(
    execution: ViewedExecution,
    onProgress: OnProgress | undefined,
  ): Promise<StateDiff['stateDiff']> {
    const { located, signal } = execution;
    const { network, executed } = located;
    const { mined, trace } = executed;
    const isWhole = trace.applied === Number(mined.transaction.transactionIndex);
    if (isWhole && trace.changes !== undefined) {
      return this.ofAnswer(execution, { answer: trace.changes, method: 'replay' });
    }
    const found = await this.#found.get(
      [network.key, mined.transaction.hash, mined.block.hash].join(),
      async (...shared) => toFound(await this.source.diff(network, mined, trace.root, ...shared)),
      { signal, onProgress },
    );
    return this.#named(execution, found);
  }

  /** @throws ApiError `upstreamLacksData` if the difference cannot be read */
  ofAnswer(execution: ViewedExecution, raw: RawStateDiff): Promise<StateDiff['stateDiff']> {
    return this.#named(execution, toFound(raw));
  }

  /** The difference in the view's form, with the names of variables, or with what is plausible of slots without a known layout. */
  async #named(
    execution: ViewedExecution,
    { accounts: changed, method }: FoundDiff,
  ): Promise<StateDiff['stateDiff']> {
    const { located, signal } = execution;
    const { network, executed, known } = located;
    const { mined, trace } = executed;
    const { fee, accounts } = toStateDiff(changed, gasFee(mined));
    const written = accounts.flatMap(({ address, storage }) =>
      storage.length === 0 ? [] : [address as Address],
    );
    const layouts = await storageLayouts(this.layouts, { network, known }, written, signal);
    const keys = written.length === 0 ? [] : await inSlices(keyCandidatesWork(trace.root), signal);
    const named: AccountChange[] = [];
    for (const account of accounts) {
      let { storage } = account;
      for (const layout of layouts.get(account.address as Address) ?? []) {
        storage = await inSlices(nameSlotsWork(storage, layout, keys), signal);
      }
      named.push({ ...account, storage });
    }
    return { method, fee, accounts: await this.#withPlausible(execution, named, keys) };
  }

  async #withPlausible(
    execution: ViewedExecution,
    accounts: readonly AccountChange[],
    keys: readonly Hash[],
  ): Promise<AccountChange[]> {
    if (keys.length === 0) return [...accounts];
    const [tokens, transfers] = await Promise.all([execution.tokens(), execution.transfers()]);
    const work = netChangesWork(transfers.map(({ transfer }) => transfer));
    const nets = netsByToken(await inSlices(work, execution.signal));
    const unnamed = accounts.flatMap(({ storage }) =>
      storage.flatMap(({ slot, variables }) => (variables ? [] : [slot as Hash])),
    );
    const collectibles = await execution.collectibles();
    const places = await inSlices(findPlacesWork(unnamed, keys), execution.signal);
    return accounts.map((account) => {
      const address = account.address as Address;
      const facts = tokens.get(address);
      const storage = account.storage.map((change) => withFound(change, places));
      if (!facts || collectibles.has(address)) return { ...account, storage };
      const token = { address, facts, nets: nets.get(address) ?? new Map<Address, bigint>() };
      return { ...account, storage: inUnits(storage, places, token) };
    });
  }
}

type SlotChange = AccountChange['storage'][number];
type Places = ReadonlyMap<Hash, FoundPlace>;

const inUnits = (
  storage: readonly SlotChange[],
  places: Places,
  token: ChangedToken,
): SlotChange[] => withFoundAmounts(withVariableAmounts(storage, token), places, token);

function withFound(change: SlotChange, places: Places): SlotChange {
  if (change.variables) return change;
  const name = places.get(change.slot as Hash)?.name;
  const found = { ...(name !== undefined && { name }), ...plausible(change) };
  return Object.keys(found).length === 0 ? change : { ...change, found };
}

/** Net transfers of counted tokens: by token, then by account. */
function netsByToken(changes: readonly NetChange[]): Map<Address, Map<Address, bigint>> {
  const tokens = new Map<Address, Map<Address, bigint>>();
  for (const { standard, asset, account, amount } of changes) {
    if (standard !== 'erc20') continue;
    const nets = tokens.get(asset) ?? new Map<Address, bigint>();
    tokens.set(asset, nets.set(account, amount));
  }
  return tokens;
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
