import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  http,
  parseAbi,
  webSocket,
  type Address,
  type Hex,
} from 'viem';
import { mainnet } from 'viem/chains';
import type { Artifacts } from './check';
import type { TestNode } from './nodes';

export const TILL = parseAbi([
  'function pay() payable',
  'function take(uint256 amount)',
  'function sayNo() view',
  'function divide(uint256 by) view returns (uint256)',
  'function paid(address) view returns (uint256)',
  'function total() view returns (uint256)',
  'error Empty(address caller, uint256 wanted)',
  'event Paid(address indexed payer, uint256 amount)',
]);
export const STRANGER = '0x00000000000000000000000000000000DeaDBeef';

/** viem's clients of a node. */
export function viemOf(node: TestNode, artifacts: Artifacts) {
  const transport = http(node.http);
  const options = { chain: mainnet, transport, pollingInterval: 50, cacheTime: 0 } as const;
  const reader = createPublicClient(options);
  const wallet = createWalletClient(options);
  const test = createTestClient({ ...options, mode: 'anvil' });
  const hearer = () => createPublicClient({ chain: mainnet, transport: webSocket(node.ws) });

  async function accounts(): Promise<[Address, Address, Address]> {
    const [first, second, third] = await wallet.getAddresses();
    if (!first || !second || !third) throw new Error('the node has fewer than three accounts');
    return [first, second, third];
  }

  async function mined(hash: Hex) {
    const receipt = await reader.waitForTransactionReceipt({ hash, timeout: 10_000 });
    if (receipt.status !== 'success') throw new Error(`${hash} failed`);
    return receipt;
  }

  async function deployTill() {
    const [account] = await accounts();
    const { bytecode } = artifacts.till;
    const { contractAddress } = await mined(
      await wallet.deployContract({ abi: TILL, bytecode, account }),
    );
    if (!contractAddress) throw new Error('the receipt names no contract');
    return { address: contractAddress, abi: TILL, account } as const;
  }

  return { reader, wallet, test, hearer, accounts, mined, deployTill };
}

export type ViemSession = ReturnType<typeof viemOf>;
