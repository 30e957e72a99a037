import type { RpcBlockHeader } from '../../evm/forms/types';
import {
  BASE_FEE_VAULT,
  L1_FEE_VAULT,
  OPERATOR_FEE_VAULT,
} from '../../evm/families/op-stack/predeploys';
import { l1Fee, operatorFee } from '../../evm/families/op-stack/fees';
import type { OpFeeParameters } from '../../evm/families/op-stack/fee-parameters';
import type { OpUpgrade } from '../../evm/families/op-stack/upgrades';
import type { Address } from '../../api/primitives';

/** What a transaction of an OP Stack chain pays besides the fee that Ethereum has too. Wei. */
export interface OpFees {
  readonly l1Fee: bigint;
  readonly operatorFee: bigint;
}

/** What the sender pays in advance, besides the gas. @param gasLimit of the transaction */
export const paidInAdvance = (
  parameters: OpFeeParameters,
  upgrade: OpUpgrade,
  raw: Uint8Array,
  gasLimit: bigint,
): OpFees => ({
  l1Fee: l1Fee(parameters, upgrade, raw),
  operatorFee: operatorFee(parameters, upgrade, gasLimit),
});

/** What the vaults receive for a transaction. The priority fee goes to the fee recipient of the block. */
export const vaultCredits = (
  fees: OpFees,
  gasUsed: bigint,
  { baseFeePerGas = '0x0' }: Pick<RpcBlockHeader, 'baseFeePerGas'>,
): readonly (readonly [vault: Address, wei: bigint])[] => [
  [BASE_FEE_VAULT, gasUsed * BigInt(baseFeePerGas)],
  [L1_FEE_VAULT, fees.l1Fee],
  [OPERATOR_FEE_VAULT, fees.operatorFee],
];
