import {
  atBlock,
  atTime,
  CHECKED,
  type ChainFamily,
  type ChainRules,
  type KnownChain,
  type NamedPrecompile,
} from '../definition/chain-family';

/** ArbOS 11, 20, 40 and 51. Headers state the version of ArbOS (`arbos.ts`), which decides where they do. */
const ARBITRUM_ONE: ChainRules = {
  checked: CHECKED,
  isOwn: true,
  activations: [
    atBlock('london', 0),
    atTime('shanghai', 1_708_804_873),
    atTime('cancun', 1_710_424_089),
    atTime('prague', 1_750_176_000),
    atTime('osaka', 1_767_891_600),
  ],
};

const PRECOMPILES: readonly NamedPrecompile[] = [
  [0x64n, 'ArbSys'],
  [0x65n, 'ArbInfo'],
  [0x66n, 'ArbAddressTable'],
  [0x67n, 'ArbBLS'],
  [0x68n, 'ArbFunctionTable'],
  [0x69n, 'ArbosTest'],
  [0x6bn, 'ArbOwnerPublic'],
  [0x6cn, 'ArbGasInfo'],
  [0x6dn, 'ArbAggregator'],
  [0x6en, 'ArbRetryableTx'],
  [0x6fn, 'ArbStatistics'],
  [0x70n, 'ArbOwner'],
  [0x71n, 'ArbWasm'],
  [0x72n, 'ArbWasmCache'],
  [0x73n, 'ArbNativeTokenManager'],
  [0x74n, 'ArbFilteredTransactionsManager'],
  [0xc8n, 'NodeInterface'],
  [0xffn, 'ArbDebug'],
];

const CHAIN: KnownChain = {
  differences:
    "ArbOS and its precompiles are not executed, the L1 part of the gas is not charged, and block.number is the chain's own instead of that of L1",
  hasOwnGas: true,
  precompiles: PRECOMPILES,
};

/** Arbitrum One, Nova and their test network. Other chains of the family are recognized by their headers. */
export const ARBITRUM: ChainFamily = {
  chains: new Map([
    [42_161, { ...CHAIN, rules: ARBITRUM_ONE }],
    [42_170, CHAIN],
    [421_614, CHAIN],
  ]),
  headerFields: 'sendRoot sendCount l1BlockNumber',
};
