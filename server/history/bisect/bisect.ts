import type { MinedTransaction, Network } from '../../analysis/ports';
import type { SimulationNetworks } from '../../analysis/simulation/simulation';
import type { Bisection, BisectBody, BisectChange } from '../../api/bisect';
import { ApiError, invalidField } from '../../api/errors';
import type { Hash } from '../../api/primitives';
import type { OnProgress } from '../../api/progress';
import type { StateDiff } from '../../api/views';
import type { RpcBlock } from '../../evm/forms/types';
import {
  exactExecution,
  type EngineAtPositionPorts,
} from '../../execution/engines/engine-at-position';
import type { Executions } from '../../execution/engines/executions';
import { fetchBlock } from '../../execution/prefix/upstream-block';
import { isSameOutcome, type ChainExpression, type Outcome } from '../expressions/chain-expression';
import { bisectedBlocks, everyChangedBlock } from './changed-blocks';
import type { ExpressionSource } from './expression-source';
import { findPositions, type BlockToSearch, type FoundPosition } from './find-position';
import { findPayments, type PaymentSources } from './find-payments';
import { findWrites, type RecordingKey, type WriteRecordings } from './find-writes';
import type { Range } from './narrow';
import { searchOnEngine } from './search-on-engine';
import { ValuesAfterBlocks } from './values-after-blocks';

/** Changes that are traced to their transactions. */
const MAX_CHANGES = 50;

const MAY_MISS: Readonly<Record<BisectBody['plan'], string>> = {
  one: 'bisection finds one change: there may be others, and a value that changed and changed back between two reads is not seen',
  all: 'only the changes that the reads of the bisections show: a value that changed and changed back between two reads is not seen',
  every:
    'a value that changed and changed back within one block, where it is the same after it, is not seen',
};

export interface BisectPorts {
  readonly networks: SimulationNetworks;
  readonly expressions: ExpressionSource;
  readonly engines: EngineAtPositionPorts;
  readonly executions: Executions;
  readonly recordings: WriteRecordings;
  readonly payments: PaymentSources;
  /** Names of the variables that a transaction changed. */
  readonly stateDiff: (
    key: { chain: string; hash: Hash; user: string },
    options: { signal: AbortSignal },
  ) => Promise<StateDiff>;
}

interface Options {
  readonly signal: AbortSignal;
  readonly onProgress?: OnProgress | undefined;
}

/** The request with what its blocks are. */
interface Search extends Options {
  readonly chain: string;
  readonly user: string;
  readonly network: Network;
  readonly expression: ChainExpression;
  readonly values: ValuesAfterBlocks;
  /** Changes of a block that are wanted. */
  readonly most: number;
}

/** Finds the transactions after which the value of an expression changed. */
export class Bisect {
  constructor(private readonly ports: BisectPorts) {}

  /**
   * @param chain slug of a chain, or id of a fork
   * @param user the caller, whose ABIs and labels apply
   * @throws ApiError `invalidField`, `unchanged`, `upstreamLacksData`, `upstreamUnreachable`, `timedOut`
   */
  async run(chain: string, body: BisectBody, user: string, options: Options): Promise<Bisection> {
    const { signal, onProgress } = options;
    const last = await this.ports.networks.at(chain, { height: body.to, field: 'to' }, signal);
    const to = Number(last.block.number);
    const from = await this.#numberOf(chain, body.from, signal);
    if (from >= to) throw invalidField('from', from, `a block below ${to}, which is to`);
    const network = { ...last.network, user };
    const { oldestState = 0 } = network.held ?? {};
    if (from < oldestState) {
      throw invalidField(
        'from',
        from,
        `a block from ${oldestState} on: ${chain} has no older state`,
      );
    }
    const expression = await this.ports.expressions.of(network, last.block, body, signal);
    const values = new ValuesAfterBlocks(network, expression, signal);
    onProgress?.({ stage: 'reading both ends', done: 0, total: 1 });
    const [before, after] = await values.ends(from, to);
    const whole = { low: from, high: to, before, after };
    if (body.plan !== 'every') requireChange(whole);
    const { ranges, omitted } =
      body.plan === 'every'
        ? await everyChangedBlock(values, whole, MAX_CHANGES, onProgress)
        : await bisectedBlocks(values, whole, body.plan === 'one' ? 1 : MAX_CHANGES, onProgress);
    const most = body.plan === 'one' ? 1 : MAX_CHANGES;
    const search = { ...options, chain, user, network, expression, values, most };
    const changes: BisectChange[] = [];
    for (const range of ranges) changes.push(...(await this.#inBlock(search, range)));
    return {
      expression: body.expression,
      from,
      to,
      start: shown(before),
      end: shown(after),
      changes,
      ...(body.plan !== 'one' && omitted > 0 ? { omitted } : {}),
      mayMiss: MAY_MISS[body.plan],
      reads: values.reads,
    };
  }

  async #numberOf(chain: string, height: BisectBody['from'], signal: AbortSignal): Promise<number> {
    if (height.startsWith('0x')) return Number(height);
    if (height === 'earliest') return 0;
    return Number((await this.ports.networks.at(chain, { height }, signal)).block.number);
  }

  /** The changes between two adjacent blocks. */
  async #inBlock(search: Search, range: Range<Outcome>): Promise<BisectChange[]> {
    const { network, values, expression, signal } = search;
    const block = await blockOf(network, range.high, signal);
    const place: BlockToSearch = {
      network,
      block,
      expression,
      parent: values.readerOf(range.low),
      before: range.before,
      most: search.most,
    };
    const positions = await this.#positions(search, place, range);
    const changes: BisectChange[] = [];
    for (const position of positions) changes.push(await this.#change(search, block, position));
    return changes;
  }

  async #positions(
    { signal, onProgress }: Search,
    place: BlockToSearch,
    { before, after }: Range<Outcome>,
  ): Promise<readonly FoundPosition[]> {
    const { engines, executions } = this.ports;
    const { network, block } = place;
    const ofBlock: FoundPosition = {
      transaction: undefined,
      before,
      after,
      state: [],
      executor: 'none',
    };
    if (block.transactions.length === 0) return [ofBlock];
    let reason: unknown;
    try {
      const exact = await exactExecution(engines, network, block);
      if (exact) {
        const options = { signal, onProgress };
        const found = await executions.add(() => findPositions(place, exact, options), signal);
        return found.length > 0 ? found : [{ ...ofBlock, executor: 'process' }];
      }
    } catch (error) {
      if (signal.aborted) throw error;
      reason = error;
    }
    const [only, ...others] = block.transactions;
    if (others.length === 0) return [{ ...ofBlock, transaction: only }];
    if (!network.replayable) throw reason;
    return [
      await executions.add(
        () => searchOnEngine(place, engines, after, { signal, onProgress }),
        signal,
      ),
    ];
  }

