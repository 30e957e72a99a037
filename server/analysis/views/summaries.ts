import type { Summary, SummaryCause } from '../../api/summary';
import type { Address } from '../../api/primitives';
import { timeoutSignal } from '../../api/timeout-signal';
import { inSlices, pause } from '../../kernel/async/slices';
import type { AssetFacts } from '../balances/asset-amount';
import { reconcileWork, type ReconciledTransfers } from '../balances/reconcile';
import type { TraceDecoder } from '../decoding/trace-decoder';
import { succeeded } from '../executed-transaction';
import { askBefore } from '../failures/ask';
import { failureChain, swallowedFailures, toFailedCall } from '../failures/chain';
import { provedCauses } from '../failures/causes';
import type { Cause } from '../failures/condition';
import type { Ask } from '../failures/question';
import { withoutRepeated } from '../findings/accounts';
import { disputedTokens } from '../findings/decimals';
import { delegationFindings } from '../findings/delegations';
import type { Finding } from '../findings/finding';
import { findingsWork } from '../findings/findings';
import { withGain } from '../findings/gains';
import { isLoan, markedLoansWork, type LoanEvidence } from '../findings/lent-balances';
import { readFindings } from '../findings/reads';
import { contradictedTokens, imitatedTokens } from '../findings/tokens';
import type { KnownContractSource, StateSource, StorageWriteSource } from '../ports';
import { attemptOf } from '../summary/attempt';
import { assetsOf, toSummaryClause, type Clause } from '../summary/clause';
import { clausesWork } from '../summary/clauses';
import type { Step } from '../call-frame';
import {
  approvalContradiction,
  balanceContradiction,
  toSummaryApproval,
} from '../summary/contradictions';
import {
  approvalQuestion,
  compareApprovals,
  type MeasuredApprovals,
} from '../summary/measured-approvals';
import { ownAccountsWork } from '../summary/own-contracts';
import { measuredNetsWork, partiesWork, toParty } from '../summary/parties';
import { toSummaryQuantity, type Quantity } from '../summary/quantity';
import { sceneWork, type Scene } from '../summary/scene';
import type { LayoutSource } from '../state/storage-layouts';
import type { BalanceChanges } from './balance-changes';
import { withCalledState } from './called-state';
import { delegationsOf, emptiedTokens } from './delegations';
import type { ViewedExecution } from './viewed-execution';

const MAX_CLAUSES = 8;
const MAX_FINDINGS = 20;
const MAX_CHAIN = 8;
const MAX_SWALLOWED = 3;
const MAX_NODES = 8;
const MAX_CONTRADICTIONS = 8;
const MAX_APPROVALS = 20;
/** Events that only the storage of their contract bears out. */
const CONTROL_EVENTS = new Set(['Upgraded', 'OwnershipTransferred', 'AdminChanged']);
/** Time limit of what is read from the state, in milliseconds; it delays the response. */
const READ_TIMEOUT_MS = 4_000;
/** Time limit of the prices of what the parties gained and lost, in milliseconds; it delays the response. */
const PRICE_TIMEOUT_MS = 2_000;

export interface LoanSources {
  /** Well-known tokens, whose events are believed. */
  readonly known: Pick<KnownContractSource, 'isListed'> | undefined;
  readonly storageWrites: StorageWriteSource | undefined;
}

/** What executions did, why they failed, and what an auditor should look at. */
export class Summaries {
  /**
   * @param states if undefined, nothing is read from the state before a failure
   * @param balances measured changes, which clauses do not contradict
   * @param loans what bears flash loans out
   * @param layouts of contracts that no artifact matches; without it, their variables have no names
   */
  constructor(
    private readonly states: StateSource | undefined,
    private readonly balances: BalanceChanges,
    private readonly loans: LoanSources,
    private readonly layouts: LayoutSource | undefined,
  ) {}

