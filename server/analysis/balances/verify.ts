import type { Address, Hash } from '../../api/primitives';
import { timeoutSignal } from '../../api/timeout-signal';
import { abortable } from '../../kernel/async/abortable';
import type { BalanceVerification, TraceVerification } from '../../api/verification';
import { claimKey, quietClaimsWork, tokenClaimsWork, type CheckedClaim } from './claims';
import type { NetChange } from './net-changes';
import { unreportedChanges } from './verdict';
import type { ExecutionState } from '../execution-state';
import { checkNative, checkTokens, readAfter, type StateQuestion } from './measure';
import type { Contract, MinedTransaction, Network, StateSource, TransactionTrace } from '../ports';
import { inSlices } from '../../kernel/async/slices';
import { isExplained, tokenStorageWork } from './token-storage';
import type { Transfer } from '../transfers/transfer';
import { unreadableTokensWork } from '../transfers/collect';

type Proof = BalanceVerification['native'];

/** How far nets are proved by the state before and after the transaction. */
export interface BalanceProof {
  readonly native: Proof;
  readonly tokens: Proof;
  /** By `claimKey`. */
  readonly checked: ReadonlyMap<string, CheckedClaim>;
  /** Description of the first balance that differs from the trace. */
  readonly firstDifference?: string;
}

export const UNCHECKED: BalanceProof = {
  native: 'unchecked',
  tokens: 'unchecked',
  checked: new Map(),
};

/** Time limit of a check, in milliseconds; it delays the response. */
const TIMEOUT_MS = 4_000;

type Execution = Pick<ProofRequest, 'network' | 'mined' | 'trace'>;

interface ProofRequest {
  readonly network: Network;
  readonly mined: MinedTransaction;
  readonly trace: TransactionTrace;
  readonly transfers: readonly Transfer[];
  readonly nets: readonly NetChange[];
  readonly contracts: ReadonlyMap<Address, Contract>;
}

/** Verifies balance changes against the state that a node or engine reports. Never fails for missing state. */
export class BalanceVerifier {
  /** A trace's state and its proof do not change. */
  readonly #proofs = new WeakMap<TransactionTrace, Promise<BalanceProof>>();
  readonly #read = new WeakMap<TransactionTrace, ExecutionState>();

  constructor(
    private readonly states: StateSource,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /** Views of the same trace that are asked for together share one proof. */
  prove(request: ProofRequest, signal: AbortSignal): Promise<BalanceProof> {
    const { trace } = request;
    let proof = this.#proofs.get(trace);
    if (!proof) {
      proof = this.#makeProof(request);
      this.#proofs.set(trace, proof);
    }
    return abortable(proof, signal);
  }

  async #makeProof(request: ProofRequest): Promise<BalanceProof> {
    const limited = timeoutSignal(this.timeoutMs);
    try {
      const state = await this.#stateOf(request, limited);
      return state ? await prove(request, state, limited) : UNCHECKED;
    } catch {
      // The next request tries again.
      this.#proofs.delete(request.trace);
      return UNCHECKED;
    }
  }

  /**
   * Asks contracts in the state after the transaction. Never fails for missing state.
   * @returns first words of the answers; undefined where one is not known
   */
  async ask(
    execution: Execution,
    questions: readonly StateQuestion[],
    signal: AbortSignal,
  ): Promise<(bigint | undefined)[]> {
    if (questions.length === 0) return [];
    const limited = AbortSignal.any([signal, timeoutSignal(this.timeoutMs)]);
    try {
      const state = await this.#stateOf(execution, limited);
      const { network, mined } = execution;
      if (state) {
        return await readAfter(questions, { state, network, block: mined.block.number }, limited);
      }
    } catch (error) {
      if (signal.aborted) throw error;
    }
    return questions.map(() => undefined);
  }

  /** State before and after the transaction; undefined if it is not known. Never fails for missing state. */
  async state(execution: Execution, signal: AbortSignal): Promise<ExecutionState | undefined> {
    const limited = AbortSignal.any([signal, timeoutSignal(this.timeoutMs)]);
    try {
      return await this.#stateOf(execution, limited);
    } catch (error) {
      if (signal.aborted) throw error;
      return undefined;
    }
  }

