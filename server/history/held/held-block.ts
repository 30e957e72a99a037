import type { Network } from '../../analysis/ports';
import { ApiError } from '../../api/errors';
import type { Address, Hex } from '../../api/primitives';
import type { StateOverrides } from '../../api/simulate';
import { blockSchema } from '../../evm/forms/answer-schemas';
import { withoutNulls } from '../../evm/forms/plain-answers';
import { toQuantity } from '../../evm/forms/quantity';
import type { RpcBlock, RpcBlockHeader, RpcTransaction } from '../../evm/forms/types';
import {
  exactExecution,
  type EngineAtPositionPorts,
} from '../../execution/engines/engine-at-position';
import type { Executions } from '../../execution/engines/executions';
import { reasonOf } from '../../execution/prefix/apply-executed';
import type { OpenBlock, PlacedBlock } from '../../execution/prefix/block-executor';
import { recordMined } from '../../execution/prefix/record-mined';
import { fetchBlock } from '../../execution/prefix/upstream-block';
import { neverAborted } from '../../kernel/async/never-aborted';
import { ChangedAccounts } from './changed-accounts';
import { unsentCall } from './unsent-call';

/** The last block of a held chain: its transactions up to the one that is held. */
export interface HeldPlace {
  /** Slug of the chain. */
  readonly chain: string;
  readonly number: number;
  readonly position: number;
  /** Whether a node answers what is not held. */
  readonly isOnline: () => boolean;
}

export interface HeldPorts {
  readonly engines: Pick<EngineAtPositionPorts, 'executor' | 'rulesOf'>;
  readonly executions: Executions;
}

/** The execution of the transactions of a held block. */
export interface HeldExecution {
  readonly accounts: ChangedAccounts;
  /** Accounts that each transaction reads or writes, in the order of the block. */
  readonly touched: readonly { transaction: RpcTransaction; accounts: ReadonlySet<string> }[];
}

/** A block of which the state before it is held, as far as some of its transactions read it. */
export class HeldBlock {
  #executed: Promise<HeldExecution> | undefined;

  constructor(
    private readonly ports: HeldPorts,
    /** With the client of what is held. */
    private readonly network: Network,
    private readonly place: HeldPlace,
  ) {}

  /** The block with the transactions up to the held one. @throws ApiError `upstreamLacksData` */
  async block(signal: AbortSignal): Promise<RpcBlock> {
    const block = await this.#blockAt(this.place.number, signal);
    return { ...block, transactions: block.transactions.slice(0, this.place.position + 1) };
  }

  /** Executes the transactions once. @throws ApiError `rulesUnsupported`, `upstreamLacksData` */
  executed(): Promise<HeldExecution> {
    // Several requests wait for it: none of them cancels it for the others.
    this.#executed ??= this.#execute(neverAborted()).catch((error: unknown) => {
      this.#executed = undefined;
      throw error;
    });
    return this.#executed;
  }

  /**
   * The answer of a view call.
   * @param isAfter after the transactions; else before the block
   * @returns undefined where the call fails
   * @throws ApiError `rulesUnsupported`, `upstreamLacksData`
   */
  async call(
    call: { to: Address; data: Hex },
    isAfter: boolean,
    signal: AbortSignal,
  ): Promise<Hex | undefined> {
    const overrides = isAfter ? overridesOf((await this.executed()).accounts) : {};
    const number = isAfter ? this.place.number : this.place.number - 1;
    const header = await this.#headerAt(number, signal);
    return this.#open(header, { isOver: !isAfter }, signal, async (open) => {
      const transaction = unsentCall(header, call);
      const { calls } = await open.simulate({ transaction, header, overrides, isBare: true });
      const { error, output = '0x' } = calls.answer as { error?: unknown; output?: Hex };
      return error === undefined ? output : undefined;
    });
  }

  async #execute(signal: AbortSignal): Promise<HeldExecution> {
    const block = await this.block(signal);
    const accounts = new ChangedAccounts();
    const touched: { transaction: RpcTransaction; accounts: ReadonlySet<string> }[] = [];
    return this.#open(block, {}, signal, async (open) => {
      await open.warm(block.transactions);
      for (const transaction of block.transactions) {
        const executed = await recordMined(open, block, transaction);
        accounts.apply(executed.changes);
        touched.push({ transaction, accounts: new Set(Object.keys(executed.touched)) });
      }
      return { accounts, touched };
    });
  }

  async #open<T>(
    header: RpcBlockHeader,
    options: Pick<PlacedBlock, 'isOver'>,
    signal: AbortSignal,
    work: (open: OpenBlock) => Promise<T>,
  ): Promise<T> {
    const exact = await exactExecution(this.ports.engines, this.network, header);
    if (!exact) throw new ApiError('rulesUnsupported', 'nothing here executes whole blocks');
    return this.ports.executions.add(async () => {
      let open: OpenBlock | undefined;
      try {
        open = await exact.executor.open({ ...exact.place, ...options }, signal);
        return await work(open);
      } catch (error) {
        throw new ApiError('rulesUnsupported', reasonOf(error, signal), { cause: error });
      } finally {
        open?.close();
      }
    }, signal);
  }

  async #headerAt(number: number, signal: AbortSignal): Promise<RpcBlockHeader> {
    const { rpc, key } = this.network;
    const params = [toQuantity(number), false];
    const found = await rpc.request('eth_getBlockByNumber', params, { signal });
    if (found) return withoutNulls(found as RpcBlock, blockSchema);
    throw new ApiError('upstreamLacksData', `${key} has no block ${number}`);
  }

  async #blockAt(number: number, signal: AbortSignal): Promise<RpcBlock> {
    const { rpc, chainId, key } = this.network;
    const block = await fetchBlock(rpc, number, { signal, chainId });
    if (block) return block;
    throw new ApiError('upstreamLacksData', `${key} has no block ${number}`);
  }
}

const overridesOf = (accounts: ChangedAccounts): StateOverrides =>
  Object.fromEntries(
    accounts.list().map(([address, { balance, nonce, code, storage }]) => [
      address,
      {
        ...(balance === undefined ? {} : { balance }),
        ...(nonce === undefined ? {} : { nonce: toQuantity(nonce) }),
        ...(code === undefined ? {} : { code }),
        ...(storage === undefined ? {} : { stateDiff: storage }),
      },
    ]),
  );
