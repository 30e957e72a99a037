import assert from 'node:assert/strict';
import { redactedData, redactorOf } from '../../../../server/chains/upstream/redact';

describe('redactorOf', () => {
  const cases: [string, string, string][] = [
    ['https://x.io/v2/abcdef123456', 'key abcdef123456 is over', 'key <key> is over'],
    ['https://x.io/v2/abcdef123456', 'see https://x.io/v2/abcdef123456.', 'see <endpoint>'],
    ['https://x.io/rpc?apikey=s3cr3t-key', 'apikey=s3cr3t-key', 'apikey=<key>'],
    ['https://x.io/rpc?apikey=a%20b%20c%20d', 'a b c d, a%20b%20c%20d', '<key>, <key>'],
    ['https://ada:pw@x.io/', 'user ada, pw', 'user <key>, <key>'],
    ['https://ada:pw@x.io/', `Basic ${btoa('ada:pw')}`, 'Basic <key>'],
    ['https://abcdef0123456789.x.io/', 'host abcdef0123456789.x.io', 'host <key>.x.io'],
    ['https://x.io/v1/mainnet', 'mainnet has no v1', 'mainnet has no v1'],
  ];
  for (const [url, text, expected] of cases) {
    it(`${url}: ${text}`, () => {
      assert.equal(redactorOf(new URL(url))(text), expected);
    });
  }

  it('does not change bytes, and redacts all other data', () => {
    const redact = redactorOf(new URL('https://x.io/abcdef'));
    assert.equal(redactedData('0x00abcdef', redact), '0x00abcdef');
    assert.deepEqual(redactedData({ a: ['key abcdef', 1, null, '0xabcdef'] }, redact), {
      a: ['key <key>', 1, null, '0xabcdef'],
    });
  });
});