  async #stateOf(
    { network, mined, trace }: Execution,
    signal: AbortSignal,
  ): Promise<ExecutionState | undefined> {
    const known = trace.state ?? this.#read.get(trace);
    if (known) return known;
    const state = await this.states.state(network, mined, trace.root, signal);
    if (state) this.#read.set(trace, state);
    return state;
  }
}

/**
 * Weakens the proof of balances whose trace is a guess. The compared state is part of the same guess, so equality proves nothing, but a
 * difference still counts.
 */
export function withoutGuesses(proof: BalanceProof): BalanceProof {
  const { native, tokens, checked } = proof;
  return {
    ...proof,
    native: native === 'different' ? native : 'unchecked',
    tokens: tokens === 'different' ? tokens : 'unchecked',
    checked: new Map([...checked].filter(([, claim]) => isDifferent(claim))),
  };
}

/** The verification of a response. The trace's own difference from the receipt comes first. */
export function balanceVerification(
  trace: TraceVerification,
  { native, tokens, checked, firstDifference }: BalanceProof,
): BalanceVerification {
  const compared = { native: 0, tokens: 0 };
  for (const { standard } of checked.values())
    compared[standard === 'native' ? standard : 'tokens']++;
  const unreported = unreportedChanges(checked.values());
  const contradicted = trace.level === 'state-proved' && native === 'different';
  return {
    ...(firstDifference === undefined ? {} : { firstDifference }),
    ...trace,
    ...(contradicted ? { level: 'receipt', reason: firstDifference } : {}),
    native,
    tokens,
    compared,
    ...(unreported.length === 0 ? {} : { untold: unreported }),
  };
}

async function prove(
  { network, mined, trace, transfers, nets, contracts }: ProofRequest,
  state: ExecutionState,
  signal: AbortSignal,
): Promise<BalanceProof> {
  const native = checkNative(nets, state, mined);
  const eventClaims = await inSlices(tokenClaimsWork(trace.root, transfers, nets), signal);
  const execution = { root: trace.root, state, contracts, mined };
  const storage = await inSlices(tokenStorageWork(eventClaims, execution), signal);
  const claims = [...eventClaims, ...storage.flatMap(({ unreported }) => unreported)];
  const block = mined.block.number;
  const quiet = await inSlices(
    quietClaimsWork(trace.root, claims, {
      codeOf: (contract) => contracts.get(contract)?.code,
      isChanged: (contract) => hasChangedSlot(state, contract),
    }),
    signal,
  );
  const {
    checked: tokens,
    unanswered,
    supplies,
  } = await checkTokens(
    claims,
    storage.flatMap(({ asset, needsSupply }) => (needsSupply ? asset : [])),
    { state, network, block },
    signal,
  );
  const unreadable = await inSlices(unreadableTokensWork(trace.root, { contracts }), signal);
  const quietly = (await checkTokens(quiet, [], { state, network, block }, signal)).checked;
  tokens.push(...quietly.filter(isDifferent));
  const isWhole =
    unanswered === 0 &&
    unreadable.length === 0 &&
    storage.every((one) => isExplained(one, tokens, supplies));
  const differing = [...native, ...tokens].find(isDifferent);
  return {
    native: proofOf(native, true),
    tokens: proofOf(tokens, isWhole),
    checked: new Map([...native, ...tokens].map((one) => [claimKey(one), one])),
    ...(differing ? { firstDifference: inWords(differing) } : {}),
  };
}

function hasChangedSlot({ before, after }: ExecutionState, contract: Address): boolean {
  const was = before[contract]?.stateDiff ?? {};
  return Object.entries(after[contract]?.stateDiff ?? {}).some(
    ([slot, word]) => was[slot as Hash] !== word,
  );
}

const isDifferent = ({ amount, measured }: CheckedClaim): boolean => amount !== measured;

/** @param isWhole whether everything that may have changed was checked */
function proofOf(checked: readonly CheckedClaim[], isWhole: boolean): Proof {
  if (checked.some(isDifferent)) return 'different';
  return isWhole ? 'verified' : 'unchecked';
}

const inWords = ({ account, asset, tokenId, amount, measured }: CheckedClaim): string =>
  `balance of ${account} in ${asset}${tokenId === undefined ? '' : ` #${tokenId}`}: ${amount} in the trace, ${measured} in the state`;
