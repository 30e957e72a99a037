import assert from 'node:assert/strict';
import type { Compilation } from '../../../../server/contracts/sources/compilation';
import { CompiledContract } from '../../../../server/contracts/sources/compiled-contract';
import { immutableValue, namedImmutables } from '../../../../server/contracts/sources/immutables';
import {
  compileSource,
  deployedCode,
  SHOP,
  type CompiledSource,
} from '../../../support/compiled-source';

const open = ({ name, sources, sourceIds, evm }: CompiledSource): Promise<CompiledContract> => {
  const compilation: Compilation = {
    origin: 'sourcify',
    contractName: name,
    language: 'Solidity',
    compilerVersion: '',
    settings: {},
    deployed: evm.deployedBytecode,
    creation: evm.bytecode,
    files: Object.entries(sources).map(([file, { content }]) => ({
      name: file,
      id: sourceIds[file]?.id,
      content,
    })),
    immutableReferences: evm.deployedBytecode.immutableReferences,
  };
  return CompiledContract.open(compilation);
};

const DECLARED = `pragma solidity ^0.8.20;
interface Token {}
library Kinds { type Id is uint96; }
contract Many {
    // address immutable decoy;
    Token public immutable token = Token(address(1));
    address payable immutable internal wallet;
    bytes32 private immutable domain = keccak256("x");
    Kinds.Id immutable kind;
    bool constant flag = true;
    constructor() { wallet = payable(msg.sender); kind = Kinds.Id.wrap(7); }
    function all() external view returns (address, bytes32, Kinds.Id) {
        return (wallet, domain, kind);
    }
}
`;

describe('immutables', () => {
  const settings = {
    'without optimizer': {},
    'with optimizer': { optimizer: { enabled: true, runs: 200 } },
    'through Yul': { viaIR: true },
    'through Yul, with optimizer': { viaIR: true, optimizer: { enabled: true, runs: 200 } },
  };
  for (const [how, setting] of Object.entries(settings)) {
    it(`are named by the source map, inherited ones as well, ${how}`, async () => {
      const shop = await open(compileSource('Shop', SHOP, setting));
      assert.deepEqual(
        namedImmutables(shop).map(({ name, type }) => [name, type]),
        [
          ['owner', 'address'],
          ['price', 'uint256'],
        ],
      );
      const many = await open(compileSource('Many', { 'Many.sol': DECLARED }, setting));
      assert.deepEqual(
        namedImmutables(many)
          .map(({ name, type }) => `${type} ${name}`)
          .sort(),
        ['Kinds.Id kind', 'Token token', 'address payable wallet', 'bytes32 domain'],
      );
    });
  }

  it('have no names where the sources have the word too often', async () => {
    const many = `${DECLARED}\n/* ${'immutable ((( '.repeat(20_000)} */`;
    const contract = await open(compileSource('Many', { 'Many.sol': many }, {}));
    const start = process.cpuUsage();
    assert.deepEqual(
      namedImmutables(contract).map(({ name }) => name),
      ['', '', '', ''],
    );
    const { user } = process.cpuUsage(start);
    assert.ok(user < 1_500_000, `${user} µs`);
  });

  it('have the value that is in the code', async () => {
    const shop = compileSource('Shop', SHOP);
    const [owner] = namedImmutables(await open(shop));
    assert.equal(immutableValue(owner!, deployedCode(shop, 'cd')), `0x${'cd'.repeat(32)}`);
    assert.equal(immutableValue(owner!, '0x6001'), undefined);
  });

  it('have no name without a map', async () => {
    const shop = compileSource('Shop', SHOP);
    shop.evm.deployedBytecode.sourceMap = 'none';
    assert.deepEqual(
      namedImmutables(await open(shop)).map(({ name, type }) => [name, type]),
      [
        ['', ''],
        ['', ''],
      ],
    );
  });
});
