import { atBlock, CHECKED, type ChainFamily, type ChainRules } from '../definition/chain-family';

const CHICAGO =
  'cold storage and several precompiled contracts are executed with the gas of Osaka instead of that of Chicago (PIP-88)';

/**
 * Sources: bor, params/config.go up to Prague, #2064 for Lisovo and #2219 for Chicago. For the blocks of Madhugiri and Valencia none was found
 * in the client. All of these are hardforks of Polygon.
 */
const POS: ChainRules = {
  checked: CHECKED,
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

/** EIP-7825 with a limit of its own (Madhugiri). */
const MAX_TRANSACTION_GAS = 2 ** 25;

/** Polygon PoS and its test network. */
export const POLYGON: ChainFamily = {
  chains: new Map([
    [137, { rules: POS, maxTransactionGas: MAX_TRANSACTION_GAS }],
    [80_002, { maxTransactionGas: MAX_TRANSACTION_GAS }],
  ]),
};
