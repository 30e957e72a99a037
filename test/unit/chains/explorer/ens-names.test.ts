import assert from 'node:assert/strict';
import { namehash } from 'ethers';
import { addressOfName } from '../../../../server/chains/explorer/ens-names';
import { RpcError } from '../../../../server/evm/forms/json-rpc';
import { account, network, word } from '../../../support/analysis';
import { ScriptedRpc } from '../../../support/scripted-rpc';

const [RESOLVER, OWNER] = [account(0x5e), account(0x0a)];
const { signal } = new AbortController();

describe('an ENS name', () => {
  interface Chain {
    code?: string;
    resolver?: string;
    address?: string | Error;
  }
  const resolve = (
    name: string,
    { code = '0x60', resolver = word(RESOLVER), address = word(OWNER) }: Chain = {},
  ) => {
    const rpc = new ScriptedRpc({
      eth_getCode: () => code,
      eth_call: ({ to, data }: { to: string; data: string }) => {
        if (data === `0x0178b8bf${namehash('vitalik.eth').slice(2)}`) return resolver;
        if (to !== RESOLVER || data !== `0x3b3b57de${namehash('vitalik.eth').slice(2)}`)
          return '0x';
        if (address instanceof Error) throw address;
        return address;
      },
    });
    return addressOfName(network(rpc), name, signal);
  };

  it('has the address that its resolver gives, in every writing of the name', async () => {
    for (const name of ['vitalik.eth', 'VITALIK.eth', 'Vitalik.ETH']) {
      assert.deepEqual(await resolve(name), { name: 'vitalik.eth', address: OWNER });
    }
  });

  const cases: [string, string, Chain, RegExp][] = [
    ['has no valid form', 'a b.eth', {}, /name .*a name such as vitalik\.eth/],
    ['has one part only', 'vitalik', {}, /a name such as vitalik\.eth/],
    ['is on a chain without a registry', 'vitalik.eth', { code: '0x' }, /has no ENS registry/],
    ['has no resolver', 'vitalik.eth', { resolver: word(0) }, /a name with a resolver/],
    [
      'has no address',
      'vitalik.eth',
      { address: word(0) },
      /whose resolver on .* gives an address/,
    ],
    [
      'is answered outside the chain',
      'vitalik.eth',
      { address: new RpcError(3, 'execution reverted: OffchainLookup') },
      /whose resolver on .* gives an address/,
    ],
  ];
  for (const [what, name, chain, message] of cases) {
    it(`is refused if it ${what}`, async () => {
      await assert.rejects(resolve(name, chain), { kind: 'invalidField', message });
    });
  }
});
