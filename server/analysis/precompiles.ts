import type { Address } from '../api/primitives';

const NAMES: Readonly<Record<number, string>> = {
  0x1: 'ecRecover',
  0x2: 'SHA2-256',
  0x3: 'RIPEMD-160',
  0x4: 'Identity',
  0x5: 'ModExp',
  0x6: 'ecAdd',
  0x7: 'ecMul',
  0x8: 'ecPairing',
  0x9: 'Blake2F',
  0xa: 'KZG point evaluation',
  0xb: 'BLS12 G1 add',
  0xc: 'BLS12 G1 MSM',
  0xd: 'BLS12 G2 add',
  0xe: 'BLS12 G2 MSM',
  0xf: 'BLS12 pairing check',
  0x10: 'BLS12 map Fp to G1',
  0x11: 'BLS12 map Fp2 to G2',
  0x100: 'P256 verify',
};

/** Precompiled contracts of Ethereum's rules (execution-specs; EIP-152, 2537, 4844, 7951). */
export const PRECOMPILES: ReadonlyMap<Address, string> = new Map(
  Object.entries(NAMES).map(([number, name]) => [
    `0x${Number(number).toString(16).padStart(40, '0')}`,
    name,
  ]),
);
