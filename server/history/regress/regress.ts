import { executionSteps, isCreation } from '../../analysis/call-frame';
import { ContractInterface } from '../../analysis/contract-interface';
import type {
  AbiSource,
  MinedTransaction,
  Network,
  NetworkResolver,
  TransactionTrace,
} from '../../analysis/ports';
import type { SimulationNetworks } from '../../analysis/simulation/simulation';
import { simulationOf } from '../../analysis/simulation/simulation-of-transaction';
import { traceDifference } from '../../analysis/traces/verify';
import { fetchIncludedTransaction, loadMined } from '../../analysis/transactions/load';
import type { AddressSource } from '../../api/contract-source';
import { ApiError } from '../../api/errors';
import type { Address, Hash, Hex } from '../../api/primitives';
import type { OnProgress } from '../../api/progress';
import type { RegressBody, Regressed, Regression, Touching, TouchingBody } from '../../api/regress';
import type { UpgradeItem } from '../../api/upgrade-check';
import {
  exactExecution,
  type EngineAtPositionPorts,
} from '../../execution/engines/engine-at-position';
import type { Executions } from '../../execution/engines/executions';
import { layoutItems } from '../upgrades/upgrade-check';
import { effectsDifference, effectsOf } from './effects';
import { failingLine, type FailureRecordings } from './failing-line';
import { failureText, type Signatures } from './failure-text';
import { placedCode } from './placed-code';
import { touchingTransactions } from './touching';
import { traceInBlock, type OtherCode } from './trace-in-block';

/** Executes transactions with other codes. */
export interface CodeReplays {
  traceWithCodes(
    network: Network,
    mined: MinedTransaction,
    codes: ReadonlyMap<Address, Hex>,
    signal: AbortSignal,
  ): Promise<TransactionTrace | undefined>;
}

export interface RegressPorts {
  readonly networks: SimulationNetworks & NetworkResolver;
  readonly abis: AbiSource;
  readonly sources: {
    at(
      wanted: { chain: string; address: Address; height: 'latest' },
      user: string,
      signal: AbortSignal,
    ): Promise<AddressSource>;
  };
  readonly replays: CodeReplays;
  readonly recordings: FailureRecordings;
  readonly engines: Pick<EngineAtPositionPorts, 'executor' | 'rulesOf'>;
  readonly executions: Executions;
}

interface Options {
  readonly signal: AbortSignal;
  readonly onProgress?: OnProgress | undefined;
}

/** A request for results: what is the same for all of its transactions. */
interface Run {
  readonly chain: string;
  readonly user: string;
  readonly other: OtherCode;
  readonly known: ContractInterface;
  readonly simulations: boolean;
  /** Results whose failing line may still be looked for: each is recorded. */
  linesLeft: number;
}

const MAX_LINES = 8;

/** Executes real transactions of a contract again with new code. */
export class Regressions {
  constructor(private readonly ports: RegressPorts) {}

  /** @throws ApiError `chainNotFound`; errors of the node */
  async touching(
    chain: string,
    address: Address,
    body: TouchingBody,
    signal: AbortSignal,
  ): Promise<Touching> {
    const { network, block } = await this.ports.networks.at(chain, { height: 'latest' }, signal);
    return touchingTransactions(network, address, { ...body, head: Number(block.number) }, signal);
  }

  /**
   * @param user the caller, whose artifacts apply
   * @throws ApiError `invalidField` where there is no code, or an immutable has no value; errors of the node
   */
  async run(
    chain: string,
    address: Address,
    { newCode, transactions, init, simulations }: RegressBody,
    user: string,
    { signal, onProgress }: Options,
  ): Promise<Regression> {
    const source = await this.ports.sources.at({ chain, address, height: 'latest' }, user, signal);
    const replaced = source.implementation ?? source;
    if (replaced.codeHash === NO_CODE) {
      throw new ApiError(
        'invalidField',
        `address is ${JSON.stringify(address)}; accepted: a contract, and there is no code`,
      );
    }
    const { immutables = [], storageLayout } = replaced.source ?? {};
    const codes = new Map([[replaced.address as Address, placedCode(newCode, immutables)]]);
    const other = { codes, ...(init && { init: { ...init, to: address } }) };
    const known = ContractInterface.fromAbi(newCode.abi);
    const { network, block } = await this.ports.networks.at(chain, { height: 'latest' }, signal);
    const live = { rpc: network.rpc, address, tag: block.number };
    const layout: UpgradeItem[] = await layoutItems(live, storageLayout, newCode, signal);
    const run = { chain, user, other, known, simulations, linesLeft: MAX_LINES };
    const results: Regressed[] = [];
    let done = 0;
    await Promise.all(
      transactions.map(async (hash, index) => {
        results[index] = await this.#one(run, hash, signal);
        done++;
        onProgress?.({ stage: 'executing transactions', done, total: transactions.length });
      }),
    );
    return { replaced: replaced.address, layout, results };
  }

