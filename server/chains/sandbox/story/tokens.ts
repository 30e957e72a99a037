import { parseUnits } from 'ethers';
import type { SandboxDirectory } from '../parts/directory';
import type { StoryStep } from '../parts/steps';

/** All variants of ERC-20 tokens that a wallet has to support. */
export function tokenSteps(directory: SandboxDirectory): StoryStep[] {
  const { address } = directory;
  return [
    {
      id: 'create-contract',
      title: 'Bob deploys Loyalty Points',
      shows: 'A creation with constructor arguments, which mints the whole supply.',
      from: 'bob',
      ...directory.creation('points'),
      gasLimit: 2_000_000,
    },
    {
      id: 'transfer-18-decimals',
      title: 'Alice sends 250.5 HBR to Bob',
      shows: 'A token with 18 decimals, and a price from a feed.',
      from: 'alice',
      ...directory.call('hbr', 'transfer', [address('bob'), parseUnits('250.5', 18)]),
    },
    {
      id: 'transfer-6-decimals',
      title: 'Carol sends 1250.75 hUSD to Bob',
      shows: 'A token with 6 decimals.',
      from: 'carol',
      ...directory.call('husd', 'transfer', [address('bob'), parseUnits('1250.75', 6)]),
    },
    {
      id: 'transfer-no-decimals',
      title: 'Bob gives 500 points to Alice',
      shows: 'A token without decimals(): only the raw amount is known.',
      from: 'bob',
      ...directory.call('points', 'transfer', [address('alice'), 500n]),
    },
    {
      id: 'mint-bytes32-symbol',
      title: 'Alice mints 1000 OLD',
      shows: 'Name and symbol are bytes32; an anonymous log accompanies Transfer.',
      from: 'alice',
      ...directory.call('old', 'mint', [address('alice'), parseUnits('1000', 18)]),
    },
    {
      id: 'transfer-with-fee',
      title: 'Alice sends 100 TOLL to Bob',
      shows: 'The token keeps 1 %: Bob gets 99, the treasury 1.',
      from: 'alice',
      ...directory.call('toll', 'transfer', [address('bob'), parseUnits('100', 18)]),
    },
    {
      id: 'approve',
      title: 'Alice lets the router spend 1000 HBR',
      shows: 'An approval: an event, and no balance changes.',
      from: 'alice',
      ...directory.call('hbr', 'approve', [address('router'), parseUnits('1000', 18)]),
    },
  ];
}

/** A token behind an ERC-1967 proxy, and its next version. */
export function proxySteps(directory: SandboxDirectory): StoryStep[] {
  const { address } = directory;
  return [
    {
      id: 'proxy-mint',
      title: 'Carol mints 12.5 GOLD to Alice',
      shows: 'The proxy forwards the call by DELEGATECALL; the events belong to the proxy.',
      from: 'carol',
      ...directory.call('gold', 'mint', [address('alice'), parseUnits('12.5', 8)]),
    },
    {
      id: 'proxy-upgrade',
      title: 'The deployer upgrades GOLD',
      shows: 'A method of the proxy itself: the implementation in the ERC-1967 slot changes.',
      from: 'deployer',
      ...directory.call('gold', 'upgradeToAndCall', [address('goldV2'), '0x']),
    },
    {
      id: 'proxy-new-method',
      title: 'Alice burns 2.5 GOLD',
      shows: 'A method of the second version only.',
      from: 'alice',
      ...directory.call('gold', 'burn', [parseUnits('2.5', 8)]),
    },
    {
      id: 'proxy-custom-error',
      title: 'Mallory tries to take over GOLD',
      shows: 'A custom error without arguments, which the proxy forwards.',
      fails: true,
      from: 'mallory',
      ...directory.call('gold', 'initialize', ['Mine', 'MINE', address('mallory')]),
    },
  ];
}
