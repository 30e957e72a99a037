import { atBlock, type ChainFamily } from '../definition/chain-family';
import { OTHER_OP_STACK } from '../op-stack/op-stack';
import { opStackRules, SUPERCHAIN_SNAPSHOT } from '../op-stack/activations';

const DIFFERENCES = `${OTHER_OP_STACK}; fees are paid in CELO only`;

/** Celo and its test networks Celo Sepolia, Alfajores and Baklava. */
export const CELO: ChainFamily = {
  chains: new Map([
    [
      42_220,
      {
        // An OP Stack chain since block 31,056,500.
        rules: opStackRules(SUPERCHAIN_SNAPSHOT, {
          first: [
            atBlock('london', 0, 'blocks before the move to the OP Stack follow rules of Celo'),
            atBlock('cancun', 31_056_500),
          ],
          fjord: 1_742_957_258,
          isthmus: 1_752_073_200,
        }),
        differences: DIFFERENCES,
      },
    ],
    // Its Isthmus has no time in the registry; headers prove it.
    [
      11_142_220,
      {
        rules: opStackRules(SUPERCHAIN_SNAPSHOT, { first: [atBlock('cancun', 0)] }),
        differences: DIFFERENCES,
      },
    ],
    [44_787, { differences: DIFFERENCES }],
    [62_320, { differences: DIFFERENCES }],
  ]),
  // Of headers before the move to the OP Stack.
  headerFields: 'randomness epochSnarkData',
};

/** Whether the chain has Celo's precompiled contract at 0xfd, which moves CELO for its ERC-20 interface. */
export const isCelo = (chainId: number): boolean => CELO.chains.has(chainId);
