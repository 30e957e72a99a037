import { Wallet } from 'ethers';
import { toQuantity } from '../../../server/evm/forms/quantity';
import { ALICE, COUNTER } from '../../integration/fork-upstream';
import { call } from '../json-rpc';

/** The tested JSON-RPC address, of a fork or of a bare engine, with transactions of every type. */
export interface JsonRpcFixture {
  url: string;
  /** Numbers of the newest block and of the fork's first own block. */
  head: number;
  firstOwn: number;
  headHash: string;
  /** Transactions of the forked chain, and those made here. */
  originals: readonly string[];
  own: readonly string[];
  filter: string;
}

const FEES = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n };
const KEYS = [{ address: COUNTER, storageKeys: [`0x${'0'.repeat(64)}`] }];
const BLOB = `0x01${'ab'.repeat(31)}`;

/**
 * Makes transactions of each type, one without a signature.
 * @param mine called after each send
 */
export async function createJsonRpcFixture(
  url: string,
  originals: readonly string[],
  mine: () => Promise<unknown> = () => Promise.resolve(),
): Promise<JsonRpcFixture> {
  const firstOwn = Number(await call(url, 'eth_blockNumber')) + 1;
  const own: string[] = [];
  const send = async (method: string, transaction: unknown): Promise<void> => {
    own.push(await call(url, method, transaction));
    await mine();
  };
  await send('eth_sendTransaction', { from: ALICE.address, to: COUNTER });
  const authorization = await Wallet.createRandom().authorize({
    address: COUNTER,
    nonce: 0,
    chainId: 1,
  });
  for (const parts of [
    { type: 0, gasPrice: 10n ** 10n },
    { type: 1, gasPrice: 10n ** 10n, accessList: KEYS },
    { type: 2, ...FEES, to: null, data: '0x600a600a6000' },
    { type: 2, ...FEES, data: '0xff' },
    { type: 3, ...FEES, maxFeePerBlobGas: 10n ** 10n, blobVersionedHashes: [BLOB] },
    { type: 4, ...FEES, authorizationList: [authorization] },
  ]) {
    const nonce = Number(await call(url, 'eth_getTransactionCount', ALICE.address, 'latest'));
    const common = { chainId: 1, nonce, gasLimit: 200_000, to: COUNTER };
    await send('eth_sendRawTransaction', await ALICE.signTransaction({ ...common, ...parts }));
  }
  const newest = await call<{ number: string; hash: string }>(
    url,
    'eth_getBlockByNumber',
    'latest',
    false,
  );
  const filter = await call(url, 'eth_newFilter', { fromBlock: toQuantity(firstOwn) });
  const head = Number(newest.number);
  return { url, head, firstOwn, headHash: newest.hash, originals, own, filter };
}
