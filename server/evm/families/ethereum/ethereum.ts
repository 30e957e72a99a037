import {
  atBlock,
  atTime,
  CHECKED,
  type ChainFamily,
  type ChainRules,
} from '../definition/chain-family';

/** Sources: EIP-6953 and the network upgrades of ethereum/pm. */
const MAINNET: ChainRules = {
  checked: CHECKED,
  isOwn: false,
  activations: [
    atBlock('frontier', 0),
    atBlock('homestead', 1_150_000),
    atBlock('tangerine', 2_463_000),
    atBlock('spuriousDragon', 2_675_000),
    atBlock('byzantium', 4_370_000),
    // Constantinople and Petersburg activated in the same block.
    atBlock('petersburg', 7_280_000),
    atBlock('istanbul', 9_069_000),
    atBlock('muirGlacier', 9_200_000),
    atBlock('berlin', 12_244_000),
    atBlock('london', 12_965_000),
    atBlock('arrowGlacier', 13_773_000),
    atBlock('grayGlacier', 15_050_000),
    atBlock('paris', 15_537_394),
    atTime('shanghai', 1_681_338_455),
    atTime('cancun', 1_710_338_135),
    atTime('prague', 1_746_612_311),
    atTime('osaka', 1_764_798_551),
  ],
};

/** Source: go-ethereum, params/config.go of 1.17.6; Amsterdam also ethereum/pm #2205. */
const SEPOLIA: ChainRules = {
  checked: CHECKED,
  isOwn: false,
  activations: [
    atBlock('london', 0),
    atBlock('paris', 1_735_371),
    atTime('shanghai', 1_677_557_088),
    atTime('cancun', 1_706_655_072),
    atTime('prague', 1_741_159_776),
    atTime('osaka', 1_760_427_360),
    atTime('amsterdam', 1_791_294_816),
  ],
};

const HOODI: ChainRules = {
  checked: '2025-12-31',
  isOwn: false,
  activations: [
    atBlock('cancun', 0),
    atTime('prague', 1_742_999_832),
    atTime('osaka', 1_761_677_592),
  ],
};

/** Mainnet and its test networks. */
export const ETHEREUM: ChainFamily = {
  chains: new Map([
    [1, { rules: MAINNET }],
    [11_155_111, { rules: SEPOLIA }],
    [560_048, { rules: HOODI }],
  ]),
};
