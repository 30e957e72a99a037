import {
  atBlock,
  atTime,
  CHECKED,
  type ChainFamily,
  type ChainRules,
  type NamedPrecompile,
} from '../definition/chain-family';

/** Apricot phases 2 and 3, Durango, Etna; Granite (ACP-204) adds P256VERIFY only. Source of the times: avalanchego, upgrade/upgrade.go. */
const MAINNET: ChainRules = {
  checked: CHECKED,
  isOwn: true,
  activations: [
    atBlock('istanbul', 0),
    atBlock('berlin', 1_640_340),
    atBlock('london', 3_308_552),
    atTime('shanghai', 1_709_740_800),
    atTime('cancun', 1_734_368_400),
  ],
  p256: { time: 1_763_568_000 },
};

/** Interchain messages. */
const PRECOMPILES: readonly NamedPrecompile[] = [
  [0x0200000000000000000000000000000000000005n, 'Warp'],
];

/** Avalanche's C-Chain and its test network. */
export const AVALANCHE: ChainFamily = {
  chains: new Map([
    [43_114, { rules: MAINNET, precompiles: PRECOMPILES }],
    [43_113, { precompiles: PRECOMPILES }],
  ]),
  headerFields:
    'blockExtraData extDataHash extDataGasUsed blockGasCost timestampMilliseconds minDelayExcess',
};
