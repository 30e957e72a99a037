import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  http,
  parseAbi,
  webSocket,
  type Address,
  type Hex,
  type HttpTransport,
  type PublicClient,
  type TestClient,
  type TransactionReceipt,
  type WalletClient,
  type WebSocketTransport,
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

type Mainnet = typeof mainnet;

/** A contract as viem's actions accept it. */
export interface Deployed {
  address: Address;
  abi: typeof TILL;
  account: Address;
}

/** viem's clients of a node. */
export class ViemSession {
  readonly reader: PublicClient<HttpTransport, Mainnet>;
  readonly wallet: WalletClient<HttpTransport, Mainnet>;
  readonly test: TestClient<'anvil', HttpTransport, Mainnet>;

  constructor(
    private readonly node: TestNode,
    private readonly artifacts: Artifacts,
  ) {
    const options = { chain: mainnet, transport: http(node.http), pollingInterval: 50 } as const;
    this.reader = createPublicClient({ ...options, cacheTime: 0 });
    this.wallet = createWalletClient(options);
    this.test = createTestClient({ ...options, mode: 'anvil' });
  }

  readonly hearer = (): PublicClient<WebSocketTransport, Mainnet> =>
    createPublicClient({ chain: mainnet, transport: webSocket(this.node.ws) });

  readonly accounts = async (): Promise<[Address, Address, Address]> => {
    const [first, second, third] = await this.wallet.getAddresses();
    if (!first || !second || !third) throw new Error('the node has fewer than three accounts');
    return [first, second, third];
  };

  readonly mined = async (hash: Hex): Promise<TransactionReceipt> => {
    const receipt = await this.reader.waitForTransactionReceipt({ hash, timeout: 10_000 });
    if (receipt.status !== 'success') throw new Error(`${hash} failed`);
    return receipt;
  };

  readonly deployTill = async (): Promise<Deployed> => {
    const [account] = await this.accounts();
    const { bytecode } = this.artifacts.till;
    const hash = await this.wallet.deployContract({ abi: TILL, bytecode, account });
    const { contractAddress } = await this.mined(hash);
    if (!contractAddress) throw new Error('the receipt names no contract');
    return { address: contractAddress, abi: TILL, account };
  };
}

/** A task of viem's clients. @throws if the node does not answer as expected */
export type Work = (session: ViemSession) => Promise<void>;
