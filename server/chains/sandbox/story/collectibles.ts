import type { SandboxDirectory } from '../parts/directory';
import type { StoryStep } from '../parts/steps';

/** ERC-721 and ERC-1155. */
export const collectibleSteps = (directory: SandboxDirectory): StoryStep[] => [
  ...lighthouseSteps(directory),
  ...cargoSteps(directory),
];

/** ERC-721. */
function lighthouseSteps(directory: SandboxDirectory): StoryStep[] {
  const { address } = directory;
  return [
    {
      id: 'nft-mint',
      title: 'Alice mints lighthouse 1',
      shows: 'ERC-721: an asset with an id instead of an amount.',
      from: 'alice',
      ...directory.call('lighthouse', 'mint', [address('alice')]),
    },
    {
      id: 'nft-transfer',
      title: 'Alice gives lighthouse 1 to Bob',
      shows: 'A Transfer with three indexed arguments: the token id is in the topics.',
      from: 'alice',
      ...directory.call('lighthouse', 'transferFrom', [address('alice'), address('bob'), 1n]),
    },
    {
      id: 'nft-safe-transfer',
      title: 'Bob gives lighthouse 1 to the treasury',
      shows: 'An overloaded method, and a receiver contract that must accept the token.',
      from: 'bob',
      ...directory.call('lighthouse', 'safeTransferFrom(address,address,uint256)', [
        address('bob'),
        address('treasury'),
        1n,
      ]),
    },
    {
      id: 'nft-not-approved',
      title: 'Mallory tries to take lighthouse 1',
      shows: 'A custom error with two arguments in the top call.',
      fails: true,
      from: 'mallory',
      ...directory.call('lighthouse', 'transferFrom', [
        address('treasury'),
        address('mallory'),
        1n,
      ]),
    },
  ];
}

/** ERC-1155. */
function cargoSteps(directory: SandboxDirectory): StoryStep[] {
  const { address } = directory;
  return [
    {
      id: 'erc1155-mint',
      title: 'Carol mints 40 of cargo 9',
      shows: 'ERC-1155 TransferSingle.',
      from: 'carol',
      ...directory.call('cargo', 'mint', [address('carol'), 9n, 40n]),
    },
    {
      id: 'erc1155-mint-batch',
      title: 'Alice mints three kinds of cargo',
      shows: 'ERC-1155 TransferBatch: one event, one balance entry per id.',
      from: 'alice',
      ...directory.call('cargo', 'mintBatch', [address('alice'), [1n, 2n, 3n], [100n, 200n, 300n]]),
    },
    {
      id: 'erc1155-transfer',
      title: 'Carol sends 15 of cargo 9 to Bob',
      shows: 'A single transfer with additional data.',
      from: 'carol',
      ...directory.call('cargo', 'safeTransferFrom', [
        address('carol'),
        address('bob'),
        9n,
        15n,
        '0xc0ffee',
      ]),
    },
    {
      id: 'erc1155-transfer-batch',
      title: 'Alice sends cargo 1 and 3 to the treasury',
      shows: 'A batch to a receiver contract, which stores each id.',
      from: 'alice',
      ...directory.call('cargo', 'safeBatchTransferFrom', [
        address('alice'),
        address('treasury'),
        [1n, 3n],
        [10n, 30n],
        '0x',
      ]),
    },
  ];
}
