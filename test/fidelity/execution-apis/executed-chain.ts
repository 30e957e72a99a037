import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createBlock, createBlockFromBytesArray, type Block } from '@ethereumjs/block';
import {
  createCommonFromGethGenesis,
  parseGethGenesisState,
  type Common,
  type GethGenesis,
} from '@ethereumjs/common';
import type { EVMMockBlockchainInterface } from '@ethereumjs/evm';
import { RLP, type NestedUint8Array } from '@ethereumjs/rlp';
import { MerkleStateManager } from '@ethereumjs/statemanager';
import { bytesToHex, hexToBytes, type KZG } from '@ethereumjs/util';
import { createVM, runBlock, type RunBlockResult } from '@ethereumjs/vm';
import { Transaction } from 'ethers';
import type { Hex } from '../../../server/api/primitives';
import { priceOf } from '../reference/context';
import type { AnsweredBlock, AnsweredTransaction } from '../reference/node-answers';

type Genesis = GethGenesis & {
  extraData?: Hex;
  gasLimit: Hex;
  difficulty: Hex;
  config: { blobSchedule?: Record<string, BlobSchedule> };
};

interface BlobSchedule {
  target: number;
  max: number;
  baseFeeUpdateFraction: number;
}

/**
 * The chain of the standard's cases, executed by @ethereumjs/vm from its genesis. Gas, bloom, receipts and state root of each block must
 * match its header.
 */
export class ExecutedChain {
  private constructor(
    readonly blocks: readonly AnsweredBlock[],
    readonly chainId: number,
    private readonly state: MerkleStateManager,
  ) {}

  /** @param folder contains `genesis.json` and `chain.rlp` */
  static async load(folder: string): Promise<ExecutedChain> {
    const genesis = JSON.parse(await readFile(join(folder, 'genesis.json'), 'utf8')) as Genesis;
    const common = commonOf(genesis);
    const state = new MerkleStateManager({ common });
    await state.generateCanonicalGenesis(parseGethGenesisState(genesis));
    const first = createBlock(
      { header: { ...headerOf(genesis), stateRoot: await state.getStateRoot() } },
      { common, setHardfork: true, skipConsensusFormatValidation: true },
    );
    const blocks = [answered(first)];
    const blockchain: EVMMockBlockchainInterface = {
      getBlock: (number: number) => Promise.resolve(blocks[number]!.block),
      putBlock: () => Promise.resolve(),
      shallowCopy: () => blockchain,
    };
    const vm = await createVM({ common, stateManager: state, blockchain });
    for (const bytes of decodeAll(await readFile(join(folder, 'chain.rlp')))) {
      const options = { common, setHardfork: true, skipConsensusFormatValidation: true };
      const block = createBlockFromBytesArray(bytes, options);
      const result = await runBlock(vm, { block, skipHeaderValidation: true, setHardfork: true });
      blocks.push(answered(block, result));
    }
    return new ExecutedChain(blocks, Number(common.chainId()), state);
  }

  /** The state after a block. */
  async stateAfter({ block }: AnsweredBlock): Promise<MerkleStateManager> {
    const state = this.state.shallowCopy();
    await state.setStateRoot(block.header.stateRoot);
    return state;
  }
}

function commonOf(genesis: Genesis): Common {
  const schedule = Object.entries(genesis.config.blobSchedule ?? {});
  const params = schedule.map(([name, { target, max, baseFeeUpdateFraction }]) => [
    name,
    { target, max, blobGasPriceUpdateFraction: baseFeeUpdateFraction },
  ]);
  return createCommonFromGethGenesis(genesis, {
    chain: 'execution-apis',
    params: Object.fromEntries(params) as Record<string, Record<string, number>>,
    // Blob transactions require it although the chain contains no blobs.
    customCrypto: { kzg: {} as KZG },
  });
}

const headerOf = ({ extraData = '0x', gasLimit, difficulty }: Genesis) => ({
  extraData: hexToBytes(extraData),
  gasLimit,
  difficulty,
});

function* decodeAll(bytes: Uint8Array): Generator<Parameters<typeof createBlockFromBytesArray>[0]> {
  let rest = bytes;
  while (rest.length > 0) {
    const { data, remainder } = RLP.decode(rest, true);
    yield data as NestedUint8Array as Parameters<typeof createBlockFromBytesArray>[0];
    rest = remainder;
  }
}

function answered(block: Block, result?: RunBlockResult): AnsweredBlock {
  const transactions = block.transactions.map((_, index) => transactionOf(block, result!, index));
  return { block, hash: bytesToHex(block.hash()), transactions };
}

function transactionOf(
  block: Block,
  { results, receipts }: RunBlockResult,
  index: number,
): AnsweredTransaction {
  const transaction = Transaction.from(bytesToHex(block.transactions[index]!.serialize()));
  const { execResult, totalGasSpent, createdAddress, blobGasUsed = 0n } = results[index]!;
  const receipt = receipts[index]!;
  return {
    transaction,
    index,
    status: execResult.exceptionError === undefined,
    stateRoot: 'stateRoot' in receipt ? bytesToHex(receipt.stateRoot) : undefined,
    gasUsed: totalGasSpent,
    cumulativeGasUsed: receipt.cumulativeBlockGasUsed,
    gasPrice: priceOf(transaction, block.header.baseFeePerGas ?? 0n),
    blobGasUsed,
    blobGasPrice: transaction.type === 3 ? block.header.getBlobGasPrice() : 0n,
    logs: receipt.logs.map(([address, topics, data]) => ({
      address: bytesToHex(address),
      topics: topics.map((topic) => bytesToHex(topic)),
      data: bytesToHex(data),
    })),
    created: transaction.to === null && createdAddress ? bytesToHex(createdAddress.bytes) : null,
  };
}
