import {
  atBlock,
  CHECKED,
  type ChainFamily,
  type ChainRules,
  type KnownChain,
} from '../definition/chain-family';
import { opStackRules as rules, SUPERCHAIN_SNAPSHOT } from './activations';

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

const L1_FEE = 'the L1 data fee is not charged';
const WITHOUT_FEES = 'transactions sent to a fork pay neither the L1 data fee nor the operator fee';
/** For forks that charge the fees of the OP Stack. */
export const OP_STACK_FEES =
  'the L1 data fee and the operator fee are taken at the end of each block, so a contract that reads the balance of a sender or of a fee vault in the same block sees it without them';
/** For chains on the OP Stack whose fees differ from its specifications. */
export const OTHER_OP_STACK = `${L1_FEE}; deposits are executed without a fee`;
const BLAST = `${OTHER_OP_STACK}; balances do not earn yield`;

const exact = (chain: ChainRules): KnownChain => ({ rules: chain, differences: WITHOUT_FEES });

/**
 * Chains on the OP Stack, and other rollups that charge for data of their parent chain in the same way. Sources: superchain-registry, Base's
 * upgrades.
 */
export const OP_STACK: ChainFamily = {
  chains: new Map<number, KnownChain>([
    [
      10,
      exact(
        rules(CHECKED, {
          ...SUPERCHAIN,
          first: [atBlock('berlin', 0), atBlock('london', 105_235_063)],
        }),
      ),
    ],
    [130, exact(rules(CHECKED, FROM_FJORD))],
    [
      480,
      exact(
        rules(SUPERCHAIN_SNAPSHOT, {
          first: [atBlock('cancun', 0)],
          fjord: 1_721_826_000,
          isthmus: 1_764_072_000,
        }),
      ),
    ],
    [919, exact(rules(SUPERCHAIN_SNAPSHOT, SUPERCHAIN_SEPOLIA))],
    [1_301, exact(rules(SUPERCHAIN_SNAPSHOT, FROM_FJORD_SEPOLIA))],
    [1_868, exact(rules(CHECKED, FROM_FJORD))],
    [1_946, exact(rules(SUPERCHAIN_SNAPSHOT, { ...FROM_FJORD_SEPOLIA, fjord: 1_730_106_000 }))],
    [
      4_801,
      exact(
        rules(SUPERCHAIN_SNAPSHOT, {
          first: [atBlock('cancun', 0)],
          fjord: 1_721_739_600,
          isthmus: 1_761_825_600,
        }),
      ),
    ],
    // Azul contains Osaka.
    [8_453, exact(rules(CHECKED, { ...SUPERCHAIN, karst: 1_779_991_200 }))],
    [34_443, exact(rules(CHECKED, SUPERCHAIN))],
    [57_073, exact(rules(CHECKED, FROM_FJORD))],
    [84_532, exact(rules(CHECKED, { ...SUPERCHAIN_SEPOLIA, karst: 1_776_708_000 }))],
    [763_373, exact(rules(SUPERCHAIN_SNAPSHOT, SUPERCHAIN_SEPOLIA))],
    [7_777_777, exact(rules(CHECKED, SUPERCHAIN))],
    [11_155_420, exact(rules(CHECKED, SUPERCHAIN_SEPOLIA))],
    [999_999_999, exact(rules(SUPERCHAIN_SNAPSHOT, SUPERCHAIN_SEPOLIA))],
    [204, { differences: OTHER_OP_STACK }],
    [5_000, { differences: OTHER_OP_STACK }],
    [5_003, { differences: OTHER_OP_STACK }],
    [5_611, { differences: OTHER_OP_STACK }],
    [81_457, { differences: BLAST }],
    [168_587_773, { differences: BLAST }],
    // Scroll
    [534_352, { differences: L1_FEE }],
  ]),
};
