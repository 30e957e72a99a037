import type { GasFacts } from '../../server/analysis/gas/parts';
import { account } from './analysis';

export const INTRINSIC = { intrinsic: 21_000, refundDivisor: 5 } as const;

/** Gas of a successful transaction with a floor, apart from the given facts. */
export const gasFactsWith = (facts: Partial<GasFacts> = {}): GasFacts => ({
  gasLimit: 100_000,
  gasUsed: 60_000,
  intrinsic: { ...INTRINSIC, floor: 21_100 },
  authorizations: 0,
  outcome: 'success',
  mayEarnRefunds: true,
  ...facts,
});

/** An authorization to run the code of account 1 (EIP-7702). */
export const AUTHORIZATION = {
  chainId: '0x0',
  address: account(1),
  nonce: '0x0',
  yParity: '0x0',
  r: '0x1',
  s: '0x1',
} as const;
