import { parseEther, parseUnits } from 'ethers';
import type { SandboxDirectory } from '../parts/directory';
import type { StoryStep } from '../parts/steps';

/** Large call trees for the inspector, an exploit, and an account with code. */
export function extremeSteps(directory: SandboxDirectory): StoryStep[] {
  const { address } = directory;
  return [
    {
      id: 'exploit-reentrancy',
      title: 'Mallory empties the ether vault',
      shows: 'Reentrancy: six nested withdrawals of the same 2 ETH; the profit is in the balances.',
      from: 'mallory',
      ...directory.call('thief', 'attack'),
      value: parseEther('2'),
    },
    {
      id: 'eip7702-batch',
      title: "Carol's account makes three calls at once",
      shows: "EIP-7702: Carol's account delegates to a contract and calls itself; type 4.",
      from: 'carol',
      to: address('carol'),
      data: directory.encode('batchExecutor', 'execute', [
        [
          [
            address('hbr'),
            0n,
            directory.encode('hbr', 'transfer', [address('alice'), parseUnits('5', 18)]),
          ],
          [
            address('husd'),
            0n,
            directory.encode('husd', 'transfer', [address('bob'), parseUnits('10', 6)]),
          ],
          [address('tipJar'), parseEther('0.02'), '0x'],
        ],
      ]),
      type: 4,
      delegateTo: address('batchExecutor'),
    },
    {
      id: 'recursion-2047-frames',
      title: 'Alice grows a fractal of eleven levels',
      shows: 'A tree of 2,047 frames: each frame calls itself twice, down to 1,024 leaves.',
      from: 'alice',
      ...directory.call('fractal', 'grow', [11n, 0n]),
      gasLimit: 15_000_000,
    },
    {
      id: 'recursion-200-deep',
      title: 'Alice makes 200 nested calls',
      shows: 'Each call makes the next; the innermost call emits an event.',
      from: 'alice',
      ...directory.call('fractal', 'descend', [200n]),
      gasLimit: 5_000_000,
    },
  ];
}
