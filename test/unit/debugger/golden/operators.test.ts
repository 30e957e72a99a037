import assert from 'node:assert/strict';
import { debug, golden } from './golden';
import type { Scene } from './stage';

const optimizer = { enabled: true, runs: 200 };
const scene: Scene = {
  file: 'Operators.sol',
  deploy: { operators: ['Operators'] },
  transaction: { to: 'operators', call: 'run()' },
};

describe('golden scripts of the operators of user-defined value types', () => {
  for (const settings of [{}, { optimizer }, { viaIR: true }, { viaIR: true, optimizer }]) {
    golden(`run as their functions: ${JSON.stringify(settings)}`, { ...scene, settings }, [
      {
        instructions: 1,
        values: {
          'a < b': 'false',
          'b < a': 'true',
          'a > b': 'true',
          'a == b': 'false',
          'a == Fix.wrap(1509)': 'true',
          '-b': '2252',
          'a + b': '-651',
          'a - b': '3751',
          // Below the least value: the function wraps.
          'least - a': '170141183460469231731687303715884104228',
          // The second of four rounds does not count.
          'a * Fix.wrap(4)': '4500',
          'b * Fix.wrap(2)': '0',
          'a / Fix.wrap(2)': '750000',
          'a / Fix.wrap(0)': 'unavailable, because div reverts',
          'least + b':
            'unavailable, because add is not evaluated: the result -170141183460469231731687303715884107979 is outside of int128 (at character 24 of the expression)',
          'a < b ? 1 : 2': '2',
          'mask & Mask.wrap(0x0fffffff)': '0x0f00ff00',
          '~mask': '0x00ff00ff',
          'mask == mask':
            'unavailable, because same is not evaluated: it has a statement of the kind InlineAssembly',
          'Bare.unwrap(low) < Bare.unwrap(high)': 'true',
        },
      },
    ]);
  }

  golden('conditions use them', scene, [
    { continue: { line: 'Operators.sol:81', condition: 'a < b' }, values: { a: '-2802' } },
  ]);

  for (const [expression, reason] of [
    ['a != b', '"!=" is not defined for Fix'],
    ['a <= b', '"<=" is not defined for Fix'],
    ['a % b', '"%" is not defined for Fix'],
    ['~a', '"~" is not defined for Fix'],
    ['low < high', '"<" is not defined for Bare'],
    ['low == high', '"==" is not defined for Bare'],
    ['mask < mask', '"<" is not defined for Mask'],
    ['mask << 2', '"<<" is not defined for Mask'],
    ['a + 5', 'the number 5 is not of type Fix'],
    ['a + low', 'a value of Bare is not of type Fix'],
    ['a < low', 'a value of Bare is not of type Fix'],
  ] as const) {
    it(`are refused: ${expression}`, async () => {
      const session = await debug(scene);
      await assert.rejects(session.evaluate(session.recording.entry, { expression }), (error) => {
        assert.ok(error instanceof Error);
        assert.ok(error.message.includes(reason), error.message);
        return true;
      });
    });
  }
});
