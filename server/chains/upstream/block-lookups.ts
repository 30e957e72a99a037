import { STATE_BLOCK_PARAMETER } from '../../evm/forms/block-parameters';

/** Methods with a block parameter, and its index in the parameters. */
export const BLOCK_PARAMETER: Readonly<Record<string, number>> = {
  ...STATE_BLOCK_PARAMETER,
  eth_feeHistory: 1,
};

/** The same for methods that return null above the newest block, instead of an error. */
export const BLOCK_LOOKUP: Readonly<Record<string, number>> = {
  eth_getBlockByNumber: 0,
  eth_getBlockReceipts: 0,
  eth_getBlockTransactionCountByNumber: 0,
  eth_getTransactionByBlockNumberAndIndex: 0,
  eth_getRawTransactionByBlockNumberAndIndex: 0,
  eth_getUncleByBlockNumberAndIndex: 0,
  eth_getUncleCountByBlockNumber: 0,
  trace_block: 0,
};
