import { hexlify, parseEther, toUtf8Bytes } from 'ethers';
import type { SandboxDirectory } from '../parts/directory';
import type { StoryStep } from '../parts/steps';

/** Plain and wrapped ether. */
export function etherSteps(directory: SandboxDirectory): StoryStep[] {
  const { address } = directory;
  return [
    {
      id: 'send-ether',
      title: 'Alice sends 1.5 ETH to Bob',
      shows: 'The smallest possible transaction: one call, no data; the legacy type 0.',
      from: 'alice',
      to: address('bob'),
      value: parseEther('1.5'),
      gasLimit: 21_000,
      type: 0,
    },
    {
      id: 'wrap-ether',
      title: 'Alice wraps 5 ETH',
      shows: 'WETH emits Deposit but no Transfer; the balances change nevertheless.',
      from: 'alice',
      ...directory.call('weth', 'deposit'),
      value: parseEther('5'),
    },
    {
      id: 'unwrap-ether',
      title: 'Alice unwraps 2 WETH',
      shows: 'Withdrawal: the token returns to its contract, which sends ether by an inner call.',
      from: 'alice',
      ...directory.call('weth', 'withdraw', [parseEther('2')]),
    },
    {
      id: 'wrap-by-sending',
      title: 'Bob sends 1 ETH to the WETH contract',
      shows: 'Plain ether reaches receive(), which wraps it; an access list (type 1).',
      from: 'bob',
      to: address('weth'),
      value: parseEther('1'),
      type: 1,
    },
    {
      id: 'receive-ether',
      title: 'Carol tips 0.05 ETH',
      shows: 'A call without data reaches receive(), which emits an event.',
      from: 'carol',
      to: address('tipJar'),
      value: parseEther('0.05'),
    },
    {
      id: 'fallback-with-data',
      title: 'Carol tips 0.01 ETH with a note',
      shows:
        'Data that calls no method: its first four bytes look like a selector but reach fallback().',
      from: 'carol',
      to: address('tipJar'),
      data: hexlify(toUtf8Bytes('Thank you for the light!')),
      value: parseEther('0.01'),
    },
    {
      id: 'fallback-short-data',
      title: 'Bob leaves a note of two bytes',
      shows: 'Data that is too short for a selector.',
      from: 'bob',
      to: address('tipJar'),
      data: hexlify(toUtf8Bytes('gm')),
    },
    {
      id: 'split-by-library',
      title: 'Carol splits 1 ETH among three members',
      shows: 'Functions of a library run by DELEGATECALL between the payments that they compute.',
      from: 'carol',
      ...directory.call('splitter', 'split'),
      value: parseEther('1'),
    },
  ];
}
