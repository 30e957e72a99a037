// Sends tokens from an account without its key, with viem. Run: npx tsx send-as-anyone.ts
import { createPublicClient, createWalletClient, formatUnits, http, parseAbi } from 'viem';
import { forkSandbox } from '../forklens';

const HBR = '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0';
const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const RECEIVER = '0x000000000000000000000000000000000000dead';
const abi = parseAbi([
  'function transfer(address to, uint256 value) returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
]);

const transport = http(await forkSandbox('viem'));
const reader = createPublicClient({ transport });
const wallet = createWalletClient({ transport });

const hash = await wallet.writeContract({
  address: HBR,
  abi,
  functionName: 'transfer',
  args: [RECEIVER, 5n * 10n ** 18n],
  account: ALICE,
  chain: null,
});
const { status } = await reader.waitForTransactionReceipt({ hash, pollingInterval: 100 });
const balance = await reader.readContract({
  address: HBR,
  abi,
  functionName: 'balanceOf',
  args: [RECEIVER],
});
console.log(`${status}: the receiver has ${formatUnits(balance, 18)} HBR`);
