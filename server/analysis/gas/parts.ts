import type { IntrinsicGas } from '../../evm/rules/intrinsic-gas';
import type { SpentGas } from '../ports';

export interface GasFacts {
  readonly gasLimit: number;
  /** From the receipt. */
  readonly gasUsed: number;
  /** Undefined if the rules of the block are unknown. */
  readonly intrinsic: IntrinsicGas | undefined;
  /** Authorizations that may earn a refund (EIP-7702). */
  readonly authorizations: number;
  readonly outcome: 'success' | 'reverted' | 'halted';
  /** Whether the execution may have earned refunds: it used storage, or it may have destroyed a contract. */
  readonly mayEarnRefunds: boolean;
}

/** `gasUsed = intrinsicGas + executionGas - refund + floorGas`. All parts are at least 0, or null if unknown. */
export interface GasParts {
  readonly intrinsicGas: number | null;
  readonly executionGas: number | null;
  readonly refund: number | null;
  readonly floorGas: number | null;
}

const UNKNOWN: GasParts = {
  intrinsicGas: null,
  executionGas: null,
  refund: null,
  floorGas: null,
};

/** EIP-7702: refund for each authority that already exists. */
const AUTHORITY_REFUND = 12_500;

/**
 * The gas that follows from the receipt alone: nothing earned a refund, or all gas was consumed.
 * @returns undefined if the execution has to be inspected
 */
export function spentByReceipt(facts: GasFacts): SpentGas | undefined {
  const { gasLimit, gasUsed, intrinsic, authorizations, outcome, mayEarnRefunds } = facts;
  if (!intrinsic) return undefined;
  const counter = outcome === 'success' && mayEarnRefunds ? undefined : 0;
  if (outcome === 'halted' && !intrinsic.hasStateGas) {
    return { spent: gasLimit - intrinsic.intrinsic, counter: 0 };
  }
  if (counter === undefined || authorizations > 0) return undefined;
  const isFloored = gasUsed === intrinsic.floor && gasUsed > intrinsic.intrinsic;
  return isFloored ? undefined : { spent: gasUsed - intrinsic.intrinsic, counter };
}

/**
 * Splits the gas of a receipt into parts. Rules that contradict the receipt are not the chain's rules: then only the executed gas is
 * returned.
 */
export function gasParts(facts: GasFacts, spent: SpentGas | undefined): GasParts {
  const { gasUsed, intrinsic } = facts;
  if (!intrinsic) return { ...UNKNOWN, executionGas: spent?.spent ?? null };
  const { floor = 0 } = intrinsic;
  if (!spent) {
    const least = intrinsic.intrinsic - Math.floor(intrinsic.intrinsic / intrinsic.refundDivisor);
    return gasUsed < Math.max(least, floor)
      ? UNKNOWN
      : { ...UNKNOWN, intrinsicGas: intrinsic.intrinsic };
  }
  const gross = intrinsic.intrinsic + spent.spent;
  const executed = { intrinsicGas: intrinsic.intrinsic, executionGas: spent.spent };
  const refunds = possibleRefunds(facts, intrinsic, spent, gross).filter(
    (refund) => Math.max(gross - refund, floor) === gasUsed,
  );
  const [refund] = refunds;
  // A list of instructions does not contain all of the gas for state.
  if (refund === undefined) {
    return intrinsic.hasStateGas ? UNKNOWN : { ...UNKNOWN, executionGas: spent.spent };
  }
  if (new Set(refunds).size > 1) return { ...UNKNOWN, ...executed };
  return { ...executed, refund, floorGas: gasUsed - (gross - refund) };
}

/** Refunds that the rules allow: at most a fraction of the gas (one half; since EIP-3529 one fifth). */
function possibleRefunds(
  { gasUsed, authorizations }: GasFacts,
  { floor = 0, refundDivisor }: IntrinsicGas,
  { counter }: SpentGas,
  gross: number,
): number[] {
  const most = Math.floor(gross / refundDivisor);
  if (counter !== undefined) {
    return Array.from({ length: authorizations + 1 }, (_, existing) =>
      Math.min(counter + existing * AUTHORITY_REFUND, most),
    );
  }
  const refund = gross - gasUsed;
  // The floor hides the refund: return its lower and upper bound.
  if (gasUsed === floor) return [Math.max(refund, 0), most];
  return refund >= 0 && refund <= most ? [refund] : [];
}
