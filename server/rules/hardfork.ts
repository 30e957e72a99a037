import type { Chain, Hardfork } from '../api/config';

/** Start of a hardfork: a block number, or a time in Unix seconds. */
type Activation = readonly [hardfork: Hardfork, at: { block: number } | { time: number }];

/** Oldest first. Sources: EIP-6953 and the upgrade pages of each network; OP Stack chains share the Superchain's times. */
const ETHEREUM: readonly Activation[] = [
  ['frontier', { block: 0 }],
  ['homestead', { block: 1_150_000 }],
  ['tangerine', { block: 2_463_000 }],
  ['spuriousDragon', { block: 2_675_000 }],
  ['byzantium', { block: 4_370_000 }],
  // Constantinople and Petersburg activated in the same block.
  ['petersburg', { block: 7_280_000 }],
  ['istanbul', { block: 9_069_000 }],
  ['muirGlacier', { block: 9_200_000 }],
  ['berlin', { block: 12_244_000 }],
  ['london', { block: 12_965_000 }],
  ['arrowGlacier', { block: 13_773_000 }],
  ['grayGlacier', { block: 15_050_000 }],
  ['paris', { block: 15_537_394 }],
  ['shanghai', { time: 1_681_338_455 }],
  ['cancun', { time: 1_710_338_135 }],
  ['prague', { time: 1_746_612_311 }],
  ['osaka', { time: 1_764_798_551 }],
];

const SEPOLIA: readonly Activation[] = [
  ['london', { block: 0 }],
  ['paris', { block: 1_735_371 }],
  ['shanghai', { time: 1_677_557_088 }],
  ['cancun', { time: 1_706_655_072 }],
  ['prague', { time: 1_741_159_776 }],
  ['osaka', { time: 1_760_427_360 }],
];

const HOODI: readonly Activation[] = [
  ['cancun', { block: 0 }],
  ['prague', { time: 1_742_999_832 }],
  ['osaka', { time: 1_761_677_592 }],
];

/** Canyon, Ecotone and Isthmus contain Shanghai, Cancun and Prague. */
const OP_STACK: readonly Activation[] = [
  ['paris', { block: 0 }],
  ['shanghai', { time: 1_704_992_401 }],
  ['cancun', { time: 1_710_374_401 }],
  ['prague', { time: 1_746_806_401 }],
];

const OP_STACK_SEPOLIA: readonly Activation[] = [
  ['paris', { block: 0 }],
  ['shanghai', { time: 1_699_981_200 }],
  ['cancun', { time: 1_708_534_800 }],
  ['prague', { time: 1_744_905_600 }],
];

const TABLES: ReadonlyMap<number, readonly Activation[]> = new Map([
  [1, ETHEREUM],
  [11_155_111, SEPOLIA],
  [10, [['berlin', { block: 0 }], ['london', { block: 105_235_063 }], ...OP_STACK.slice(1)]],
  [8_453, OP_STACK],
  [130, OP_STACK],
  [34_443, OP_STACK],
  [7_777_777, OP_STACK],
  // These chains started after Ecotone.
  [1_868, [['cancun', { block: 0 }], ...OP_STACK.slice(3)]],
  [57_073, [['cancun', { block: 0 }], ...OP_STACK.slice(3)]],
  [84_532, OP_STACK_SEPOLIA],
  [11_155_420, OP_STACK_SEPOLIA],
  [560_048, HOODI],
  // ArbOS 11, 20 and 40.
  [
    42_161,
    [
      ['london', { block: 0 }],
      ['shanghai', { time: 1_708_804_873 }],
      ['cancun', { time: 1_710_424_089 }],
      ['prague', { time: 1_750_172_400 }],
    ],
  ],
  [
    137,
    [
      ['petersburg', { block: 0 }],
      ['istanbul', { block: 3_395_000 }],
      ['berlin', { block: 14_750_000 }],
      ['london', { block: 23_850_000 }],
      ['shanghai', { block: 50_523_000 }],
      ['cancun', { block: 54_876_000 }],
      ['prague', { block: 73_440_256 }],
    ],
  ],
  [
    56,
    [
      ['istanbul', { block: 0 }],
      ['berlin', { block: 31_302_048 }],
      ['london', { block: 31_302_048 }],
      ['shanghai', { time: 1_705_996_800 }],
      ['cancun', { time: 1_718_863_500 }],
      ['prague', { time: 1_742_436_600 }],
    ],
  ],
  // Apricot phases 2 and 3, Durango, Etna.
  [
    43_114,
    [
      ['istanbul', { block: 0 }],
      ['berlin', { block: 1_640_340 }],
      ['london', { block: 3_308_552 }],
      ['shanghai', { time: 1_709_740_800 }],
      ['cancun', { time: 1_734_368_400 }],
    ],
  ],
  [
    100,
    [
      ['istanbul', { block: 0 }],
      ['berlin', { block: 16_101_500 }],
      ['london', { block: 19_040_000 }],
      ['shanghai', { time: 1_690_889_660 }],
      ['cancun', { time: 1_710_181_820 }],
      ['prague', { time: 1_746_021_820 }],
    ],
  ],
]);

const NEWEST: Hardfork = 'osaka';

/** The hardfork of a block. */
export interface HardforkChoice {
  hardfork: Hardfork;
  /** Set if the hardfork is a guess. */
  warning?: string;
}

/**
 * The hardfork under which a block of a chain is executed.
 * @param block its number, and its time in Unix seconds
 */
export function hardforkAt(
  chain: Pick<Chain, 'slug' | 'chainId' | 'hardfork'>,
  block: { number: number; timestamp: number },
): HardforkChoice {
  if (chain.hardfork !== undefined) return { hardfork: chain.hardfork };
  const active = TABLES.get(chain.chainId)?.findLast(([, at]) =>
    'block' in at ? block.number >= at.block : block.timestamp >= at.time,
  );
  if (active) return { hardfork: active[0] };
  return {
    hardfork: NEWEST,
    warning: `the rules of chain ${chain.slug} (id ${chain.chainId}) are not known: ${NEWEST} is assumed; set "hardfork" in its configuration for another`,
  };
}
