import type { ExecutedHardfork } from './hardfork-order';

/** Start of a rule: a block number, or a time in Unix seconds. */
export type Start = { readonly block: number } | { readonly time: number };

/** `note`: how the chain's rules differ from those of the hardfork until the next activation. */
export interface Activation {
  readonly hardfork: ExecutedHardfork;
  readonly start: Start;
  readonly note?: string;
}

/** The hardforks of a chain. */
export interface ChainRules {
  /** The last day, in UTC, for which the entry was compared with its sources: `YYYY-MM-DD`. */
  readonly checked: string;
  /** Oldest first. */
  readonly activations: readonly Activation[];
  /** Whether the chain adds rules of its own to those of Ethereum. */
  readonly isOwn: boolean;
  /** Start of P256VERIFY at 0x100 by RIP-7212, where it is before Osaka. */
  readonly p256?: Start;
}

export const hasStarted = (
  start: Start,
  { number, timestamp }: { number: number; timestamp: number },
): boolean => ('block' in start ? number >= start.block : timestamp >= start.time);

const atBlock = (hardfork: Activation['hardfork'], block: number, note?: string): Activation =>
  note === undefined ? { hardfork, start: { block } } : { hardfork, start: { block }, note };

const atTime = (hardfork: Activation['hardfork'], time: number): Activation => ({
  hardfork,
  start: { time },
});

/** Activations of an OP Stack chain: Canyon, Ecotone, Isthmus and Karst contain Shanghai, Cancun, Prague and Osaka. */
interface OpStackTimes {
  /** The last hardfork that the chain started with, and further ones by block; Paris if left out. */
  readonly first?: readonly Activation[];
  readonly canyon?: number;
  readonly ecotone?: number;
  readonly fjord?: number;
  readonly isthmus?: number;
  readonly karst?: number;
}

function opStack(checked: string, times: OpStackTimes): ChainRules {
  const { first = [atBlock('paris', 0)], canyon, ecotone, fjord = 0, isthmus, karst } = times;
  const later = (
    [
      ['shanghai', canyon],
      ['cancun', ecotone],
      ['prague', isthmus],
      ['osaka', karst],
    ] as const
  ).flatMap(([hardfork, time]) => (time === undefined ? [] : [atTime(hardfork, time)]));
  return { checked, isOwn: true, activations: first.concat(later), p256: { time: fjord } };
}

const NOVEMBER = '2026-11-29';
/** Date of the snapshot of the superchain-registry that chains without a later source were compared with. */
const AUGUST = '2026-08-04';

const SUPERCHAIN = {
  canyon: 1_704_992_401,
  ecotone: 1_710_374_401,
  fjord: 1_720_627_201,
  isthmus: 1_746_806_401,
  karst: 1_783_526_401,
};
const SUPERCHAIN_SEPOLIA = {
  canyon: 1_699_981_200,
  ecotone: 1_708_534_800,
  fjord: 1_716_998_400,
  isthmus: 1_744_905_600,
  karst: 1_781_712_001,
};
/** Chains that started after Fjord. */
const FROM_FJORD = {
  first: [atBlock('cancun', 0)],
  isthmus: SUPERCHAIN.isthmus,
  karst: SUPERCHAIN.karst,
};
const FROM_FJORD_SEPOLIA = {
  first: [atBlock('cancun', 0)],
  isthmus: SUPERCHAIN_SEPOLIA.isthmus,
  karst: SUPERCHAIN_SEPOLIA.karst,
};

