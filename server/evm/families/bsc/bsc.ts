import {
  atBlock,
  atTime,
  CHECKED,
  type ChainFamily,
  type ChainRules,
  type NamedPrecompile,
} from '../definition/chain-family';

/** Haber adds P256VERIFY; Mendel contains Osaka. Source: bsc, params/config.go, and reth-bsc, the list of hardforks. */
const MAINNET: ChainRules = {
  checked: CHECKED,
  isOwn: true,
  activations: [
    atBlock('istanbul', 0),
    atBlock('berlin', 31_302_048),
    atBlock('london', 31_302_048),
    atTime('shanghai', 1_705_996_800),
    atTime('cancun', 1_718_863_500),
    atTime('prague', 1_742_436_600),
    atTime('osaka', 1_777_343_400),
  ],
  p256: { time: 1_718_863_500 },
};

const PRECOMPILES: readonly NamedPrecompile[] = [
  [0x64n, 'tmHeaderValidate'],
  [0x65n, 'iavlMerkleProofValidate'],
  [0x66n, 'blsSignatureVerify'],
  [0x67n, 'cometBFTLightBlockValidate'],
  [0x68n, 'verifyDoubleSignEvidence'],
  [0x69n, 'secp256k1SignatureRecover'],
];

/** BNB Smart Chain and its test network. */
export const BSC: ChainFamily = {
  chains: new Map([
    [56, { rules: MAINNET, precompiles: PRECOMPILES }],
    [97, { precompiles: PRECOMPILES }],
  ]),
  headerFields: 'milliTimestamp',
};
