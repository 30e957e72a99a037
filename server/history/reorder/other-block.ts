import type { Network } from '../../analysis/ports';
import type { Address, Hex } from '../../api/primitives';
import type { OtherBlock, OtherTransaction } from '../../api/reorder';
import { toQuantity } from '../../evm/forms/quantity';
import type { RpcBlock } from '../../evm/forms/types';
import { isExactOpStack } from '../../evm/families/op-stack/upgrades';
import { compared, sideOf } from '../regress/regress';
import type { Signatures } from '../regress/failure-text';
import type { AsItWas } from './as-it-was';
import { Gains, type Facts } from './gains';
import { LeftState } from './left-state';
import { UNSIGNED, type Plan, type Planned } from './plan';
import type { ReorderPorts } from './reorder';
import type { Ran, Refused } from './run-block';
import { signaturesOf } from './signatures';

/** Accounts in an answer. */
const MAX_ACCOUNTS = 1_000;

interface Executed {
  readonly network: Network;
  readonly block: RpcBlock;
  readonly plan: Plan;
  readonly was: AsItWas;
  /** One for each transaction of the plan. */
  readonly results: readonly (Ran | Refused)[];
  readonly withState: boolean;
}

/** A row of the answer before its facts are known. */
interface Pair {
  readonly planned: Planned;
  readonly is: number | undefined;
  readonly before: Ran | undefined;
  readonly after: Ran | Refused | undefined;
}

/** The comparison of the other block with the block as it was. */
export async function answerOf(
  executed: Executed,
  { abis, tokens }: Pick<ReorderPorts, 'abis' | 'tokens'>,
  signal: AbortSignal,
): Promise<OtherBlock> {
  const { network, block, plan, was, results } = executed;
  const ran = results.filter((one) => 'receipt' in one);
  const roots = [...was.ran, ...ran].map(({ trace }) => trace.root);
  const signatures = await signaturesOf(abis, network, block, roots, signal);
  const [before, after] = [gainsOf(was.ran), gainsOf(ran)];
  const assets = [...new Set([...before.tokens(), ...after.tokens()])];
  const facts: Facts = {
    nativeSymbol: network.nativeSymbol,
    tokens: await tokens.factsOf(network, assets, BigInt(block.number), signal),
  };
  const pairs = pairsOf(plan, was.ran, results);
  const senders = pairs.map(({ planned }) => lower(planned.transaction.from));
  const accounts = before.differencesTo(after, [...new Set(senders)], facts);
  return {
    chain: network.key,
    blockNumber: Number(block.number),
    blockHash: block.hash,
    executor: 'process',
    check: was.check,
    transactions: pairs.map((pair) => rowOf(pair, signatures, facts)),
    accounts: accounts.slice(0, MAX_ACCOUNTS),
    ...(accounts.length > MAX_ACCOUNTS ? { omitted: accounts.length - MAX_ACCOUNTS } : {}),
    gasUsed: { before: gasOf(was.ran), after: gasOf(ran), limit: Number(block.gasLimit) },
    notes: notesOf(executed, gasOf(ran)),
    ...(executed.withState ? await stateOf(executed, ran, signal) : {}),
  };
}

function pairsOf(plan: Plan, was: readonly Ran[], results: Executed['results']): Pair[] {
  const beforeOf = (planned: Planned): Ran | undefined =>
    planned.was === undefined ? undefined : was[planned.was];
  return [
    ...plan.transactions.map((planned, is) => ({
      planned,
      is,
      before: beforeOf(planned),
      after: results[is],
    })),
    ...plan.dropped.map((planned) => ({
      planned,
      is: undefined,
      before: beforeOf(planned),
      after: undefined,
    })),
  ];
}

function rowOf({ planned, is, before, after }: Pair, known: Signatures, facts: Facts) {
  const { transaction, was, isMoved, isSet } = planned;
  const { hash, from, to } = transaction;
  const ran = after && 'receipt' in after ? after : undefined;
  const gains = gainsOf(before ? [before] : []);
  const row: OtherTransaction = {
    hash: hash === UNSIGNED ? '' : hash,
    from: lower(from),
    to: to === null ? null : lower(to),
    was: was ?? null,
    is: is ?? null,
    isMoved,
    isSet,
    ...verdictOf(before, after, known),
    ...(before && { before: sideOf(before.trace, known) }),
    ...(ran && { after: sideOf(ran.trace, known) }),
    gains: gains.differencesTo(gainsOf(ran ? [ran] : []), [lower(from)], facts),
  };
  return row;
}

function verdictOf(
  before: Ran | undefined,
  after: Ran | Refused | undefined,
  known: Signatures,
): Pick<OtherTransaction, 'verdict' | 'cause'> {
  if (!after) return { verdict: 'dropped', cause: '' };
  if ('refused' in after) return { verdict: 'invalid', cause: after.refused };
  if (!before) return { verdict: 'inserted', cause: sideOf(after.trace, known).failure };
  const { verdict, cause } = compared(before.trace, after.trace, known);
  if (verdict === 'created' || verdict === 'unknown') throw new Error(`verdict ${verdict}`);
  return { verdict, cause };
}

const gainsOf = (ran: readonly Ran[]): Gains =>
  ran.reduce((gains, one) => gains.add(one), new Gains());

const gasOf = (ran: readonly Ran[]): number =>
  ran.reduce((sum, { receipt }) => sum + Number(receipt.gasUsed), 0);

const lower = (address: string): Address => address.toLowerCase() as Address;

function notesOf({ network, block, plan, was }: Executed, gas: number): string[] {
  const notes: string[] = [];
  if (was.whyUnchecked !== undefined) {
    notes.push(`the state after the block is not compared with the chain's: ${was.whyUnchecked}`);
  }
  const isOther = ({ was: position, isMoved, isSet }: Planned): boolean =>
    position === undefined || isMoved || isSet;
  if (plan.dropped.length === 0 && !plan.transactions.some(isOther)) return notes;
  const unsigned = plan.transactions.filter((one) => one.was === undefined || one.isSet);
  notes.push(
    'no receipt proves the other block: it is executed as the block as it was, with the same base fee, time and producer',
  );
  if (unsigned.length > 0) {
    notes.push(
      'inserted and changed transactions are executed as if their senders had signed them: an inserted one with the next nonce of its sender',
    );
  }
  if (unsigned.length > 0 && isExactOpStack(network.chainId, block)) {
    notes.push('inserted and changed transactions pay no fee for the data on the parent chain');
  }
  if (gas > Number(block.gasLimit)) {
    notes.push(`the other block uses more gas than its limit of ${Number(block.gasLimit)}`);
  }
  return notes;
}

async function stateOf(
  { network, block, was }: Executed,
  ran: readonly Ran[],
  signal: AbortSignal,
): Promise<Required<Pick<OtherBlock, 'state' | 'stateSince'>>> {
  // A fork after a block of a fork or of a case file cannot be made: only one before it.
  const stateSince = network.replayable && !network.held ? 'block' : 'parent';
  const left = (all: readonly Ran[]): LeftState =>
    all.reduce((state, { changes }) => state.add(changes), new LeftState());
  const number = BigInt(block.number) - (stateSince === 'block' ? 0n : 1n);
  const base = left(stateSince === 'block' ? was.ran : []);
  const state = await base.differencesTo(left(ran), async (address) => {
    const params = [address, toQuantity(number)];
    return BigInt((await network.rpc.request('eth_getBalance', params, { signal })) as Hex);
  });
  return { state, stateSince };
}
