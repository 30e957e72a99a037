import { Interface } from 'ethers';
import type { CallFrame, FrameItem, Log } from '../../server/analysis/call-frame';
import { TraceDecoder } from '../../server/analysis/decoding/trace-decoder';
import { failureChain, toFailedCall } from '../../server/analysis/failures/chain';
import { provedCauses } from '../../server/analysis/failures/causes';
import type { Cause } from '../../server/analysis/failures/condition';
import type { Ask } from '../../server/analysis/failures/question';
import type { Contract } from '../../server/analysis/ports';
import { attemptOf } from '../../server/analysis/summary/attempt';
import { toSummaryClause } from '../../server/analysis/summary/clause';
import { clausesWork } from '../../server/analysis/summary/clauses';
import { sceneWork, type Scene } from '../../server/analysis/summary/scene';
import { claimKey, type CheckedClaim } from '../../server/analysis/balances/claims';
import { reconcileWork, type ReconciledTransfers } from '../../server/analysis/balances/reconcile';
import type { ExecutionState } from '../../server/analysis/execution-state';
import { placedTransfers, type PlacedTransfer } from '../../server/analysis/transfers/collect';
import type { Address, Hash, Hex } from '../../server/api/primitives';
import type { Summary } from '../../server/api/summary';
import { sentenceSegments } from '../../server/presentation/summary-lines';
import { writtenText } from '../../server/presentation/written-text';
import { atOnce } from '../../server/kernel/async/slices';
import { abi, account, frame, identification, word } from './analysis';

/** Accounts and contracts of made transactions, by the names that their sentences use. */
export const WHO = {
  alice: account(0xa11ce),
  bob: account(0xb0b),
  carol: account(0xca401),
  nobody: account(0),
  DAI: account(0xda1),
  USDC: account(0x05dc),
  WETH: account(0x3e74),
  LP: account(0x19),
  aDAI: account(0xada1),
  debtDAI: account(0xdeb7),
  NFT: account(0xf7),
  pair: account(0x9a14),
  router: account(0x40c7e4),
  vault: account(0x7a017),
  lender: account(0x1e4d),
  proxy: account(0x9407),
  code: account(0xc0de),
} as const;
export type Name = keyof typeof WHO;

const NAMES = new Map<string, string>(Object.entries(WHO).map(([name, at]) => [at, name]));
const nameOf = (address: string): string => NAMES.get(address) ?? address;

/** Tokens without decimals, so that sentences have the amounts of the events. */
const TOKENS = new Map(
  (['DAI', 'USDC', 'WETH', 'LP', 'aDAI', 'debtDAI'] as const).map((symbol) => [
    WHO[symbol],
    { symbol, decimals: 0 },
  ]),
);

const INTERFACES = new Map<string, Interface>();
function interfaceOf(item: string): Interface {
  const known = INTERFACES.get(item) ?? new Interface([item]);
  INTERFACES.set(item, known);
  return known;
}

/** A log of an event, such as `Transfer(address indexed from, address indexed to, uint256 value)`. */
export function emitted(by: Address, event: string, ...values: unknown[]): Log {
  const { topics, data } = interfaceOf(`event ${event}`).encodeEventLog(
    event.slice(0, event.indexOf('(')),
    values,
  );
  return { address: by, topics: topics as Hash[], data: data as Hex };
}

/** A transfer of a token, as its event. */
export const moved = (token: Name, from: Name, to: Name, amount: bigint | number): Log =>
  emitted(
    WHO[token],
    'Transfer(address indexed from, address indexed to, uint256 value)',
    WHO[from],
    WHO[to],
    amount,
  );
/** A transfer of a token with an id, as its event. */
export const movedId = (from: Name, to: Name, tokenId: number): Log =>
  emitted(
    WHO.NFT,
    'Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
    WHO[from],
    WHO[to],
    tokenId,
  );
export const swapped = (pool: Name, in0: number, in1: number, out0: number, out1: number): Log =>
  emitted(
    WHO[pool],
    'Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)',
    WHO.router,
    in0,
    in1,
    out0,
    out1,
    WHO.alice,
  );

/** A call of a function, such as `transfer(address,uint256)`. */
export const calling = (
  from: Name,
  to: Name,
  method: string,
  args: readonly unknown[] = [],
  facts: Partial<CallFrame> = {},
): CallFrame =>
  frame({
    from: WHO[from],
    to: WHO[to],
    input: interfaceOf(`function ${method}`).encodeFunctionData(
      method.slice(0, method.indexOf('(')),
      args,
    ) as Hex,
    ...facts,
  });

/** A call that only pays. */
export const paying = (
  from: Name,
  to: Name,
  value: bigint,
  facts: Partial<CallFrame> = {},
): CallFrame => frame({ from: WHO[from], to: WHO[to], value, ...facts });