  async #one(run: Run, hash: Hash, signal: AbortSignal): Promise<Regressed> {
    const { chain, other, known } = run;
    const network = await this.ports.networks.resolve(chain, hash, signal);
    const transaction = await fetchIncludedTransaction(network, hash, signal);
    const blockNumber = Number(transaction.blockNumber ?? '0x0');
    const result = { transaction: hash, blockNumber };
    try {
      const mined = await loadMined(network, transaction, signal);
      const both = await this.#both(network, mined, other, signal);
      if (both === 'created') {
        return { ...result, verdict: 'created', cause: 'it creates the contract' };
      }
      const { old, now } = both;
      const difference = traceDifference(old, mined.receipt);
      if (difference !== undefined) {
        const cause = `with the old code it is executed in another way than on the chain: ${difference}`;
        return { ...result, verdict: 'unknown', cause };
      }
      const found = await this.#withLine(run, mined, compared(old, now, known), signal);
      const simulation = run.simulations && simulationWith(other, mined);
      return { ...result, ...found, ...(simulation && { simulation }) };
    } catch (error) {
      if (signal.aborted || !(error instanceof ApiError)) throw error;
      return { ...result, verdict: 'unknown', cause: error.message };
    }
  }

  /** Adds the line at which a transaction fails now, where the source of the new code is known. */
  async #withLine(
    run: Run,
    mined: MinedTransaction,
    found: Comparison,
    signal: AbortSignal,
  ): Promise<Comparison> {
    const { codes, init } = run.other;
    const { verdict, cause, new: now } = found;
    // A recording has no call of an initializer before the transaction.
    if (verdict !== 'nowFails' || !now || init || run.linesLeft === 0) return found;
    run.linesLeft--;
    try {
      const place = await failingLine(this.ports.recordings, run, mined, codes, signal);
      if (!place) return found;
      const line = `${cause} at ${place.file}:${place.startLine}`;
      return { ...found, cause: line, new: { ...now, place } };
    } catch (error) {
      if (signal.aborted || !(error instanceof ApiError)) throw error;
      return found;
    }
  }

  /** @throws ApiError where nothing executes it with other code */
  async #both(
    network: Network,
    mined: MinedTransaction,
    other: OtherCode,
    signal: AbortSignal,
  ): Promise<{ old: TransactionTrace; now: TransactionTrace } | 'created'> {
    const { codes, init } = other;
    const { replays, engines, executions } = this.ports;
    if (!init && network.replayable) {
      // One after the other: the second one finds what the first one has read.
      const old = await replays.traceWithCodes(network, mined, new Map(), signal);
      if (old && creates(old, codes)) return 'created';
      const now = old && (await replays.traceWithCodes(network, mined, codes, signal));
      if (old && now) return { old, now };
    }
    const exact = await exactExecution(engines, network, mined.block);
    if (!exact) throw new ApiError('rulesUnsupported', 'nothing here executes whole blocks');
    const trace = (placed: OtherCode): Promise<TransactionTrace> =>
      executions.add(() => traceInBlock(exact, network, mined, placed, signal), signal);
    const old = await trace({ codes: new Map() });
    return creates(old, codes) ? 'created' : { old, now: await trace(other) };
  }
}

/** Keccak-256 of nothing. */
const NO_CODE = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';
const creates = ({ root }: TransactionTrace, codes: ReadonlyMap<Address, Hex>): boolean =>
  executionSteps(root).some(
    ({ frame, log }) => !log && isCreation(frame) && frame.to !== null && codes.has(frame.to),
  );

/** Undefined after an initializer, which a simulation does not call. */
function simulationWith(
  { codes, init }: OtherCode,
  mined: MinedTransaction,
): Regressed['simulation'] {
  if (init) return undefined;
  const placed = Array.from(codes, ([address, code]) => [address, { code }] as const);
  return { ...simulationOf(mined), stateOverrides: Object.fromEntries(placed) };
}

type Comparison = Pick<Regressed, 'verdict' | 'cause' | 'old' | 'new'>;

/** In what two executions of a transaction differ. */
export function compared(
  old: TransactionTrace,
  now: TransactionTrace,
  known: Signatures,
): Comparison {
  const sides = { old: sideOf(old, known), new: sideOf(now, known) };
  const { old: was, new: is } = sides;
  if (was.status && !is.status) return { verdict: 'nowFails', cause: is.failure, ...sides };
  if (!was.status && is.status) {
    return { verdict: 'nowSucceeds', cause: `it failed: ${was.failure}`, ...sides };
  }
  if (!was.status && was.failure !== is.failure) {
    return {
      verdict: 'otherEffects',
      cause: `it fails for another reason: ${is.failure}`,
      ...sides,
    };
  }
  const difference = effectsDifference(effectsOf(old), effectsOf(now));
  if (difference !== undefined) return { verdict: 'otherEffects', cause: difference, ...sides };
  const gas = is.gasUsed - was.gasUsed;
  if (gas === 0) return { verdict: 'same', cause: '', ...sides };
  return { verdict: 'otherGas', cause: `${gas > 0 ? '+' : ''}${gas} gas`, ...sides };
}

export const sideOf = (
  { root, reportedGas }: TransactionTrace,
  known: Signatures,
): NonNullable<Regressed['old']> => ({
  status: root.error === undefined,
  gasUsed: reportedGas,
  failure: failureText(root, known),
});
