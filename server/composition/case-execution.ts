import type { Chain } from '../api/config';
import type { ExecuteBlock } from '../cases/proof/execute-block';
import type { RpcReceipt } from '../evm/forms/types';
import { requireExecuted } from '../evm/rules/block-rules';
import type { AnalysisParts } from './analysis-parts';
import { executor } from './trace-services';

/** The second executor: a thread that executes blocks in process. */
export const executeOn =
  ({ rules }: Pick<AnalysisParts, 'rules'>) =>
  (chain: Chain): ExecuteBlock =>
  async (rpc, block, count, signal) => {
    const { chainId } = chain;
    const found = requireExecuted(await rules.of({ ...chain, key: chain.slug, rpc }, block));
    const { hardfork, later = hardfork, blobFraction } = found;
    const blobs = blobFraction === undefined ? {} : { blobFraction };
    const place = { rpc, chainId, hardfork: later, ...blobs, header: block };
    const open = await executor.open(place, signal);
    try {
      const receipts: RpcReceipt[] = [];
      for (const transaction of block.transactions.slice(0, count)) {
        receipts.push(await open.execute(transaction));
      }
      return receipts;
    } finally {
      open.close();
    }
  };
