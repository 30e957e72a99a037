// Takes a snapshot of a fork, changes its state and reverts, with ethers. Run: npx tsx revert.ts
import { JsonRpcProvider, formatEther, parseEther, toQuantity } from 'ethers';
import { forkSandbox } from '../forklens';

const ACCOUNT = '0x000000000000000000000000000000000000dEaD';

// ethers keeps answers for 250 ms, which is longer than a block takes on a fork.
const provider = new JsonRpcProvider(await forkSandbox('ethers'), undefined, { cacheTimeout: -1 });
const balance = async (): Promise<string> => formatEther(await provider.getBalance(ACCOUNT));

const snapshot: unknown = await provider.send('evm_snapshot', []);
await provider.send('anvil_setBalance', [ACCOUNT, toQuantity(parseEther('7'))]);
const changed = await balance();
await provider.send('evm_revert', [snapshot]);
console.log(`changed: ${changed}, reverted: ${await balance()}`);
provider.destroy();