  async of(execution: ViewedExecution, decoder: TraceDecoder): Promise<Summary> {
    const { located, block, signal } = execution;
    const { network, executed, known } = located;
    const { root } = executed.trace;
    const { transfers, contradictions } = await this.#reconciled(execution);
    const traced = await inSlices(
      sceneWork({
        root,
        chainId: network.chainId,
        wrappedNative: network.wrappedNative,
        timestamp: block.timestamp,
        known,
        decoder,
        transfers,
      }),
      signal,
    );
    const isControlChanged = traced.events.some(({ name }) => CONTROL_EVENTS.has(name));
    const [rights, state] = await Promise.all([
      this.#rightsOf(traced, execution),
      isControlChanged ? this.balances.state(execution) : undefined,
    ]);
    const scene: Scene = { ...traced, approvals: rights.standing, state };
    const isFailed = !succeeded(executed);
    const acts = isFailed ? [attemptOf(scene)] : await inSlices(clausesWork(scene), signal);
    const chain = isFailed ? failureChain(scene.steps) : [];
    const causes = await this.#causesOf(chain, scene, execution);
    await pause();
    const found = isFailed ? [] : await this.#findingsOf(scene, execution);
    await pause();
    const findings = [...contradictedTokens(contradictions), ...found];
    const nets = await inSlices(measuredNetsWork(scene, contradictions), signal);
    const own = await inSlices(ownAccountsWork(scene, nonceOf(execution)), signal);
    const parties = await inSlices(partiesWork(scene, nets, own), signal);
    const gained = isFailed ? acts : withGain(acts, { scene, nets, own, findings });
    const changed = parties.flatMap((one) => one.nets);
    const [clauses, prices] = await Promise.all([
      this.#withState(gained, execution, decoder),
      this.balances.prices(execution, changed, PRICE_TIMEOUT_MS),
    ]);
    const tokens = await execution.tokensWith(
      new Set([
        ...assetsIn(clauses, causes, findings),
        ...contradictions.slice(0, MAX_CONTRADICTIONS).map(({ asset }) => asset),
        ...[...rights.standing, ...rights.contradicted].map(({ token }) => token),
        ...changed.flatMap(tokenOf),
      ]),
    );
    const facts: AssetFacts = { tokens, prices, nativeSymbol: network.nativeSymbol };
    const all = [
      ...imitatedTokens(scene, facts.tokens),
      ...disputedTokens(scene, facts.tokens),
      ...findings,
    ];
    const swallowed = swallowedFailures(scene.steps);
    return {
      ...contradictedFacts(contradictions, rights, facts),
      ...(parties.length === 0 ? {} : { parties: parties.map((one) => toParty(one, facts)) }),
      ...standingApprovals(rights, facts),
      clauses: clauses.slice(0, MAX_CLAUSES).map((clause) => toSummaryClause(clause, facts)),
      moreClauses: Math.max(clauses.length - MAX_CLAUSES, 0),
      ...(chain.length === 0 ? {} : { failure: failureOf(chain, causes, decoder, facts) }),
      swallowed: swallowed
        .slice(0, MAX_SWALLOWED)
        .map(({ call, by }) => ({ ...toFailedCall(call, decoder), by: by.id })),
      swallowedCount: swallowed.length,
      findings: all.slice(0, MAX_FINDINGS).map((one) => toFinding(one, facts)),
      moreFindings: Math.max(all.length - MAX_FINDINGS, 0),
    };
  }

  /** Transfers as far as the state bears them out. A failed transaction has none. */
  async #reconciled(execution: ViewedExecution): Promise<ReconciledTransfers> {
    const transfers = await execution.transfers();
    if (!succeeded(execution.located.executed)) return { transfers, contradictions: [] };
    const { checked } = await this.balances.measured(execution);
    return inSlices(reconcileWork(transfers, checked), execution.signal);
  }

  async #rightsOf(scene: Scene, execution: ViewedExecution): Promise<MeasuredApprovals> {
    const questions = scene.approvals.map((approval) => approvalQuestion(approval));
    const answers = await this.balances.ask(execution, questions);
    return compareApprovals(scene.approvals, answers);
  }

  async #findingsOf(scene: Scene, execution: ViewedExecution): Promise<Finding[]> {
    const { located, signal } = execution;
    const { network, executed } = located;
    // The block of a simulation may not exist.
    const limited = AbortSignal.any([signal, timeoutSignal(READ_TIMEOUT_MS)]);
    const [found, read, delegated] = await Promise.all([
      inSlices(findingsWork(scene), signal),
      executed.isSimulated ? [] : readFindings(scene, network, executed.mined, limited),
      this.#delegationsOf(scene, execution, limited),
    ]);
    const evidence = found.some(isLoan)
      ? await this.#evidenceOf(found, execution, limited)
      : NO_EVIDENCE;
    const marked = await inSlices(markedLoansWork(found, evidence), signal);
    return withoutRepeated([...delegated, ...read, ...marked]);
  }

  async #delegationsOf(
    scene: Scene,
    execution: ViewedExecution,
    signal: AbortSignal,
  ): Promise<Finding[]> {
    const delegations = await delegationsOf(execution, this.loans.known, signal);
    if (delegations.length === 0) return [];
    const emptied = await emptiedTokens(delegations, scene, this.balances, execution);
    return delegationFindings(delegations, scene, emptied);
  }

  /** With arguments and changed variables of a call whose contract is known. */
  #withState(
    clauses: readonly Clause[],
    execution: ViewedExecution,
    decoder: TraceDecoder,
  ): Promise<Clause[]> {
    const state = (): ReturnType<BalanceChanges['state']> => this.balances.state(execution);
    return Promise.all(
      clauses.map((one) => withCalledState(one, execution, decoder, state, this.layouts)),
    );
  }

  async #evidenceOf(
    found: readonly Finding[],
    execution: ViewedExecution,
    signal: AbortSignal,
  ): Promise<LoanEvidence> {
    const { network, executed } = execution.located;
    const lent = found
      .filter(isLoan)
      .flatMap(({ amounts = [] }) => amounts.map((one) => one.asset));
    const listed = new Set<Address>();
    for (const token of new Set(lent)) {
      if (await this.loans.known?.isListed(network, token)) listed.add(token);
    }
    const open = [...new Set(lent)].filter((token) => !listed.has(token));
    const [state, writes] = await Promise.all([
      this.balances.state(execution),
      open.length === 0 || executed.isSimulated
        ? undefined
        : this.loans.storageWrites?.writes(network, executed.mined, open, signal),
    ]);
    return { state, writes: writes ?? [], listed };
  }

  /** Without state that can be read, only what the trace proves. */
  async #causesOf(
    chain: readonly Step[],
    scene: Scene,
    { located: { network, executed }, signal }: ViewedExecution,
  ): Promise<Cause[]> {
    if (chain.length === 0) return [];
    const { mined, trace } = executed;
    const limited = AbortSignal.any([signal, timeoutSignal(READ_TIMEOUT_MS)]);
    const state = async (): ReturnType<StateSource['state']> =>
      trace.state ?? this.states?.state(network, mined, trace.root, limited);
    // The block of a simulation may not exist.
    const ask = executed.isSimulated ? nothing : askBefore(network, mined, state, limited);
    try {
      return await provedCauses(chain, scene, ask);
    } catch (error) {
      if (signal.aborted) throw error;
      return provedCauses(chain, scene, nothing);
    }
  }
}

