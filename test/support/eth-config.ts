/* Answers to `eth_config` (EIP-7910). */

const toAddress = (number: number): string => `0x${number.toString(16).padStart(40, '0')}`;

const NAMES: readonly (readonly [name: string, number: number])[] = [
  ['ECREC', 1],
  ['SHA256', 2],
  ['RIPEMD160', 3],
  ['ID', 4],
  ['MODEXP', 5],
  ['BN254_ADD', 6],
  ['BN254_MUL', 7],
  ['BN254_PAIRING', 8],
  ['BLAKE2F', 9],
  ['KZG_POINT_EVALUATION', 0xa],
  ['BLS12_G1ADD', 0xb],
  ['BLS12_G1MSM', 0xc],
  ['BLS12_G2ADD', 0xd],
  ['BLS12_G2MSM', 0xe],
  ['BLS12_PAIRING_CHECK', 0xf],
  ['BLS12_MAP_FP_TO_G1', 0x10],
  ['BLS12_MAP_FP2_TO_G2', 0x11],
  ['P256VERIFY', 0x100],
];
const LAST = { cancun: 0xa, prague: 0x11, osaka: 0x100 };

/** One fork of an answer, as Ethereum's clients give it. @param activation Unix seconds */
export const ethConfig = ({
  chainId,
  activation,
  hardfork,
  fraction = hardfork === 'cancun'
    ? 3_338_477
    : activation >= 1_767_747_671
      ? 11_684_671
      : 5_007_716,
  systemContracts = {},
}: {
  chainId: number;
  activation: number;
  hardfork: keyof typeof LAST;
  fraction?: number;
  systemContracts?: Record<string, string>;
}): object => ({
  activationTime: activation,
  blobSchedule: { baseFeeUpdateFraction: fraction, max: 9, target: 6 },
  chainId: `0x${chainId.toString(16)}`,
  forkId: '0x07c9462e',
  precompiles: Object.fromEntries(
    NAMES.filter(([, number]) => number <= LAST[hardfork]).map(([name, number]) => [
      name,
      toAddress(number),
    ]),
  ),
  systemContracts: {
    BEACON_ROOTS_ADDRESS: '0x000f3df6d732807ef1319fb7b8bb8522d0beac02',
    ...systemContracts,
  },
});