  async #change(
    search: Search,
    { number, hash, timestamp }: RpcBlock,
    position: FoundPosition,
  ): Promise<BisectChange> {
    const { transaction, before, after, executor, difference } = position;
    const change = {
      blockNumber: Number(number),
      blockHash: hash,
      timestamp: Number(timestamp),
      transaction: transaction ? toTransaction(transaction) : null,
      before: shown(before),
      after: shown(after),
      executor,
      ...(difference === undefined ? {} : { difference }),
    };
    if (!transaction) return { ...change, state: [], writes: [], payments: [] };
    const state = await this.#named(search, transaction.hash, [...position.state]);
    const payments = await this.#payments(search, transaction.hash, state);
    return { ...change, state, payments, ...(await this.#writes(search, transaction.hash, state)) };
  }

  /** With the names of the variables; what changed alone where the execution did not say what the value depends on. */
  async #named(
    { chain, user, signal }: Search,
    hash: Hash,
    state: BisectChange['state'],
  ): Promise<BisectChange['state']> {
    if (!state.some(({ part }) => part === 'slot')) return state;
    try {
      const { stateDiff } = await this.ports.stateDiff({ chain, hash, user }, { signal });
      const slots = new Map(
        stateDiff.accounts.flatMap(({ address, storage }) =>
          storage.map((one) => [`${address} ${one.slot}`, one] as const),
        ),
      );
      return state.map((one) => {
        const variables = slots.get(`${one.address} ${one.slot}`)?.variables ?? [];
        const names = variables.map(({ name }) => name);
        return names.length === 0 ? one : { ...one, variables: names };
      });
    } catch (error) {
      if (signal.aborted) throw error;
      return state;
    }
  }

  async #payments(
    { chain, user, signal }: Search,
    hash: Hash,
    state: BisectChange['state'],
  ): Promise<BisectChange['payments']> {
    const paid = state.filter(({ part }) => part === 'balance').map(({ address }) => address);
    if (paid.length === 0) return [];
    try {
      const key = { chain, hash, user };
      return await findPayments(this.ports.payments, key, new Set(paid), signal);
    } catch (error) {
      if (signal.aborted || !(error instanceof ApiError)) throw error;
      return [];
    }
  }

  async #writes(
    { chain, user, signal, onProgress }: Search,
    transaction: Hash,
    state: BisectChange['state'],
  ): Promise<Pick<BisectChange, 'writes' | 'whyNoWrites'>> {
    const slots = state.flatMap(({ address, slot }) =>
      slot === undefined ? [] : [{ address, slot }],
    );
    if (slots.length === 0) return { writes: [] };
    onProgress?.({ stage: 'recording the transaction', done: 0, total: 1 });
    const key: RecordingKey = { chain, transaction, user };
    try {
      return { writes: await findWrites(this.ports.recordings, key, slots, signal) };
    } catch (error) {
      if (signal.aborted || !(error instanceof ApiError)) throw error;
      return { writes: [], whyNoWrites: error.message };
    }
  }
}

/** @throws ApiError `unchanged`; `invalidField` where there is no value at all */
function requireChange({ low, high, before, after }: Range<Outcome>): void {
  if (!isSameOutcome(before, after)) return;
  const { unavailable } = before;
  if (unavailable !== undefined) {
    throw new ApiError(
      'invalidField',
      `expression has no value after block ${low} and after block ${high}: ${unavailable}; accepted: an expression with a value at one of them`,
    );
  }
  throw new ApiError(
    'unchanged',
    `the expression is ${before.value} after block ${low} and after block ${high}: a bisection needs different ends; with the plan "every", every block is read`,
  );
}

async function blockOf(network: Network, number: number, signal: AbortSignal): Promise<RpcBlock> {
  const block = await fetchBlock(network.rpc, number, { signal, chainId: network.chainId });
  if (block) return block;
  throw new ApiError('upstreamLacksData', `the node of ${network.key} has no block ${number}`);
}

const toTransaction = ({
  hash,
  transactionIndex,
  from,
  to,
}: MinedTransaction['transaction']): NonNullable<BisectChange['transaction']> => ({
  hash,
  position: Number(transactionIndex),
  from: from.toLowerCase(),
  to: to?.toLowerCase() ?? null,
});

const shown = ({ value, type, unavailable }: Outcome): Bisection['start'] => ({
  value,
  type,
  ...(unavailable === undefined ? {} : { unavailable }),
});
