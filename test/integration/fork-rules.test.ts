import assert from 'node:assert/strict';
import { JsonRpcProvider } from 'ethers';
import type { Fork } from '../../server/api/fork';
import type { Hardfork } from '../../server/api/config';
import type { RpcReceipt, RpcTransaction } from '../../server/evm/forms/types';
import { toQuantity } from '../../server/evm/forms/quantity';
import { call, refusal, reply } from '../support/json-rpc';
import { createFork, startService, type TestService } from '../support/service';
import { ALICE, BOB, ethChain, TestChain, testEngines, type TestEngines } from './fork-upstream';

/** Chains of the test: slug, chain id and rules. */
const CHAINS = [
  ['osaka', 1, 'osaka'],
  ['prague', 1, 'prague'],
  ['polygon', 137, 'osaka'],
  ['berlin', 1, 'berlin'],
  ['homestead', 1, 'homestead'],
] as const satisfies [string, number, Hardfork][];

describe('the rules of a fork for transactions', () => {
  let engines: TestEngines;
  let service: TestService;
  const forks = new Map<string, Fork>();
  const rpcOf = (slug: string): string => forks.get(slug)!.rpc;

  before(async function () {
    this.timeout(60_000);
    engines = await testEngines();
    const chains = [];
    for (const [slug, chainId, hardfork] of CHAINS) {
      const chain = await TestChain.start(engines.start, chainId, hardfork);
      await chain.mine();
      chains.push(ethChain(chain.engine.url, { slug, chainId, hardfork }));
    }
    service = await startService({ counted: true, config: { chains, prices: { source: 'none' } } });
    for (const [slug, chainId] of CHAINS) {
      forks.set(slug, await createFork(service, { chain: slug, chainId }));
    }
  });
  after(async () => {
    await service.stop();
    await engines.close();
  });

  const transfer = (fields: object = {}): object => ({
    from: ALICE.address,
    to: BOB.address,
    value: '0x1',
    ...fields,
  });

  describe('limit the gas of a transaction since Osaka (EIP-7825)', () => {
    for (const [slug, most] of [
      ['osaka', 2 ** 24],
      ['polygon', 2 ** 25],
    ] as const) {
      const [allowed, tooMuch] = [toQuantity(most), toQuantity(most + 1)];
      const reason = `gas is ${most + 1}, a transaction may have up to ${most} (EIP-7825)`;

      it(`to ${most} on ${slug}, whether it is sent alone, in a bundle, or signed`, async () => {
        const rpc = rpcOf(slug);
        await call(rpc, 'anvil_setBlockGasLimit', toQuantity(45_000_000));
        await call(rpc, 'eth_sendTransaction', transfer({ gas: allowed }));
        const alone = await refusal(rpc, 'eth_sendTransaction', transfer({ gas: tooMuch }));
        assert.deepEqual(
          [alone.code, alone.message],
          [-32003, `transaction gas limit too high: ${reason}`],
        );
        const bundle = [transfer({ gas: '0x5208' }), transfer({ gas: tooMuch })];
        const second = await refusal(rpc, 'eth_sendTransactions', bundle);
        assert.match(second.message, /^transaction 1 .*transaction gas limit too high/);
        const raw = await BOB.signTransaction({
          chainId: Number(await call(rpc, 'eth_chainId')),
          nonce: 0,
          to: ALICE.address,
          gasLimit: most + 1,
          maxFeePerGas: 10n ** 11n,
          type: 2,
        });
        const signed = await refusal(rpc, 'eth_sendRawTransaction', raw);
        assert.equal(signed.message, `transaction gas limit too high: ${reason}`);
        assert.equal(await call(rpc, 'eth_getTransactionCount', BOB.address, 'latest'), '0x0');
      });

      it(`to ${most} in eth_simulateV1 on ${slug} if it validates`, async () => {
        const rpc = rpcOf(slug);
        const simulate = (gas: string | undefined, validation: boolean) =>
          reply(
            rpc,
            'eth_simulateV1',
            {
              validation,
              blockStateCalls: [
                {
                  blockOverrides: { baseFeePerGas: '0x0', gasLimit: toQuantity(45_000_000) },
                  calls: [transfer(gas === undefined ? {} : { gas })],
                },
              ],
            },
            'latest',
          );
        const refused = await simulate(tooMuch, true);
        assert.equal(refused.error?.code, -32003);
        assert.match(refused.error.message, /^transaction gas limit too high: .*EIP-7825/);
        for (const gas of [allowed, undefined]) {
          assert.equal((await simulate(gas, true)).error, undefined, gas);
        }
        assert.equal((await simulate(tooMuch, false)).error, undefined);
      });
    }

    it('but not before Osaka', async () => {
      const gas = toQuantity(2 ** 24 + 1);
      await call(rpcOf('prague'), 'eth_sendTransaction', transfer({ gas }));
    });
  });

  for (const slug of ['berlin', 'homestead']) {
    describe(`fill in the gas price on ${slug}, before EIP-1559`, () => {
      const priceOf = async (hash: string): Promise<[string | undefined, string | undefined]> => {
        const { type, gasPrice } = await call<RpcTransaction>(
          ...([rpcOf(slug), 'eth_getTransactionByHash', hash] as const),
        );
        const { status } = await call<RpcReceipt>(
          ...([rpcOf(slug), 'eth_getTransactionReceipt', hash] as const),
        );
        // There is no status before Byzantium.
        assert.notEqual(status, '0x0');
        return [type, gasPrice];
      };

      it('of a transaction without fees, alone or in a bundle', async () => {
        const rpc = rpcOf(slug);
        const price = await call(rpc, 'eth_gasPrice');
        assert.equal(await call(rpc, 'eth_estimateGas', transfer()), '0x5208');
        assert.equal(await call(rpc, 'eth_call', transfer(), 'pending'), '0x');
        const hashes = [
          await call(rpc, 'eth_sendTransaction', transfer()),
          ...(await call<string[]>(rpc, 'eth_sendTransactions', [
            transfer({ gas: '0x5208' }),
            transfer({ data: '0x01', gas: '0x7530' }),
          ])),
        ];
        for (const hash of hashes) assert.deepEqual(await priceOf(hash), ['0x0', price]);
      });

      it('of a transaction that a signer of ethers sends or a node fills in', async () => {
        const rpc = rpcOf(slug);
        const provider = new JsonRpcProvider(rpc, undefined, { polling: true });
        const signer = await provider.getSigner(ALICE.address).catch(() => undefined);
        const sent = await (signer ?? (await provider.getSigner(0))).sendTransaction({
          to: BOB.address,
          value: 1n,
        });
        assert.equal((await priceOf(sent.hash))[0], '0x0');
        provider.destroy();
        const { tx } = await call<{ tx: Record<string, unknown> }>(
          ...([rpc, 'eth_fillTransaction', transfer()] as const),
        );
        assert.deepEqual([tx['type'], tx['gasPrice']], ['0x0', await call(rpc, 'eth_gasPrice')]);
      });

      it('and refuse the fees of EIP-1559 by name', async () => {
        for (const name of ['maxFeePerGas', 'maxPriorityFeePerGas']) {
          const { code, message } = await refusal(
            ...([rpcOf(slug), 'eth_sendTransaction', transfer({ [name]: '0x77359400' })] as const),
          );
          const accepted = `none, but gasPrice: the rules of this fork are ${slug}'s, older than EIP-1559`;
          assert.deepEqual(
            [code, message],
            [-32602, `${name} is "0x77359400"; accepted: ${accepted}`],
          );
        }
      });
    });
  }
});
