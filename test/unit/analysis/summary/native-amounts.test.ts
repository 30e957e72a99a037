import assert from 'node:assert/strict';
import type { CheckedClaim } from '../../../../server/analysis/balances/claims';
import { NATIVE_ASSET } from '../../../../server/api/native-asset';
import { paying, sentence, WHO, type Name } from '../../../support/scenes';

const ETHER = 10n ** 18n;

describe('sentences of native amounts that the state contradicts', () => {
  const claim = (name: Name, amount: bigint, measured: bigint): CheckedClaim => ({
    account: WHO[name],
    asset: NATIVE_ASSET,
    standard: 'native',
    amount,
    measured,
  });
  const sent = paying('alice', 'bob', ETHER);

  it('have the measured amount', () => {
    const less = {
      checked: [claim('alice', -ETHER, -ETHER / 2n), claim('bob', ETHER, ETHER / 2n)],
    };
    assert.equal(sentence(sent, less), 'alice paid 0.5 ETH.');
    const nothing = { checked: [claim('alice', -ETHER, 0n), claim('bob', ETHER, 0n)] };
    assert.equal(sentence(sent, nothing), 'alice called bob.');
  });

  it('say of the other side what is measured of it', () => {
    const lost = { checked: [claim('alice', -ETHER, -ETHER), claim('bob', ETHER, 0n)] };
    assert.equal(sentence(sent, lost), 'alice paid 1 ETH.');
    const free = { checked: [claim('alice', -ETHER, 0n), claim('bob', ETHER, ETHER)] };
    assert.equal(sentence(sent, free), 'alice called bob.');
  });

  it('leave transfers between others', () => {
    const root = { ...sent, items: [paying('bob', 'carol', ETHER)] };
    const checked = [claim('alice', -ETHER, -ETHER), claim('vault', 0n, 5n)];
    assert.equal(sentence(root, { checked }), sentence(root));
  });
});
