import assert from 'node:assert/strict';
import type { BalanceChange, InvocationFlow } from '../../server/api/explorer';
import { NATIVE_ASSET } from '../../server/api/native-asset';
import type { Writers } from '../../server/api/recording-writers';
import type { StateDiff } from '../../server/api/views';
import { sandboxHash } from '../support/sandbox-hashes';
import { sandboxService, type SandboxService } from '../support/shared/sandbox-service';

const STORIES = [
  'exploit-reentrancy',
  'swap-two-hops',
  'nft-transfer',
  'create-and-destroy',
  'eip7702-batch',
  'proxy-mint',
  'wrap-by-sending',
  'caught-revert',
] as const;

/** Accounts whose balance the token does not keep: that of what is minted, and the wrapped ether of the wrapper. */
const HAS_NO_SLOT: Partial<Record<string, string>> = {
  'proxy-mint': `0x${'0'.repeat(40)}`,
  'wrap-by-sending': '0xe7f1725e7734ce288f8367e1bb143e90bb3f0512',
};

describe('writers over REST', function () {
  this.timeout(60_000);
  let service: SandboxService;
  before(async () => {
    service = await sandboxService();
  });
  after(() => service.release());

  const get = async <T>(story: string, path: string): Promise<T> => {
    const base = `/v1/explorer/sandbox/transaction/${sandboxHash(story)}`;
    const { message, data } = await service.request<T>('GET', `${base}/${path}`);
    assert.equal(message, 'OK', path);
    return data;
  };
  const writersOf = (story: string, query: Record<string, string>): Promise<Writers> =>
    get(story, `recording/writers?${new URLSearchParams(query).toString()}`);
  const lasting = ({ writers }: Writers) => writers.filter(({ isUndone }) => !isUndone);

  for (const story of STORIES) {
    it(`explain each change of the state: ${story}`, async () => {
      const { stateDiff } = await get<StateDiff>(story, 'state-diff');
      for (const { address, balance, nonce, code, storage, destroyed } of stateDiff.accounts) {
        for (const { slot, before, after } of storage) {
          const found = lasting(await writersOf(story, { address, slot }));
          if (destroyed) continue;
          assert.deepEqual([found[0]?.before, found.at(-1)?.after], [before, after], slot);
        }
        if (nonce && !destroyed) {
          const found = lasting(await writersOf(story, { address, of: 'nonce' }));
          const ends = [found[0]?.before, found.at(-1)?.after].map(Number);
          assert.deepEqual(ends, [nonce.before, nonce.after], address);
        }
        if (code) {
          assert.ok(lasting(await writersOf(story, { address, of: 'code' })).length > 0, address);
        }
        if (!balance) continue;
        const found = lasting(await writersOf(story, { address, of: 'balance' }));
        const sum = found.reduce(
          (total, one) => total + BigInt(one.after ?? 0) - BigInt(one.before ?? 0),
          0n,
        );
        assert.equal(String(sum), balance.change, address);
      }
    });

    it(`name the slot of each balance of a token, and the step of each event: ${story}`, async () => {
      const { balanceChange } = await get<BalanceChange>(story, 'balance-change');
      for (const { account, assets } of balanceChange) {
        for (const { address: asset, sign, rawAmount, tokenId } of assets) {
          if (asset === NATIVE_ASSET || rawAmount === '0') continue;
          const change = `${sign ? '' : '-'}${rawAmount}`;
          const query = { address: account, asset, change, ...(tokenId && { tokenId }) };
          const found = await writersOf(story, query);
          if (HAS_NO_SLOT[story] === account) {
            const reason = `no slot of ${asset} is certain to hold the balance of ${account}`;
            assert.deepEqual([found.total, found.unavailable], [0, reason]);
            continue;
          }
          assert.equal(found.unavailable, undefined, `${account} ${asset}`);
          assert.ok(lasting(found).length > 0);
          assert.ok(found.writers.every(({ place }) => place !== undefined));
        }
      }
      const { dataMap } = await get<InvocationFlow>(story, 'invocation-flow');
      for (const node of Object.values(dataMap)) {
        if (!('event' in node)) continue;
        const { writers } = await writersOf(story, { node: String(node.event.id) });
        assert.deepEqual(
          writers.map(({ kind, nodeId, address }) => [kind, nodeId, address]),
          [['event', node.event.id, node.event.contract]],
        );
      }
    });
  }

  it('are refused with the field that is wrong', async () => {
    const base = `/v1/explorer/sandbox/transaction/${sandboxHash('nft-transfer')}/recording`;
    for (const [query, message] of [
      ['slot=0x01', /^slot is "0x01"; accepted: a slot: 0x and 64 hex digits$/],
      ['of=gas', /^of is "gas"; accepted: /],
      ['count=0', /^count is 0; accepted: .*a whole number from 1 to 1000$/],
      ['node=-1', /^node is "-1"; accepted: /],
      ['variable=1x&step=0', /^variable is "1x"; accepted: a name of Solidity$/],
      ['variable=x&step=-1', /^step is "-1"; accepted: /],
    ] as const) {
      const answer = await service.request('GET', `${base}/writers?${query}`);
      assert.match(answer.message, message);
    }
  });
});
