import {
  atBlock,
  atTime,
  CHECKED,
  type ChainFamily,
  type ChainRules,
} from '../definition/chain-family';

/** Sources: the fork ids in erigon's tests up to Prague; for Osaka also `eth_config` of a node of Gnosis in September 2026. */
const MAINNET: ChainRules = {
  checked: CHECKED,
  isOwn: true,
  activations: [
    atBlock('istanbul', 0),
    atBlock('berlin', 16_101_500),
    atBlock('london', 19_040_000),
    atTime('shanghai', 1_690_889_660),
    atTime('cancun', 1_710_181_820),
    atTime('prague', 1_746_021_820),
    atTime('osaka', 1_776_168_380),
  ],
};

export const GNOSIS: ChainFamily = {
  chains: new Map([[100, { rules: MAINNET }]]),
  // Also of other chains with authority rounds.
  headerFields: 'sealFields signature step auraSeal auraStep',
};
