import type { RouteId, RouteRequest } from '../api/routes';

/** Operations that take a body. */
type RouteWithBody = {
  [Id in RouteId]: RouteRequest<Id>['body'] extends Record<string, never> ? never : Id;
}[RouteId];

const WETH = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2';
const SENDER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

/** A body of each operation that takes one, for the OpenAPI document. */
export const BODY_EXAMPLES: {
  readonly [Id in RouteWithBody]: RouteRequest<Id>['body'];
} = {
  createProject: { name: 'audits' },
  renameProject: { name: 'audits of 2026' },
  createFork: { chainId: 1, height: '0x121eac0', position: 3, name: 'before the swap' },
  branchFork: {
    name: 'before the failure',
    transaction: '0x9b2f1c6e0d4a83b5572e90c1f6d8a3471be05c92df16873ab4e0c95d2f7a6183',
  },
  createSnapshot: { name: 'after the deployment' },
  addCollaborator: { email: 'bob@example.org' },
  removeCollaborator: { email: 'bob@example.org' },
  putAbi: {
    contractName: 'Vault',
    abi: [
      {
        type: 'function',
        name: 'deposit',
        inputs: [{ name: 'amount', type: 'uint256' }],
        outputs: [],
        stateMutability: 'nonpayable',
      },
    ],
  },
  addArtifactFolders: { folders: ['/home/bob/vault/out'] },
  putLabel: { address: SENDER, name: 'bob', chain: 'eth' },
  deleteLabel: { address: SENDER, chain: 'eth' },
  simulate: {
    from: SENDER,
    to: WETH,
    value: '1000000000000000000',
    data: '0xd0e30db0',
    height: 'latest',
    stateOverrides: { [SENDER]: { balance: '2000000000000000000' } },
    blockOverrides: { time: 1_800_000_000 },
  },
};
