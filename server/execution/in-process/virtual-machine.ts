import { createBlock, type Block } from '@ethereumjs/block';
import { createCustomCommon, Hardfork, Mainnet, type Common } from '@ethereumjs/common';
import type { EVMMockBlockchainInterface } from '@ethereumjs/evm';
import { createVM, type VM } from '@ethereumjs/vm';
import type { KZG } from '@ethereumjs/util';
import type { Hash, Hex } from '../../api/primitives';
import { blobPriceAt, type BlobRules } from '../../evm/rules/blob-price';
import { isSince, type ExecutedHardfork } from '../../evm/forms/hardfork-order';
import type { OpUpgrade } from '../../evm/families/op-stack/upgrades';
import type { RpcBlockHeader } from '../../evm/forms/types';
import type { BlockState } from './block-state';
import { observedInstructions, type HookTarget } from './hooks';
import { customPrecompiles } from './precompiles';

/** The rules under which a block is executed. */
export interface BlockRules extends BlobRules {
  /** Of an OP Stack chain. */
  readonly upgrade: OpUpgrade | undefined;
}

/** Names of the virtual machine for the hardforks that it executes exactly: since EIP-161. */
const NAMES: Partial<Record<ExecutedHardfork, Hardfork>> = {
  spuriousDragon: Hardfork.SpuriousDragon,
  byzantium: Hardfork.Byzantium,
  constantinople: Hardfork.Constantinople,
  petersburg: Hardfork.Petersburg,
  istanbul: Hardfork.Istanbul,
  muirGlacier: Hardfork.MuirGlacier,
  berlin: Hardfork.Berlin,
  london: Hardfork.London,
  arrowGlacier: Hardfork.ArrowGlacier,
  grayGlacier: Hardfork.GrayGlacier,
  paris: Hardfork.Paris,
  shanghai: Hardfork.Shanghai,
  cancun: Hardfork.Cancun,
  prague: Hardfork.Prague,
  osaka: Hardfork.Osaka,
  amsterdam: Hardfork.Amsterdam,
};

export interface OpenedVm {
  readonly vm: VM;
  readonly common: Common;
  /** The header, in the form of the virtual machine. */
  readonly block: Block;
}

/** A virtual machine for one block. @param hashOf hash of an earlier block, for BLOCKHASH */
export async function openVm(
  rules: BlockRules,
  header: RpcBlockHeader,
  state: BlockState,
  target: HookTarget,
  hashOf: (number: bigint) => Promise<Hash>,
): Promise<OpenedVm> {
  const hardfork = NAMES[rules.hardfork];
  if (hardfork === undefined) throw new Error(`rules of ${rules.hardfork} are not executed`);
  // Required for blob transactions, although none of them has its blobs here.
  const customCrypto = { kzg: {} as KZG };
  const common = createCustomCommon({ chainId: rules.chainId }, Mainnet, {
    hardfork,
    customCrypto,
  });
  const blockchain: EVMMockBlockchainInterface = {
    getBlock: async (number) => {
      const hash = await hashOf(BigInt(number));
      return { hash: () => Buffer.from(hash.slice(2), 'hex') };
    },
    putBlock: () => Promise.resolve(),
    shallowCopy: () => blockchain,
  };
  const vm = await createVM({
    common,
    stateManager: state,
    blockchain,
    evmOpts: {
      customOpcodes: observedInstructions(common, target, isSince(rules.hardfork, 'amsterdam')),
      customPrecompiles: customPrecompiles(rules.upgrade, isSince(rules.hardfork, 'osaka')),
    },
  });
  const { events } = vm.evm;
  const hasTransferLogs = isSince(rules.hardfork, 'amsterdam');
  events?.on('beforeMessage', (message) => target.frames?.begin(message, hasTransferLogs));
  events?.on('newContract', ({ address }) =>
    target.frames?.created(address.bytes, hasTransferLogs),
  );
  events?.on('afterMessage', (result) => target.frames?.end(result));
  return { vm, common, block: blockOf(rules, header, common) };
}

function blockOf(rules: BlockRules, header: RpcBlockHeader, common: Common): Block {
  const { baseFeePerGas, excessBlobGas, parentBeaconBlockRoot, mixHash, slotNumber } = header;
  const fields: Record<string, Hex> = {
    number: header.number,
    timestamp: header.timestamp,
    parentHash: header.parentHash,
    coinbase: header.miner,
    gasLimit: header.gasLimit,
    difficulty: isSince(rules.hardfork, 'paris') ? '0x0' : (header.difficulty ?? '0x0'),
  };
  if (mixHash !== undefined) fields['mixHash'] = mixHash;
  if (baseFeePerGas !== undefined) fields['baseFeePerGas'] = baseFeePerGas;
  if (excessBlobGas !== undefined) fields['excessBlobGas'] = excessBlobGas;
  if (parentBeaconBlockRoot !== undefined) fields['parentBeaconBlockRoot'] = parentBeaconBlockRoot;
  if (slotNumber !== undefined && isSince(rules.hardfork, 'amsterdam')) {
    fields['slotNumber'] = slotNumber;
  }
  const options = { common, skipConsensusFormatValidation: true, freeze: false };
  const block = createBlock({ header: fields }, options);
  const price = blobPriceAt(rules, header);
  if (price !== undefined) block.header.getBlobGasPrice = () => price;
  return block;
}