const nonceOf = ({ located }: ViewedExecution): bigint =>
  BigInt(located.executed.mined.transaction.nonce);

const tokenOf = ({ asset, standard }: Quantity): Address[] =>
  standard === 'native' ? [] : [asset];

const NO_EVIDENCE: LoanEvidence = { state: undefined, writes: [], listed: new Set() };

const nothing: Ask = (questions) => Promise.resolve(questions.map(() => undefined));

function assetsIn(
  clauses: Parameters<typeof assetsOf>[0],
  causes: readonly Cause[],
  findings: readonly Finding[],
): Address[] {
  const quantities = [
    ...causes.flatMap(({ has, needs }) => [has ?? [], needs ?? []].flat()),
    ...findings.flatMap(({ amounts = [] }) => amounts),
  ];
  return assetsOf([...clauses.slice(0, MAX_CLAUSES), { gave: quantities }]);
}

function failureOf(
  chain: readonly Step[],
  causes: readonly Cause[],
  decoder: TraceDecoder,
  facts: AssetFacts,
): NonNullable<Summary['failure']> {
  // The innermost calls and the outermost one say most.
  const shown =
    chain.length <= MAX_CHAIN ? chain : [...chain.slice(0, MAX_CHAIN - 1), ...chain.slice(-1)];
  return {
    chain: shown.map((step) => toFailedCall(step, decoder)),
    omitted: chain.length - shown.length,
    causes: causes.map((cause) => toCause(cause, facts)),
  };
}

function toCause({ has, needs, missing, ...cause }: Cause, facts: AssetFacts): SummaryCause {
  return {
    ...cause,
    ...(has ? { has: toSummaryQuantity(has, facts) } : {}),
    ...(needs ? { needs: toSummaryQuantity(needs, facts) } : {}),
    ...(missing ? { missing: toSummaryQuantity(missing, facts) } : {}),
  };
}

const toFinding = (
  { amounts = [], nodeIds, ...finding }: Finding,
  facts: AssetFacts,
): Summary['findings'][number] => ({
  ...finding,
  amounts: amounts.map((one) => toSummaryQuantity(one, facts)),
  nodeIds: [...new Set(nodeIds)].slice(0, MAX_NODES),
});

/** What the state contradicts of balances and approvals. */
function contradictedFacts(
  contradictions: ReconciledTransfers['contradictions'],
  rights: MeasuredApprovals,
  facts: AssetFacts,
): Pick<Summary, 'contradictions' | 'moreContradictions'> {
  const shown = [
    ...contradictions.slice(0, MAX_CONTRADICTIONS).map((one) => balanceContradiction(one, facts)),
    ...rights.contradicted.map((one) => approvalContradiction(one, facts)),
  ].slice(0, MAX_CONTRADICTIONS);
  const more = contradictions.length + rights.contradicted.length - shown.length;
  return {
    ...(shown.length === 0 ? {} : { contradictions: shown }),
    ...(more === 0 ? {} : { moreContradictions: more }),
  };
}

/** The approvals that stand after the transaction. */
function standingApprovals(
  { standing }: MeasuredApprovals,
  facts: AssetFacts,
): Pick<Summary, 'approvals' | 'moreApprovals'> {
  const shown = standing.slice(0, MAX_APPROVALS);
  const more = standing.length - shown.length;
  return {
    ...(shown.length === 0 ? {} : { approvals: shown.map((one) => toSummaryApproval(one, facts)) }),
    ...(more === 0 ? {} : { moreApprovals: more }),
  };
}
