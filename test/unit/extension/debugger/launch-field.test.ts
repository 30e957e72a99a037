import assert from 'node:assert/strict';
import { launchFieldAt } from '../../../../extension/debugger/launch-field';

/** The field at `|`, as `name=text` with the other fields. */
function at(text: string): unknown {
  const offset = text.indexOf('|');
  const plain = text.replace('|', '');
  const field = launchFieldAt(plain, offset);
  return field && [field.name, plain.slice(field.start, field.end), field.fields];
}

describe('the field of a launch configuration at the cursor', () => {
  it('is known by its name and the fields beside it, before and after it', () => {
    const text = `{ // comment with "quotes" and {
      "version": "0.2.0",
      "configurations": [
        { "type": "node", "hash": "x" },
        { "type": "forklens", /* { */ "chain": "san|d", "stopAt": 5, "hash": "0x12", "simulate": { "from": "0x1" } },
      ],
    }`;
    const fields = { type: 'forklens', chain: 'sand', hash: '0x12' };
    assert.deepEqual(at(text), ['chain', 'sand', fields]);
  });

  it('is inside the quotes, the empty text included', () => {
    const fields = { type: 'forklens', chain: '' };
    assert.deepEqual(at('[{ "type": "forklens", "chain": "|" }]'), ['chain', '', fields]);
    assert.equal(at('[{ "type": "forklens", "ch|ain": "" }]'), undefined);
    assert.equal(at('[{ "type": "forklens", "chain": |"" }]'), undefined);
    assert.equal(at('["|"]'), undefined);
    assert.equal(at('"|"'), undefined);
  });

  it('is found while the file is being written', () => {
    const fields = { type: 'forklens', hash: '0x' };
    assert.deepEqual(at('{"configurations": [{"type": "forklens", "hash": "0x|\n'), [
      'hash',
      '0x',
      fields,
    ]);
    assert.deepEqual(at('{"type": "forklens", "hash": "0x|\n}, {"type": "other"}]'), [
      'hash',
      '0x',
      fields,
    ]);
    const escaped = { type: 'forklens', name: 'a \\" b', chain: '' };
    assert.deepEqual(at('{"type": "forklens", "name": "a \\" b", "chain": "|"'), [
      'chain',
      '',
      escaped,
    ]);
  });

  it('has the fields of an object inside of it apart', () => {
    const text = '{"type": "forklens", "simulate": {"from": "0x|1"}, "chain": "eth"}';
    assert.deepEqual(at(text), ['from', '0x1', { from: '0x1' }]);
  });

  it('is found in linear time', () => {
    // A quadratic reading would exceed the time-out of the test.
    launchFieldAt(`{"a": "${'\\"'.repeat(300_000)} /*`.repeat(3) + '/*'.repeat(300_000), 10);
  });
});
