import assert from 'node:assert/strict';
import type { Fork } from '../../server/api/fork';
import type { Analysis, FundFlow, StateDiff } from '../../server/api/views';
import { call } from '../support/json-rpc';
import { eventually } from '../support/eventually';
import { nativeMoves, stateMoves } from '../support/native-moves';
import { sandboxHash, sandboxTransactions } from '../support/sandbox-hashes';
import { createFork } from '../support/service';
import { sandboxService, type SandboxService } from '../support/shared/sandbox-service';

const NATIVE = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const BOB = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';
const CAROL = '0x90f79bf6eb2c4f870365e785982e1f101e93b906';
const HBR = '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0';

describe('views of a transaction', () => {
  let service: SandboxService;
  let fork: Fork;
  before(async () => {
    service = await sandboxService();
    fork = await createFork(service, { chainId: 31337, height: '0xd' });
  });
  after(() => service.release());

  const view = async <T>(id: string, name: string): Promise<T> => {
    const path = `/v1/explorer/sandbox/transaction/${sandboxHash(id)}/${name}`;
    const { data, message } = await service.request<T>('GET', path);
    assert.equal(message, 'OK');
    return data;
  };
  const rpc = <T>(method: string, ...params: unknown[]): Promise<T> =>
    call<T>(fork.rpc, method, ...params);

  /** Each transfer as `order node frame: from > to amount asset`, with labels. */
  const lines = ({ fundFlow, labels }: FundFlow): string[] =>
    fundFlow.map((one) => {
      const [from, to, asset] = [one.from, one.to, one.asset].map((key) => labels[key] ?? key);
      const unit = one.asset === NATIVE ? 'ETH' : (asset ?? '');
      const id = one.tokenId === undefined ? '' : ` #${one.tokenId}`;
      return `${one.order} ${one.nodeId} ${one.frameId}: ${from ?? ''} > ${to ?? ''} ${one.amount || one.rawAmount} ${unit}${id}`;
    });

  it('show the transfers of a swap over two pools with their values', async () => {
    const flow = await view<FundFlow>('swap-two-hops', 'fund-flow');
    assert.deepEqual(lines(flow), [
      '0 2 1: alice > HBR/hUSD pool 1000 HBR',
      '1 6 5: HBR/hUSD pool > hUSD/WETH pool 1990.031876 hUSD',
      '2 14 13: hUSD/WETH pool > alice 0.493567275176201372 WETH',
    ]);
    // HBR is $2, hUSD $1; ether is $4,100.25 at the end of the block.
    assert.deepEqual(
      flow.fundFlow.map(({ value }) => value),
      ['2000', '1990.031876', '2023.749220041219675543'],
    );
  });

  it('show a flash loan from the lending to the profit', async () => {
    assert.deepEqual(lines(await view('flash-loan', 'fund-flow')), [
      '0 4 3: Flash lender > Arbitrageur 2000 hUSD',
      '1 7 6: Arbitrageur > HBR/hUSD pool 2000 hUSD',
      '2 11 10: HBR/hUSD pool > HBR/hUSD side pool 999.387879218314452973 HBR',
      '3 19 18: HBR/hUSD side pool > Arbitrageur 2071.775445 hUSD',
      '4 25 24: Arbitrageur > Flash lender 2001.8 hUSD', // 0.09 %
      '5 30 29: Arbitrageur > carol 69.975445 hUSD',
    ]);
  });

  it('show the six withdrawals of a reentrancy', async () => {
    assert.deepEqual(lines(await view('exploit-reentrancy', 'fund-flow')), [
      "0 0 0: mallory > Mallory's thief 2 ETH",
      "1 1 1: Mallory's thief > Ether vault 2 ETH",
      ...[4, 6, 8, 10, 12, 14].map(
        (node, index) => `${index + 2} ${node} ${node}: Ether vault > Mallory's thief 2 ETH`,
      ),
      "8 21 21: Mallory's thief > mallory 12 ETH",
    ]);
  });

  it('show collectibles by their ids, and no rolled-back transfers', async () => {
    assert.deepEqual(lines(await view('nft-safe-transfer', 'fund-flow')), [
      '0 1 0: bob > Treasury 1 Lighthouses #1',
    ]);
    assert.deepEqual(lines(await view('erc1155-transfer-batch', 'fund-flow')), [
      '0 1 0: alice > Treasury 10 Cargo #1',
      '1 1 0: alice > Treasury 30 Cargo #3',
    ]);
    assert.deepEqual(await view<FundFlow>('flash-loan-no-profit', 'fund-flow'), {
      ...(await view<FundFlow>('flash-loan-no-profit', 'fund-flow')),
      status: false,
      fundFlow: [],
    });
  });

  it('show the state changes of an EIP-7702 delegation', async () => {
    const { stateDiff } = await view<StateDiff>('eip7702-batch', 'state-diff');
    assert.deepEqual(stateDiff.fee, {
      payer: CAROL,
      paid: '107995395742608',
      recipient: '0x0000000000000000000000000000000000000000',
      received: '84698000000000',
    });
    const { storage, ...carol } = stateDiff.accounts.find(({ address }) => address === CAROL)!;
    assert.deepEqual(storage, []);
    assert.deepEqual(carol, {
      address: CAROL,
      created: false,
      destroyed: false,
      balance: {
        before: '9994438420564694577886',
        after: '9994418312569298835278',
        change: '-20000000000000000', // the tip
        fee: '-107995395742608',
      },
      nonce: { before: 15, after: 17 }, // the transaction's and the authorization's
      code: { before: '0x', after: '0xef010084ea74d481ee0a5332c457a4d796187f6ba67feb' },
    });
    const hbr = stateDiff.accounts.find(({ address }) => address === HBR)!;
    const moved = hbr.storage.map(({ variables: [variable] = [] }) => [
      variable?.name,
      BigInt(variable!.after) - BigInt(variable!.before),
    ]);
    assert.deepEqual(moved, [
      [`balanceOf[${ALICE}]`, 5n * 10n ** 18n],
      [`balanceOf[${CAROL}]`, -(5n * 10n ** 18n)],
    ]);
  });

  it('show the remains of a self-destruction: code since Cancun, nothing of a contract created in the same transaction', async () => {
    const opened = await view<StateDiff>('self-destruct', 'state-diff');
    const capsule = opened.stateDiff.accounts.find(({ balance }) => balance?.after === '0');
    assert.deepEqual(capsule?.balance, {
      before: '1000000000000000000',
      after: '0',
      change: '-1000000000000000000',
      fee: '0',
    });
    assert.deepEqual([capsule.destroyed, capsule.code], [false, undefined]);
    const gone = await view<StateDiff>('create-and-destroy', 'state-diff');
    assert.equal(gone.stateDiff.accounts.length, 3, 'fee recipient, factory and Alice');
  });

  it('are consistent with each other for every transaction of the story', async () => {
    for (const id of Object.keys(sandboxTransactions)) {
      // A proof that exceeds its time on a busy machine leaves the balances unchecked.
      const analysis = await eventually(async () => {
        const answer = await view<Analysis>(id, 'analysis');
        assert.notEqual(answer.verification?.native, 'unchecked', id);
        return answer;
      });
      assert.deepEqual(analysis.failures, [], id);
      assert.deepEqual(stateMoves(analysis), nativeMoves(analysis.balanceChange!), id);
      assert.equal(analysis.verification?.native, 'verified', id);
      const { frames, executionGas, contracts } = analysis.gasProfile!;
      const sum = (of: readonly { selfGas: number | null }[]): number =>
        of.reduce((total, { selfGas }) => total + selfGas!, 0);
      assert.deepEqual([sum(frames), sum(contracts)], [executionGas, executionGas], id);
      const { gasUsed, intrinsicGas, refund, floorGas } = analysis.gasProfile!;
      assert.equal(gasUsed, intrinsicGas! + executionGas! - refund! + floorGas!, id);
    }
  });

  it('work on a fork', async () => {
    const transfer = { from: ALICE, to: BOB, value: '0xde0b6b3a7640000' };
    const hash = await rpc<string>('eth_sendTransaction', transfer);
    const path = `/v1/explorer/${fork.forkId}/transaction/${hash}`;
    const { data } = await service.request<Analysis>('GET', `${path}/analysis`);
    assert.deepEqual(data.failures, []);
    assert.deepEqual(nativeMoves(data.balanceChange!), [
      [BOB, '1000000000000000000'],
      [ALICE, '-1000000000000000000'],
    ]);
    assert.deepEqual(stateMoves(data), nativeMoves(data.balanceChange!));
    assert.equal(data.gasProfile?.intrinsicGas, 21_000);
  });
});
