import assert from 'node:assert/strict';
import { foundryTest, testName } from '../../../server/client/foundry-test';
import {
  testedTransaction,
  type TestedTransaction,
} from '../../../server/client/tested-transaction';
import type { Analysis } from '../../../server/api/views';

const ALICE = `0x${'a1'.repeat(20)}`;
const BOB = `0x${'b0'.repeat(20)}`;
const TOKEN = `0x${'70'.repeat(20)}`;
const NATIVE = `0x${'ee'.repeat(20)}`;
const HASH = `0x${'1a2b3c4d'.repeat(8)}`;

const transfer: TestedTransaction = {
  hash: HASH,
  chain: 'eth',
  blockNumber: 19_000_123,
  position: 7,
  timestamp: 1_705_144_835,
  from: ALICE,
  to: BOB,
  value: 5n,
  data: '0x',
  gas: 100_000,
  gasPrice: 7n,
  status: true,
  revertData: '',
  delegations: [],
  blobHashes: [],
  assertions: [],
  unproved: 0,
};
const written = (changes: Partial<TestedTransaction>): string =>
  foundryTest({ ...transfer, ...changes }, (address) => `sum(${address})`);

describe('the text of a Foundry test', () => {
  it('forks right before the transaction, and executes it with its sender', () => {
    const lines = written({}).split('\n');
    assert.equal(testName(transfer), 'Transaction0x1a2b3c4d');
    assert.deepEqual(lines.slice(3), [
      'interface Vm {',
      '    function envString(string calldata name) external view returns (string memory);',
      '    function createSelectFork(string calldata url, bytes32 transaction) external returns (uint256);',
      '    function prank(address sender, address origin) external;',
      '    function txGasPrice(uint256 price) external;',
      '}',
      '',
      `/// Transaction ${HASH}`,
      '/// of eth: block 19,000,123, position 7, 2024-01-13 11:20:35 UTC. It succeeded.',
      '/// Run it on a node that has the state of that block:',
      '///     ETH_RPC_URL=… forge test --match-contract Transaction0x1a2b3c4dTest',
      'contract Transaction0x1a2b3c4dTest {',
      '    Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));',
      `    bytes32 constant TRANSACTION = ${HASH};`,
      `    address constant SENDER = sum(${ALICE});`,
      `    address constant RECEIVER = sum(${BOB});`,
      '',
      '    /// Forks right before the transaction, after the earlier transactions of its block.',
      '    function setUp() public {',
      '        vm.createSelectFork(vm.envString("ETH_RPC_URL"), TRANSACTION);',
      '    }',
      '',
      '    function test_succeeds() public {',
      '        vm.txGasPrice(7);',
      '        vm.prank(SENDER, SENDER);',
      '        (bool ok,) = RECEIVER.call{value: 5, gas: 100000}(hex"");',
      '        require(ok, "the call reverted");',
      '    }',
      '}',
      '',
    ]);
  });

  it('expects the revert of a reverted transaction, with its data', () => {
    const text = written({ status: false, revertData: '0x08c379a0', gasPrice: undefined });
    assert.match(text, /function expectRevert\(bytes calldata data\) external;/);
    assert.match(text, /vm\.expectRevert\(hex"08c379a0"\);\n {8}vm\.prank\(SENDER, SENDER\);/);
    assert.match(text, /require\(ok, "the call did not revert like the original"\);/);
    assert.match(written({ status: false }), /vm\.expectRevert\(\);/);
  });

  it('repeats the creation of a contract', () => {
    const text = written({ to: null, data: '0x6001', value: 0n });
    assert.match(text, /bytes memory code = hex"6001";/);
    assert.match(text, /created := create\(0, add\(code, 0x20\), mload\(code\)\)/);
    assert.doesNotMatch(text, /RECEIVER/);
  });

  it('asserts balances, and keeps their labels from becoming code', () => {
    const asserted = { account: ALICE, asset: TOKEN, tokenId: undefined, label: 'x"); evil(\n💥' };
    const text = written({
      assertions: [{ ...asserted, kind: 'erc20', change: -100n }],
      unproved: 2,
      chain: 'eth\nevil',
    });
    assert.match(
      text,
      /changes\[0\] = Change\(Kind\.ERC20, sum\(0x(a1)+\), sum\(0x(70)+\), 0, -100, "x\\"\); evil\(\?\?\?"\);/,
    );
    assert.match(text, /\/\/\/ of eth\?evil: block/);
    assert.match(text, /2 more balance changes are not asserted/);
  });

  it('includes delegations, blob hashes and the gas price of a transaction', () => {
    const text = written({
      delegations: [{ authority: ALICE, address: TOKEN }],
      blobHashes: [HASH],
    });
    assert.match(text, /vm\.etch\(sum\(0x(a1)+\), hex"ef0100(70)+"\);/);
    assert.match(text, /hashes\[0\] = 0x(1a2b3c4d)+;\n {8}vm\.blobhashes\(hashes\);/);
  });
});

describe('the facts that an analysis supplies for a test', () => {
  const asset = { rawAmount: '100', amount: '', sign: true, value: '', isERC1155: false };
  const analysis = {
    status: true,
    transaction: {
      hash: HASH,
      chain: 'eth',
      blockNumber: 1,
      position: 0,
      timestamp: 0,
      from: ALICE,
      to: BOB,
      value: '0',
      fee: '0.000000000000000042',
      gasUsed: 21_000,
      nativeSymbol: 'ETH',
    },
    dataMap: {
      '0': { nodeType: 0, invocation: { selector: 'fallback', callData: '0x', output: '0x1234' } },
    },
    labels: { [ALICE]: 'alice' },
    gasProfile: { gasLimit: 50_000, intrinsicGas: 21_000 },
    balanceChange: [
      {
        account: ALICE,
        assets: [
          { ...asset, address: NATIVE, isERC721: false, verified: true },
          { ...asset, address: TOKEN, isERC721: false, symbol: 'TKN' },
          {
            ...asset,
            address: BOB,
            isERC721: false,
            verified: false,
            measured: { rawAmount: '99', sign: false },
          },
          { ...asset, address: TOKEN, isERC721: true, tokenId: '7', rawAmount: '1' },
        ],
      },
      {
        account: `0x${'0'.repeat(40)}`,
        assets: [{ ...asset, address: TOKEN, isERC721: true, tokenId: '7', sign: false }],
      },
    ],
  } as unknown as Analysis;

  it("assert the changes that the state proves, with the state's values", () => {
    const { assertions, unproved, gas, gasPrice, revertData } = testedTransaction(analysis);
    assert.deepEqual(
      assertions.map(({ kind, change, tokenId, label }) => [kind, change, tokenId, label]),
      [
        ['native', 100n, undefined, 'alice ETH'],
        ['erc20', -99n, undefined, `alice ${BOB}`],
        ['erc721', 1n, '7', `alice ${TOKEN}`],
      ],
    );
    assert.equal(unproved, 2);
    assert.deepEqual([gas, gasPrice, revertData], [29_000, undefined, '']);
  });

  it('assert no balance of a reverted transaction', () => {
    const { assertions, unproved, revertData } = testedTransaction({ ...analysis, status: false });
    assert.deepEqual([assertions, unproved, revertData], [[], 0, '0x1234']);
  });
});
