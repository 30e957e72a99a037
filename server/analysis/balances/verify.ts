import type { Address } from '../../api/primitives';
import type { BalanceVerification, TraceVerification } from '../../api/verification';
import { claimKey, tokenClaims, type CheckedClaim } from './claims';
import type { NetChange } from './net-changes';
import { unreportedChanges } from './verdict';
import type { ExecutionState } from '../execution-state';
import { checkNative, checkTokens } from './measure';
import type { Contract, MinedTransaction, Network, StateSource, TransactionTrace } from '../ports';
import { inSlices } from '../../async/slices';
import { isExplained, tokenStorageWork } from './token-storage';
import type { Transfer } from '../transfers/transfer';
import { unreadableTokens } from '../transfers/collect';

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
  private readonly proofs = new WeakMap<TransactionTrace, BalanceProof>();

  constructor(
    private readonly states: StateSource,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  async prove(request: ProofRequest, signal: AbortSignal): Promise<BalanceProof> {
    const known = this.proofs.get(request.trace);
    if (known) return known;
    const limited = AbortSignal.any([signal, AbortSignal.timeout(this.timeoutMs)]);
    try {
      const { network, mined, trace } = request;
      const state = trace.state ?? (await this.states.state(network, mined, trace.root, limited));
      const proof = state ? await prove(request, state, limited) : UNCHECKED;
      this.proofs.set(trace, proof);
      return proof;
    } catch (error) {
      if (signal.aborted) throw error;
      return UNCHECKED;
    }
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
  const unreported = unreportedChanges(checked.values());
  const contradicted = trace.level === 'state-proved' && native === 'different';
  return {
    ...(firstDifference === undefined ? {} : { firstDifference }),
    ...trace,
    ...(contradicted ? { level: 'receipt', reason: firstDifference } : {}),
    native,
    tokens,
    ...(unreported.length === 0 ? {} : { untold: unreported }),
  };
}

async function prove(
  { network, mined, trace, transfers, nets, contracts }: ProofRequest,
  state: ExecutionState,
  signal: AbortSignal,
): Promise<BalanceProof> {
  const native = checkNative(nets, state, mined);
  const eventClaims = tokenClaims(trace.root, transfers, nets);
  const execution = { root: trace.root, state, contracts, mined };
  const storage = await inSlices(tokenStorageWork(eventClaims, execution), signal);
  const claims = [...eventClaims, ...storage.flatMap(({ unreported }) => unreported)];
  const block = mined.block.number;
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
  const isWhole =
    unanswered === 0 &&
    unreadableTokens(trace.root, { contracts }).length === 0 &&
    storage.every((one) => isExplained(one, tokens, supplies));
  const differing = [...native, ...tokens].find(isDifferent);
  return {
    native: proofOf(native, true),
    tokens: proofOf(tokens, isWhole),
    checked: new Map([...native, ...tokens].map((one) => [claimKey(one), one])),
    ...(differing ? { firstDifference: inWords(differing) } : {}),
  };
}

const isDifferent = ({ amount, measured }: CheckedClaim): boolean => amount !== measured;

/** @param isWhole whether everything that may have changed was checked */
function proofOf(checked: readonly CheckedClaim[], isWhole: boolean): Proof {
  if (checked.some(isDifferent)) return 'different';
  return isWhole ? 'verified' : 'unchecked';
}

const inWords = ({ account, asset, tokenId, amount, measured }: CheckedClaim): string =>
  `balance of ${account} in ${asset}${tokenId === undefined ? '' : ` #${tokenId}`}: ${amount} in the trace, ${measured} in the state`;
