import type { ChainFamily } from '../definition/chain-family';

/** Chains whose contracts are bytecode of another virtual machine. */
export const ZK_STACK: ChainFamily = {
  chains: new Map([
    [
      324,
      {
        differences:
          'its contracts are EraVM bytecode, which the engine cannot execute: calls to them fail, while balances, nonces and storage are right',
        hasOwnGas: true,
      },
    ],
  ]),
  // Also of other rollups with batches.
  headerFields:
    'l1BatchNumber l1BatchTimestamp batchNumber closed blockInfoRoot globalExitRoot localExitRoot',
};
