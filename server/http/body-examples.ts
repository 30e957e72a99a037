import type { RouteId, RouteRequest } from '../api/routes';

/** Operations with a body. */
type RouteWithBody = {
  [Id in RouteId]: RouteRequest<Id>['body'] extends Record<string, never> ? never : Id;
}[RouteId];

/** Accounts of the built-in chain. */
const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const BOB = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';

/**
 * For the OpenAPI document: an example body for each operation with a body. The examples refer to the built-in chain, so that they can be
 * sent unchanged.
 */
export const BODY_EXAMPLES: {
  readonly [Id in RouteWithBody]: RouteRequest<Id>['body'];
} = {
  createProject: { name: 'audits' },
  renameProject: { name: 'audits of 2026' },
  createFork: { chainId: 31337, height: '0x8', position: 1, name: 'after the swap' },
  branchFork: {
    name: 'before the failure',
    transaction: '0x9b2f1c6e0d4a83b5572e90c1f6d8a3471be05c92df16873ab4e0c95d2f7a6183',
  },
  createSnapshot: { name: 'after the deployment' },
  addCollaborator: { email: 'bob@example.org' },
  changeCollaboratorRole: { email: 'bob@example.org', role: 'viewer' },
  removeCollaborator: { email: 'bob@example.org' },
  createKey: { name: 'nightly tests', scopes: ['analyze'], expiresInDays: 90 },
  rotateKey: { overlapSeconds: 3_600 },
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
  putLabel: { address: BOB, name: 'bob', chain: 'sandbox' },
  deleteLabel: { address: BOB, chain: 'sandbox' },
  simulate: {
    from: ALICE,
    to: BOB,
    value: '1000000000000000000',
    height: 'latest',
    stateOverrides: { [ALICE]: { balance: '2000000000000000000' } },
    blockOverrides: { baseFeePerGas: 1_000_000_000 },
  },
  decodeData: {
    data: `0xa9059cbb${BOB.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}`,
  },
  findActivity: { watches: [{ kind: 'address', address: BOB }] },
  findTouching: { from: 5, last: 10 },
  regress: {
    newCode: { name: 'Vault', code: '0x00', abi: [] },
    transactions: ['0x9b2f1c6e0d4a83b5572e90c1f6d8a3471be05c92df16873ab4e0c95d2f7a6183'],
  },
  reorder: {
    block: 8,
    changes: [
      { kind: 'drop', position: 3 },
      { kind: 'move', position: 1, before: 0 },
    ],
  },
  checkUpgrade: { newCode: { name: 'GoldV3', code: '0x00', abi: [] } },
  bisect: { expression: `${BOB}.balance`, from: 5, to: 6 },
  getSimulationSourceLocations: { from: ALICE, to: BOB, value: '1000000000000000000' },
  recordSimulation: { from: ALICE, to: BOB, value: '1000000000000000000' },
  recordTest: { file: '/tmp/vault-test.json', test: 'VaultTest.test_withdraw' },
  evaluateInRecording: { expression: 'balanceOf[msg.sender] + 1' },
  writeCase: {
    file: '/home/me/question.forklens',
    analyses: [
      { chain: 'sandbox', simulation: { from: ALICE, to: BOB, value: '1', height: '0x8' } },
    ],
  },
  createCase: { file: '/home/me/exploit.forklens', prove: true },
  openCase: { file: '/home/me/exploit.forklens' },
  verifyCase: { file: '/home/me/exploit.forklens' },
  findInRecording: {
    from: 0,
    direction: 'forwards',
    mode: 'continue',
    lines: [{ id: 1, file: 'Vault.sol', line: 20 }],
    failures: 'uncaught',
  },
};