/** Sources: EIP-6953 and the network upgrades of ethereum/pm. */
const ETHEREUM: ChainRules = {
  checked: NOVEMBER,
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
  checked: NOVEMBER,
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

/** ArbOS 11, 20, 40 and 51. Headers state the version of ArbOS (`families/arbitrum.ts`), which decides where they do. */
const ARBITRUM_ONE: ChainRules = {
  checked: NOVEMBER,
  isOwn: true,
  activations: [
    atBlock('london', 0),
    atTime('shanghai', 1_708_804_873),
    atTime('cancun', 1_710_424_089),
    atTime('prague', 1_750_176_000),
    atTime('osaka', 1_767_891_600),
  ],
};

const CHICAGO =
  'cold storage and several precompiled contracts are executed with the gas of Osaka instead of that of Chicago (PIP-88)';

/**
 * Sources: bor, params/config.go up to Prague, #2064 for Lisovo and #2219 for Chicago. For the blocks of Madhugiri and Valencia none was found
 * in the client. All of these are hardforks of Polygon.
 */
const POLYGON: ChainRules = {
  checked: NOVEMBER,
  isOwn: true,
  activations: [
    atBlock('petersburg', 0),
    atBlock('istanbul', 3_395_000),
    atBlock('berlin', 14_750_000),
    atBlock('london', 23_850_000),
    atBlock('shanghai', 50_523_000),
    atBlock('cancun', 54_876_000),
    atBlock('prague', 73_440_256),
    atBlock(
      'prague',
      80_084_800,
      'MODEXP is executed with the gas and the limits of Prague instead of those of Madhugiri (EIP-7823, EIP-7883)',
    ),
    atBlock('osaka', 83_756_500),
    atBlock('osaka', 87_218_600, CHICAGO),
    atBlock(
      'osaka',
      89_531_000,
      `${CHICAGO}; whether the hardfork Valencia changes the execution is not known`,
    ),
  ],
  p256: { block: 54_876_000 },
};

/** Haber adds P256VERIFY; Mendel contains Osaka. Source: bsc, params/config.go, and reth-bsc, the list of hardforks. */
const BSC: ChainRules = {
  checked: NOVEMBER,
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

/** Apricot phases 2 and 3, Durango, Etna; Granite (ACP-204) adds P256VERIFY only. Source of the times: avalanchego, upgrade/upgrade.go. */
const AVALANCHE: ChainRules = {
  checked: NOVEMBER,
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

/** Sources: the fork ids in erigon's tests up to Prague; for Osaka also `eth_config` of a node of Gnosis in September 2026. */
const GNOSIS: ChainRules = {
  checked: NOVEMBER,
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

/** Celo is an OP Stack chain since block 31,056,500. */
const CELO: ChainRules = opStack(AUGUST, {
  first: [
    atBlock('london', 0, 'blocks before the move to the OP Stack follow rules of Celo'),
    atBlock('cancun', 31_056_500),
  ],
  fjord: 1_742_957_258,
  isthmus: 1_752_073_200,
});

/**
 * The hardforks of the known chains, by chain id. Sources, besides those named above: superchain-registry for OP Stack chains, Base's
 * upgrades, ACP-204, Arbitrum's governance proposals.
 */
export const CHAIN_RULES: ReadonlyMap<number, ChainRules> = new Map([
  [1, ETHEREUM],
  [11_155_111, SEPOLIA],
  [560_048, HOODI],
  [
    10,
    opStack(NOVEMBER, {
      ...SUPERCHAIN,
      first: [atBlock('berlin', 0), atBlock('london', 105_235_063)],
    }),
  ],
  [130, opStack(NOVEMBER, FROM_FJORD)],
  [
    480,
    opStack(AUGUST, {
      first: [atBlock('cancun', 0)],
      fjord: 1_721_826_000,
      isthmus: 1_764_072_000,
    }),
  ],
  [1_868, opStack(NOVEMBER, FROM_FJORD)],
  // Azul contains Osaka.
  [8_453, opStack(NOVEMBER, { ...SUPERCHAIN, karst: 1_779_991_200 })],
  [34_443, opStack(NOVEMBER, SUPERCHAIN)],
  [57_073, opStack(NOVEMBER, FROM_FJORD)],
  [7_777_777, opStack(NOVEMBER, SUPERCHAIN)],
  [84_532, opStack(NOVEMBER, { ...SUPERCHAIN_SEPOLIA, karst: 1_776_708_000 })],
  [11_155_420, opStack(NOVEMBER, SUPERCHAIN_SEPOLIA)],
  [919, opStack(AUGUST, SUPERCHAIN_SEPOLIA)],
  [1_301, opStack(AUGUST, FROM_FJORD_SEPOLIA)],
  [1_946, opStack(AUGUST, { ...FROM_FJORD_SEPOLIA, fjord: 1_730_106_000 })],
  [
    4_801,
    opStack(AUGUST, {
      first: [atBlock('cancun', 0)],
      fjord: 1_721_739_600,
      isthmus: 1_761_825_600,
    }),
  ],
  [763_373, opStack(AUGUST, SUPERCHAIN_SEPOLIA)],
  [999_999_999, opStack(AUGUST, SUPERCHAIN_SEPOLIA)],
  [42_220, CELO],
  // Its Isthmus has no time in the registry; headers prove it.
  [11_142_220, opStack(AUGUST, { first: [atBlock('cancun', 0)] })],
  [42_161, ARBITRUM_ONE],
  [137, POLYGON],
  [56, BSC],
  [43_114, AVALANCHE],
  [100, GNOSIS],
]);
