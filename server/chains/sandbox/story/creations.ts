import { getCreate2Address, getCreateAddress, keccak256, parseEther, zeroPadValue } from 'ethers';
import type { Address } from '../../../api/primitives';
import { lowerCase } from '../parts/accounts';
import { blockTime } from '../parts/constants';
import type { SandboxDirectory } from '../parts/directory';
import type { StoryStep } from '../parts/steps';

/** Bob's capsule opens in the block after the one that buries it. */
const CAPSULE_BLOCK = 10;
const OPENS_AT = BigInt(blockTime(CAPSULE_BLOCK + 1));
const SALT = zeroPadValue('0xf0', 32);

/** Contracts that other contracts create. */
export function creationSteps(directory: SandboxDirectory): StoryStep[] {
  return [
    {
      id: 'create',
      title: 'Bob buries 1 ETH in a time capsule',
      shows: 'A contract creates another by CREATE and gives it ether.',
      from: 'bob',
      ...directory.call('factory', 'bury', [OPENS_AT]),
      value: parseEther('1'),
    },
    {
      id: 'create2',
      title: 'Carol buries 0.5 ETH at a chosen address',
      shows: 'CREATE2: the address follows from a salt and the init code.',
      from: 'carol',
      ...directory.call('factory', 'buryAt', [SALT, OPENS_AT]),
      value: parseEther('0.5'),
    },
    {
      id: 'create-and-destroy',
      title: 'Alice buries 0.25 ETH and opens the capsule at once',
      shows: 'SELFDESTRUCT in the transaction of the creation: the only case that removes code.',
      from: 'alice',
      ...directory.call('factory', 'buryAndOpen'),
      value: parseEther('0.25'),
    },
    {
      id: 'create-fails',
      title: 'Bob chooses a date in the past',
      shows: 'A constructor that reverts with a custom error; the ether comes back.',
      fails: true,
      from: 'bob',
      ...directory.call('factory', 'bury', [BigInt(blockTime(0))]),
      value: parseEther('1'),
    },
  ];
}

/** Belongs in the block after `creationSteps`. */
export function openingSteps(directory: SandboxDirectory): StoryStep[] {
  return [
    {
      id: 'self-destruct',
      title: "Bob's time capsule opens",
      shows: 'SELFDESTRUCT moves the balance to the owner; the code stays since Cancun (EIP-6780).',
      from: 'carol',
      to: capsules(directory).bob,
      data: directory.encodeAs('TimeCapsule', 'open'),
    },
  ];
}

/** Addresses of the capsules by owner; Alice's is destroyed in its own transaction. */
export function capsules(directory: SandboxDirectory): Record<'bob' | 'carol' | 'alice', Address> {
  const factory = directory.address('factory');
  // A contract's nonce starts at 1 (EIP-161). CREATE2 increments it as well.
  const created = (nonce: number) => lowerCase(getCreateAddress({ from: factory, nonce }));
  const initCode = directory.initCode('TimeCapsule', [directory.address('carol'), OPENS_AT]);
  return {
    bob: created(1),
    carol: lowerCase(getCreate2Address(factory, SALT, keccak256(initCode))),
    alice: created(3),
  };
}
