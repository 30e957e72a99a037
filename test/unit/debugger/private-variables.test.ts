import assert from 'node:assert/strict';
import type { StepVariables } from '../../../server/debugger/languages/solidity/variables/step-variables';
import { debug, type Debugged } from './debugged';

const TEXT = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Vault {
    uint256 private total;
    mapping(address => uint256) private balances;
    function vaultAdd(uint256 amount) internal {
        balances[address(this)] += amount;
        total += amount; // in Vault
    }
}
contract Fees {
    uint256 private total;
    uint256 internal rate = 3;
    function feesAdd(uint256 amount) internal virtual {
        total += amount * rate; // in Fees
        feesCheck(); // calls on
    }
    function feesCheck() internal virtual {}
}
contract Bank is Vault, Fees {
    uint256 private total;
    mapping(address => uint256) private balances;
    function run(uint256 amount) external {
        rate = 3;
        vaultAdd(amount);
        feesAdd(amount);
        total += amount + 1; // in Bank
        balances[address(this)] = 1;
    }
    function feesCheck() internal override {
        total += 100; // in check
    }
}
contract Heir is Bank {
    function useless() external {}
}`;

const EMPTY = new Map([0n, 1n, 2n, 3n, 4n, 5n].map((slot) => [slot, 0n] as const));

for (const [name, settings] of [
  ['without the optimizer', {}],
  ['with the optimizer', { optimizer: { enabled: true, runs: 200 } }],
] as const) {
  describe(`private variables of bases that share a name, ${name}`, () => {
    let debugged: Debugged;
    before(() => {
      const run = { call: 'function run(uint256)', values: [5], settings, storage: EMPTY };
      debugged = debug({ text: TEXT, contract: 'Heir', ...run });
    });

    const atEnd = (): StepVariables => debugged.variables.at(debugged.recording.steps - 1, 0);

    it('are listed with their contracts', () => {
      const { variables } = atEnd().list('state');
      assert.deepEqual(
        variables.map((one) => [one.name, one.expression, one.value]),
        [
          ['Vault.total', 'Vault.total', '5'],
          ['Vault.balances', 'Vault.balances', '1 known key'],
          ['Fees.total', 'Fees.total', '15'],
          ['rate', 'rate', '3'],
          ['Bank.total', 'Bank.total', '106'],
          ['Bank.balances', 'Bank.balances', '1 known key'],
        ],
      );
      const values = ['Vault.balances', 'Bank.balances'].map(
        (one) => atEnd().children(`state:${one}`).variables[0]?.value,
      );
      assert.deepEqual(values, ['5', '1']);
    });

    it('have the place in storage of their own contract', () => {
      const end = atEnd();
      const slots = ['Vault.total', 'Fees.total', 'Bank.total', 'total'].map((one) =>
        BigInt(end.evaluate(one).slot!),
      );
      assert.deepEqual(slots, [0n, 2n, 4n, 4n]);
    });

    it('are those of the contract whose code runs, in expressions', () => {
      const places = ['// in Vault', '// in Fees', '// in check', '// in Bank'];
      assert.deepEqual(
        places.map((place) => BigInt(debugged.at(place).evaluate('total').slot!)),
        [0n, 2n, 4n, 4n],
      );
      // The caller of the check is in another contract.
      const [step] = debugged.stepsAt('// in check');
      const { calls } = debugged;
      const caller = calls.calls[calls.callOf[step!]!]!.parent!;
      const place = BigInt(debugged.variables.at(step!, caller).evaluate('total').slot!);
      assert.equal(place, name === 'without the optimizer' ? 2n : place);
    });
  });
}
