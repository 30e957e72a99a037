import { grouped, utc } from './format';
import type { BalanceAssertion, TestedTransaction } from './tested-transaction';

/** The test reads its chain's URL from the environment: the URL may contain a key, which must not be in a file. */
const RPC_URL = 'vm.envString("ETH_RPC_URL")';

/** `Transaction0x1a2b3c4d`: name of the contract, and of the file without its suffix. */
export const testName = ({ hash }: Pick<TestedTransaction, 'hash'>): string =>
  `Transaction${hash.slice(0, 10)}`;

/**
 * A Foundry test that executes a transaction again at its original position and asserts the result. It needs no library.
 * @param checksummed returns an address in the checksum notation that Solidity requires for literals (EIP-55)
 */
export function foundryTest(
  transaction: TestedTransaction,
  checksummed: (address: string) => string,
): string {
  const { hash, chain, blockNumber, position, timestamp, status } = transaction;
  const name = `${testName(transaction)}Test`;
  const lines = [
    '// SPDX-License-Identifier: UNLICENSED',
    'pragma solidity ^0.8.20;',
    '',
    ...vmInterface(transaction),
    '',
    `/// Transaction ${hash}`,
    `/// of ${singleLine(chain)}: block ${grouped(blockNumber)}, position ${position}, ${utc(timestamp)} UTC. It ${status ? 'succeeded' : 'reverted'}.`,
    '/// Run it on a node that has the state of that block:',
    `///     ETH_RPC_URL=… forge test --match-contract ${name}`,
    `contract ${name} {`,
    ...indented([
      'Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));',
      `bytes32 constant TRANSACTION = ${hash};`,
      `address constant SENDER = ${checksummed(transaction.from)};`,
      ...(transaction.to === null
        ? []
        : [`address constant RECEIVER = ${checksummed(transaction.to)};`]),
      '',
      '/// Forks right before the transaction, after the earlier transactions of its block.',
      'function setUp() public {',
      ...indented([
        `vm.createSelectFork(${RPC_URL}, TRANSACTION);`,
        ...transaction.delegations.map(
          ({ authority, address }) =>
            `vm.etch(${checksummed(authority)}, hex"ef0100${address.slice(2)}"); // EIP-7702`,
        ),
        ...blobHashes(transaction),
      ]),
      '}',
      '',
      ...testFunction(transaction, checksummed),
      ...balanceFunctions(transaction),
    ]),
    '}',
    '',
  ];
  return lines.join('\n');
}

function testFunction(
  transaction: TestedTransaction,
  checksummed: (address: string) => string,
): string[] {
  const { assertions, unproved, status, gasPrice } = transaction;
  const test = status ? 'test_succeeds' : 'test_reverts';
  return [
    `function ${test}() public {`,
    ...indented([
      ...(assertions.length === 0
        ? []
        : [
            `Change[] memory changes = new Change[](${assertions.length});`,
            ...assertions.map(
              (assertion, index) => `changes[${index}] = ${changeOf(assertion, checksummed)};`,
            ),
            'int256[] memory balances = balancesOf(changes);',
            '',
          ]),
      ...(gasPrice === undefined ? [] : [`vm.txGasPrice(${gasPrice});`]),
      ...(status ? [] : [expectRevert(transaction)]),
      'vm.prank(SENDER, SENDER);',
      ...callLines(transaction),
      ...(assertions.length === 0 ? [] : ['', 'requireChanges(changes, balances);']),
      ...(unproved === 0
        ? []
        : [
            `// ${unproved} more balance changes are not asserted: the state does not confirm them.`,
          ]),
    ]),
    '}',
  ];
}

const expectRevert = ({ revertData }: TestedTransaction): string =>
  revertData.length > 2 ? `vm.expectRevert(hex"${revertData.slice(2)}");` : 'vm.expectRevert();';

/** After `expectRevert`, the result of a low-level call states whether the revert matches. */
function callLines({ to, value, gas, data, status }: TestedTransaction): string[] {
  const bytes = `hex"${data.slice(2)}"`;
  if (to === null) {
    return [
      `bytes memory code = ${bytes};`,
      'address created;',
      'assembly {',
      `    created := create(${value}, add(code, 0x20), mload(code))`,
      '}',
      ...(status ? ['require(created != address(0), "the creation failed");'] : []),
    ];
  }
  const options = [
    ...(value === 0n ? [] : [`value: ${value}`]),
    ...(gas === undefined ? [] : [`gas: ${gas}`]),
  ];
  const reason = status ? 'the call reverted' : 'the call did not revert like the original';
  return [
    `(bool ok,) = RECEIVER.call${options.length === 0 ? '' : `{${options.join(', ')}}`}(${bytes});`,
    `require(ok, "${reason}");`,
  ];
}

