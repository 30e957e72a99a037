import assert from 'node:assert/strict';
import type { Debugger } from '../../../support/golden/debugger';
import { SEARCH } from '../../../support/golden/debugger';
import { debug } from './golden';

const word = (digits: string): string => `0x${digits.padStart(64, '0')}`;
const alice = `0x${'a1'.repeat(20)}`;

for (const [name, settings] of [
  ['without the optimizer', {}],
  ['with the optimizer', { optimizer: { enabled: true, runs: 200 } }],
  ['via IR', { viaIR: true }],
] as const) {
  describe(`transient storage of code compiled ${name}`, () => {
    let session: Debugger;
    before(async () => {
      session = await debug({
        file: 'Transient.sol',
        settings,
        deploy: { scratch: ['Scratch'] },
        transaction: { to: 'scratch', call: 'run()' },
      });
    });

    const at = async (step: number): Promise<string[]> => {
      const { variables } = await session.variables(step, { scope: 'transient' });
      return variables.map((one) => `${one.name} = ${one.value}${one.changed ? ' *' : ''}`);
    };

    it('has the variables by name and the other slots', async () => {
      assert.deepEqual(await at(session.recording.entry), [
        'Base.count = 0',
        'locked = false',
        'Scratch.count = 0',
        `user = 0x${'0'.repeat(40)}`,
        `${word('99')} = ${word('0')}`,
      ]);
      assert.deepEqual(await at(session.recording.steps - 1), [
        'Base.count = 2 *',
        'locked = false',
        'Scratch.count = 7 *',
        `user = ${alice} *`,
        `${word('99')} = ${word('2a')} *`,
      ]);
    });

    it('has the values of the step', async () => {
      const lines = [{ id: 1, file: 'Transient.sol', line: 80 }];
      const { step } = await session.find({ ...SEARCH, mode: 'continue', lines });
      const [base, locked, count, user] = await at(step);
      assert.deepEqual(
        [base, locked, count, user],
        [
          'Base.count = 2 *',
          'locked = true *',
          'Scratch.count = 7 *',
          `user = 0x${'0'.repeat(40)}`,
        ],
      );
      const one = await session.evaluate(step, { expression: 'Base.count + count' });
      assert.equal(one.value, '9');
    });
  });
}