/** Revert data of a custom error or of `Error(string)`. */
export const errorData = (error: string, ...values: unknown[]): Hex =>
  interfaceOf(`error ${error}`).encodeErrorResult(
    error.slice(0, error.indexOf('(')),
    values,
  ) as Hex;
export const failing = (message: string): Pick<CallFrame, 'error' | 'output'> => ({
  error: 'execution reverted',
  output: errorData('Error(string reason)', message),
});

export interface Stage {
  readonly contracts?: Record<Address, Contract>;
  /** Items of interfaces that are known by signature. */
  readonly known?: readonly string[];
  readonly chainId?: number;
  readonly timestamp?: number;
  readonly state?: ExecutionState;
  /** Net changes with the measured ones; without them nothing contradicts the transfers. */
  readonly checked?: readonly CheckedClaim[];
  /** Names beyond those of `WHO`. */
  readonly names?: Readonly<Record<Address, string>>;
}

const reconciled = (
  transfers: readonly PlacedTransfer[],
  checked: readonly CheckedClaim[],
): ReconciledTransfers =>
  atOnce(reconcileWork(transfers, new Map(checked.map((one) => [claimKey(one), one]))));

/** A state in which a contract holds an account in its first slot after the transaction. */
export const storing = (contract: Address, held: Address): ExecutionState => ({
  native: new Map(),
  before: { [contract]: { stateDiff: { [word(0)]: word(0) } } },
  after: { [contract]: { stateDiff: { [word(0)]: word(held) } } },
});

export function sceneOf(root: CallFrame, stage: Stage = {}): Scene {
  const { contracts = {}, known = [], chainId = 1, timestamp = 1_700_000_000, state } = stage;
  const identified = identification(contracts, [abi(...known)]);
  const context = {
    wrappedNative: WHO.WETH,
    contracts: identified.contracts,
    destructionNeedsCreation: true,
  };
  const transfers = [...placedTransfers(root, context)];
  return atOnce(
    sceneWork({
      root,
      chainId,
      timestamp,
      known: identified,
      wrappedNative: WHO.WETH,
      decoder: new TraceDecoder(identified),
      transfers: stage.checked ? reconciled(transfers, stage.checked).transfers : transfers,
      state,
    }),
  );
}

const facts = { tokens: TOKENS, prices: new Map(), nativeSymbol: 'ETH' };

const summaryOf = (clauses: Summary['clauses']): Summary => ({
  clauses,
  moreClauses: 0,
  swallowed: [],
  swallowedCount: 0,
  findings: [],
  moreFindings: 0,
});

/** The sentence of a transaction, or of what it tried. */
export function sentence(root: CallFrame, stage?: Stage): string {
  const scene = sceneOf(root, stage);
  const isDone = root.error === undefined;
  const clauses = isDone ? atOnce(clausesWork(scene)) : [attemptOf(scene)];
  const summary = summaryOf(clauses.map((clause) => toSummaryClause(clause, facts)));
  const names = (address: string) => stage?.names?.[address as Address] ?? nameOf(address);
  const segments = sentenceSegments(summary, isDone, { names, nativeSymbol: '' });
  return writtenText(segments, { shown: 66, shownList: 66, isForModel: false });
}

/** Top call of Alice to the router, with these items inside. */
export const viaRouter = (...items: FrameItem[]): CallFrame =>
  frame({ from: WHO.alice, to: WHO.router, input: '0x12345678', items });

/** The chain of a failure as `contract: reason`, innermost first. */
export const chainOf = (root: CallFrame, stage?: Stage): string[] => {
  const scene = sceneOf(root, stage);
  return failureChain(scene.steps).map((place) => {
    const { contract, reason } = toFailedCall(place, scene.decoder);
    return `${nameOf(contract)}: ${reason}`;
  });
};

/** Answers by `contract data`, for what is read from the state; everything else is unknown. */
export const answering =
  (answers: Readonly<Record<string, bigint>>, asked: string[] = []): Ask =>
  (questions) =>
    Promise.resolve(
      questions.map(({ to, data }) => {
        asked.push(`${nameOf(to)} ${data.slice(0, 10)}`);
        return answers[`${nameOf(to)} ${data.slice(0, 10)}`];
      }),
    );

/** Proved causes, in short: amounts as numbers, accounts by name. */
export async function causes(
  root: CallFrame,
  ask: Ask = answering({}),
  stage?: Stage,
): Promise<string[]> {
  const scene = sceneOf(root, stage);
  const found = await provedCauses(failureChain(scene.steps), scene, ask);
  return found.map((cause) => causeText(cause));
}

function causeText(cause: Cause): string {
  const { kind, nodeId, proof, proofNodeId, has, needs, account: holder } = cause;
  const amounts = needs ? ` ${has === undefined ? '?' : has.amount}/${needs.amount}` : '';
  const by = proofNodeId === undefined ? '' : ` #${proofNodeId}`;
  return `#${nodeId} ${kind}${holder ? ` of ${nameOf(holder)}` : ''}${amounts} by ${proof}${by}`;
}
