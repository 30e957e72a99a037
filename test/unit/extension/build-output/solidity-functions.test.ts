import assert from 'node:assert/strict';
import {
  declaredContracts,
  externalFunctions,
} from '../../../../extension/build-output/solidity-functions';

const names = (source: string): string[] =>
  externalFunctions(source).map(({ contract, name }) => `${contract}.${name}`);

describe('the functions of a Solidity source', () => {
  it('are those that are public or external and have a body, with their contract', () => {
    const source = `
      pragma solidity ^0.8.20;
      function free(uint256 a) pure returns (uint256) { return a; }
      interface IVault { function deposit(uint256 amount) external payable returns (uint256 shares); }
      abstract contract Base {
        constructor() {}
        function hidden() internal virtual {}
        function _x() private {}
        function open() external virtual returns (uint256);
      }
      contract Vault is Base, IVault {
        struct Deposit { uint256 amount; }
        modifier once() { require(true, "{"); _; }
        constructor(address owner) { }
        function deposit(uint256 amount) external payable override once returns (uint256) {
          if (amount > 0) { amount = 1; }
          return amount;
        }
        function run(
          function(uint256) external callback,
          bytes calldata data
        )
          public
          onlyRole(ADMIN, keccak256("x"))
        {}
        function inner() internal {}
        receive() external payable {}
        fallback() external {}
      }
      library Lib { function helper() external {} }
    `;
    assert.deepEqual(names(source), ['Vault.constructor', 'Vault.deposit', 'Vault.run']);
  });

  it('are not found in comments and strings', () => {
    const source = `contract A {
      // function one() external {}
      /* } function two() external {} */
      string s = "} contract B { function three() external {} ";
      string t = 'it\\'s } ';
      function four() external {}
    }`;
    assert.deepEqual(names(source), ['A.four']);
  });

  it('have the offset of their keyword', () => {
    const source = '/* é */ contract A {\n  function pay() external payable {}\n}';
    const [found] = externalFunctions(source);
    assert.equal(source.slice(found!.offset, found!.offset + 12), 'function pay');
  });

  it('are none in invalid or incomplete Solidity', () => {
    assert.deepEqual(names('}}}} contract A {'), []);
    assert.deepEqual(names('contract A { function'), []);
    assert.deepEqual(names(''), []);
  });

  it('are found quickly in a long source', () => {
    const one = 'function f(uint256 a) external returns (uint256) { return a; }\n';
    assert.equal(names(`contract A {\n${one.repeat(5_000)}}`).length, 5_000);
  });
});

describe('the contracts of a Solidity source', () => {
  it('are its contracts and libraries with their kind, without interfaces', () => {
    const source = `
      interface IVault { }
      abstract contract Base { }
      contract Vault is Base, IVault { }
      library Lib { }
      // contract Gone { }
    `;
    const found = declaredContracts(source);
    assert.deepEqual(
      found.map(({ contract, kind }) => [contract, kind]),
      [
        ['Base', 'abstract'],
        ['Vault', 'contract'],
        ['Lib', 'library'],
      ],
    );
    assert.deepEqual(
      found.map(({ offset }) => source.slice(offset, offset + 8)),
      ['contract', 'contract', 'library '],
    );
  });
});
