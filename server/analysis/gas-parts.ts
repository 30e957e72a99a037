import type { IntrinsicGas } from '../ethereum/intrinsic-gas';

/** What executing the top call of a transaction took; it depends on no rule of intrinsic gas. */
export interface SpentGas {
  /** Gas of the top call with all calls below, before refunds. */
  readonly spent: number;
  /** The refund counter at its end (EIP-2200), without authorizations; undefined where it is not known. */
  readonly counter?: number;
}

export interface GasFacts {
  readonly gasLimit: number;
  /** Of the receipt. */
  readonly gasUsed: number;
  /** Undefined where the rules of the block are unknown. */
  readonly intrinsic: IntrinsicGas | undefined;
  /** Length of the authorization list (EIP-7702). */
  readonly authorizations: number;
  readonly outcome: 'success' | 'reverted' | 'halted';
  /** Whether the execution may have earned refunds: it used storage, or may have destroyed a contract. */
  readonly mayEarnRefunds: boolean;
}

/**
 * `gasUsed = intrinsicGas + executionGas - refund + floorGas`. All are at least 0, and null where they are not known.
 */
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

/** EIP-7702: given back for each authority that exists already. */
const AUTHORITY_REFUND = 12_500;

/**
 * What follows without looking into the execution: nothing earned a refund, or all gas was used up.
 * @returns undefined where the execution has to be looked at
 */
export function spentByReceipt(facts: GasFacts): SpentGas | undefined {
  const { gasLimit, gasUsed, intrinsic, authorizations, outcome, mayEarnRefunds } = facts;
  if (!intrinsic) return undefined;
  const counter = outcome === 'success' && mayEarnRefunds ? undefined : 0;
  if (outcome === 'halted') return { spent: gasLimit - intrinsic.intrinsic, counter: 0 };
  if (counter === undefined || authorizations > 0) return undefined;
  const isFloored = gasUsed === intrinsic.floor && gasUsed > intrinsic.intrinsic;
  return isFloored ? undefined : { spent: gasUsed - intrinsic.intrinsic, counter };
}

/** Parts the gas of a receipt. Rules that do not lead to the receipt are not the chain's: then only the executed gas is given. */
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
  if (refund === undefined) return { ...UNKNOWN, executionGas: spent.spent };
  if (new Set(refunds).size > 1) return { ...UNKNOWN, ...executed };
  return { ...executed, refund, floorGas: gasUsed - (gross - refund) };
}

/** Refunds that the rules allow: at most a part of the gas (a half, since EIP-3529 a fifth). */
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
  // The floor hides the refund: both ends of what it may be.
  if (gasUsed === floor) return [Math.max(refund, 0), most];
  return refund >= 0 && refund <= most ? [refund] : [];
}
