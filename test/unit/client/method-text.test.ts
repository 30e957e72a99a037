import assert from 'node:assert/strict';
import { methodText } from '../../../server/client/method-text';

describe('the method of a listed transaction', () => {
  it('is marked where only its selector matches the name', () => {
    const selector = '0xa9059cbb';
    assert.equal(methodText({ method: 'transfer', selector }), 'transfer');
    assert.equal(methodText({ method: 'mint', selector, isGuessed: true }), 'mint?');
    assert.equal(methodText({ method: '', selector }), selector);
    assert.equal(methodText({ method: '', selector: '' }), '');
  });
});
