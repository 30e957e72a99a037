import type { Hex } from '../../../api/primitives';
import type { RpcBlockHeader } from '../../forms/types';
import { isHoloceneExtraData, isJovianExtraData, isOpFeeRecipient } from './upgrades';

/** How the base fee follows from the block before (EIP-1559 with parameters of the chain). */
export interface BaseFeeRule {
  readonly denominator: number;
  readonly elasticity: number;
  /** Wei, decimal. */
  readonly minimum?: string | undefined;
}

/** OP specs: since Canyon, and before. */
const [DENOMINATOR, FIRST_DENOMINATOR, ELASTICITY] = [250, 50, 6];
/** Base Sepolia has another elasticity before Holocene (superchain-registry). */
const OWN_ELASTICITY: ReadonlyMap<number, number> = new Map([[84_532, 10]]);
/** Celo, and its test network Alfajores: parameters before Holocene, and a base fee that never falls below 25 gwei (celo-org/op-geth). */
const CELO: BaseFeeRule = { denominator: 400, elasticity: 5, minimum: '25000000000' };
const OWN_RULES: ReadonlyMap<number, BaseFeeRule> = new Map([
  [42_220, CELO],
  [44_787, CELO],
]);

type Header = RpcBlockHeader & { readonly extraData?: Hex; readonly withdrawalsRoot?: Hex };

/**
 * The rule for the block after this one; undefined if the chain follows Ethereum's.
 * Since Holocene, `extraData` contains the parameters, and since Jovian the minimum as well.
 */
export function baseFeeRuleOf(chainId: number, header: Header): BaseFeeRule | undefined {
  if (!isOpFeeRecipient(header.miner) || header.baseFeePerGas === undefined) return undefined;
  const { extraData = '0x' } = header;
  const own = OWN_RULES.get(chainId);
  const isSet = isHoloceneExtraData(extraData) || isJovianExtraData(extraData);
  const [denominator, elasticity] = isSet
    ? [Number(`0x${extraData.slice(4, 12)}`), Number(`0x${extraData.slice(12, 20)}`)]
    : [0, 0];
  const minimum = isJovianExtraData(extraData)
    ? BigInt(`0x${extraData.slice(20, 36)}`).toString()
    : heldMinimum(own, header.baseFeePerGas);
  const rule =
    denominator > 0 && elasticity > 0
      ? { denominator, elasticity }
      : {
          denominator:
            own?.denominator ??
            (header.withdrawalsRoot === undefined ? FIRST_DENOMINATOR : DENOMINATOR),
          elasticity: own?.elasticity ?? OWN_ELASTICITY.get(chainId) ?? ELASTICITY,
        };
  return minimum === undefined ? rule : { ...rule, minimum };
}

/** The minimum of a chain's own; a base fee below it shows that it does not hold. */
const heldMinimum = (own: BaseFeeRule | undefined, baseFee: Hex): string | undefined =>
  own?.minimum !== undefined && BigInt(baseFee) >= BigInt(own.minimum) ? own.minimum : undefined;

/** Base fee of the block after this one, wei. */
export function nextBaseFee(
  { denominator, elasticity, minimum = '0' }: BaseFeeRule,
  header: Pick<RpcBlockHeader, 'baseFeePerGas' | 'gasLimit' | 'gasUsed' | 'blobGasUsed'>,
): bigint {
  const base = BigInt(header.baseFeePerGas ?? '0x0');
  const target = BigInt(header.gasLimit) / BigInt(elasticity);
  // Since Jovian, the header's blob gas is the footprint of the data.
  const [gas, footprint] = [BigInt(header.gasUsed), BigInt(header.blobGasUsed ?? '0x0')];
  const used = gas > footprint ? gas : footprint;
  const lowest = BigInt(minimum);
  const next = target === 0n ? base : moved(base, used, target, BigInt(denominator));
  return next < lowest ? lowest : next;
}

function moved(base: bigint, used: bigint, target: bigint, denominator: bigint): bigint {
  if (used > target) {
    const up = (base * (used - target)) / target / denominator;
    return base + (up > 1n ? up : 1n);
  }
  return base - (base * (target - used)) / target / denominator;
}