const KINDS = { native: 'Native', erc20: 'ERC20', erc721: 'ERC721', erc1155: 'ERC1155' } as const;

function changeOf(
  { kind, account, asset, tokenId, change, label }: BalanceAssertion,
  checksummed: (address: string) => string,
): string {
  const fields = [
    `Kind.${KINDS[kind]}`,
    checksummed(account),
    kind === 'native' ? 'address(0)' : checksummed(asset),
    tokenId ?? '0',
    String(change),
    JSON.stringify(ascii(label)),
  ];
  return `Change(${fields.join(', ')})`;
}

function balanceFunctions({ assertions }: TestedTransaction): string[] {
  if (assertions.length === 0) return [];
  return [
    '',
    'enum Kind { Native, ERC20, ERC721, ERC1155 }',
    '',
    '/// A balance and its expected change, without the fee of the transaction.',
    'struct Change {',
    ...indented([
      'Kind kind;',
      'address account;',
      'address asset;',
      'uint256 id;',
      'int256 amount;',
      'string label;',
    ]),
    '}',
    '',
    'function balanceOf(Change memory change) private view returns (uint256) {',
    ...indented([
      'if (change.kind == Kind.Native) return change.account.balance;',
      'bytes memory query = change.kind == Kind.ERC20',
      '    ? abi.encodeWithSignature("balanceOf(address)", change.account)',
      '    : change.kind == Kind.ERC721',
      '        ? abi.encodeWithSignature("ownerOf(uint256)", change.id)',
      '        : abi.encodeWithSignature("balanceOf(address,uint256)", change.account, change.id);',
      '(bool ok, bytes memory answer) = change.asset.staticcall(query);',
      '// A token that does not exist has no owner.',
      'if (!ok || answer.length < 32) return 0;',
      'if (change.kind != Kind.ERC721) return abi.decode(answer, (uint256));',
      'return abi.decode(answer, (address)) == change.account ? 1 : 0;',
    ]),
    '}',
    '',
    'function balancesOf(Change[] memory changes) private view returns (int256[] memory balances) {',
    ...indented([
      'balances = new int256[](changes.length);',
      'for (uint256 i = 0; i < changes.length; i++) balances[i] = int256(balanceOf(changes[i]));',
    ]),
    '}',
    '',
    'function requireChanges(Change[] memory changes, int256[] memory balances) private view {',
    ...indented([
      'int256[] memory nowBalances = balancesOf(changes);',
      'for (uint256 i = 0; i < changes.length; i++) {',
      '    bool asExpected = nowBalances[i] - balances[i] == changes[i].amount;',
      '    require(asExpected, string.concat("unexpected balance change: ", changes[i].label));',
      '}',
    ]),
    '}',
  ];
}

/** Declares only the cheat codes that the test uses. */
function vmInterface({
  status,
  gasPrice,
  delegations,
  blobHashes: blobs,
  revertData,
}: TestedTransaction): string[] {
  const functions = [
    'envString(string calldata name) external view returns (string memory)',
    'createSelectFork(string calldata url, bytes32 transaction) external returns (uint256)',
    'prank(address sender, address origin) external',
    ...(status
      ? []
      : [`expectRevert(${revertData.length > 2 ? 'bytes calldata data' : ''}) external`]),
    ...(gasPrice === undefined ? [] : ['txGasPrice(uint256 price) external']),
    ...(delegations.length === 0 ? [] : ['etch(address account, bytes calldata code) external']),
    ...(blobs.length === 0 ? [] : ['blobhashes(bytes32[] calldata hashes) external']),
  ];
  return ['interface Vm {', ...indented(functions.map((text) => `function ${text};`)), '}'];
}

function blobHashes({ blobHashes: hashes }: TestedTransaction): string[] {
  if (hashes.length === 0) return [];
  return [
    `bytes32[] memory hashes = new bytes32[](${hashes.length});`,
    ...hashes.map((hash, index) => `hashes[${index}] = ${hash};`),
    'vm.blobhashes(hashes); // EIP-4844',
  ];
}

const indented = (lines: readonly string[]): string[] =>
  lines.map((line) => (line === '' ? '' : `    ${line}`));

/** Names are untrusted: they must not end a comment or a literal, and must not contain characters that Solidity rejects. */
const singleLine = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?');
const ascii = (text: string): string => singleLine(text).slice(0, 80);
