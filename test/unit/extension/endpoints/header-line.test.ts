import assert from 'node:assert/strict';
import { withHeaderLine } from '../../../../extension/endpoints/header-line';

describe('a header of an endpoint', () => {
  it('is a name, a colon and a value', () => {
    assert.deepEqual(withHeaderLine({}, 'Authorization: Bearer a:b'), {
      Authorization: 'Bearer a:b',
    });
    assert.deepEqual(withHeaderLine({}, '  x-api-key:secret '), { 'x-api-key': 'secret' });
  });

  it('is added to others, and replaces one of its name', () => {
    const headers = { 'x-api-key': 'one' };
    assert.deepEqual(withHeaderLine(headers, 'Accept: text/plain'), {
      'x-api-key': 'one',
      Accept: 'text/plain',
    });
    assert.deepEqual(withHeaderLine(headers, 'X-Api-Key: two'), { 'X-Api-Key': 'two' });
    assert.deepEqual(withHeaderLine(headers, ' '), {});
  });

  it('is refused if an endpoint may not have it', () => {
    const many = Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`x-${i}`, 'value']));
    for (const line of ['Bearer abc', 'Authorization:', ': x', 'a b: c', 'Host: other', 'x: ä']) {
      assert.equal(withHeaderLine({}, line), undefined, line);
    }
    assert.equal(withHeaderLine(many, 'x-17: value'), undefined);
  });
});
