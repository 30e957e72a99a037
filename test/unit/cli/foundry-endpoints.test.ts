import assert from 'node:assert/strict';
import { endpointNames } from '../../../server/cli/lock/foundry-endpoints';

describe('the names of endpoints in foundry.toml', () => {
  it('are those of the tables of all profiles', () => {
    const text = [
      '[profile.default]',
      'src = "src" # rpc of nothing',
      '',
      '[rpc_endpoints] # by network',
      '# none = "http://127.0.0.1"',
      'mainnet = "${MAINNET_RPC_URL}"',
      '"op-main" = { endpoint = "https://example.org", retries = 3 }',
      "'base' = 'https://example.org'",
      '[fmt]',
      'line_length = 100',
      '[profile.ci.rpc_endpoints]',
      'sepolia = "https://example.org"',
    ];
    assert.deepEqual(endpointNames(text.join('\n')), ['mainnet', 'op-main', 'base', 'sepolia']);
    assert.deepEqual(endpointNames('[profile.default]\nsrc = "src"\n'), []);
  });

  it('are not known for forms that only forge reads', () => {
    for (const text of [
      'rpc_endpoints = { mainnet = "https://example.org" }',
      '[rpc_endpoints.mainnet]\nendpoint = "https://example.org"',
      '[profile.default]\neth_rpc_url = "https://example.org"',
      '[profile.default]\nextends = "base.toml"',
      '[rpc_endpoints]\nmainnet = """\nhttps://example.org"""',
      '[rpc_endpoints]\na.b = "https://example.org"',
    ]) {
      assert.equal(endpointNames(text), undefined, text);
    }
  });
});
