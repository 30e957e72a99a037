import assert from 'node:assert/strict';
import { AbiCoder, Interface, keccak256 } from 'ethers';
import type { Address } from '../../server/api/primitives';
import type { BalanceChange } from '../../server/api/explorer';
import { toWord } from '../../server/evm/forms/quantity';
import { startService, type TestService } from '../support/service';
import { compileFixture } from '../support/solidity';
import { ALICE, BOB, ethChain, TestChain, testEngines, type TestEngines } from './fork-upstream';

const COLLECTOR: Address = `0x${'feec'.repeat(10)}`;
const [SENDER, RECEIVER] = [ALICE, BOB].map(({ address }) => address.toLowerCase());
const SUPPLY = 1_000_000n;
const TRANSFER = new Interface(['function transfer(address,uint256)']);

const addressOf = (index: number): Address =>
  `0x${(0x7a0000 + index).toString(16).padStart(40, '0')}`;

/** Balance changes that no event or call reports after a transfer of 1000, by contract. */
const UNREPORTED = {
  Stored: [{ account: COLLECTOR, rawAmount: '50', sign: true }],
  Constant: [{ account: COLLECTOR, rawAmount: '50', sign: true }],
  Burning: undefined,
} as const;

describe('tokens that deduct a part of each transfer', () => {
  let engines: TestEngines;
  let service: TestService;
  const hashes: string[] = [];

  before(async function () {
    this.timeout(60_000); // the compiler is slow
    const codes = compileFixture('tokens/Taxed.sol');
    engines = await testEngines();
    const chain = await TestChain.start(engines.start);
    const { rpc } = chain.engine;
    const mapped = AbiCoder.defaultAbiCoder().encode(['address', 'uint256'], [ALICE.address, 1]);
    for (const [index, name] of Object.keys(UNREPORTED).entries()) {
      const to = addressOf(index);
      await rpc.request('anvil_setCode', [to, codes.get(name)]);
      for (const [slot, value] of [
        [toWord(0), BigInt(name === 'Stored' ? COLLECTOR : 0)],
        [keccak256(mapped), SUPPLY],
        [toWord(2), name === 'Burning' ? SUPPLY : 0n],
      ] as const) {
        await rpc.request('anvil_setStorageAt', [to, slot, toWord(value)]);
      }
      const data = TRANSFER.encodeFunctionData('transfer', [BOB.address, 1000]);
      hashes.push(await chain.send(ALICE, { to, data }));
    }
    await chain.mine();
    service = await startService({
      counted: true,
      config: {
        chains: [ethChain(chain.engine.url, { hardfork: 'prague' })],
        prices: { source: 'none' },
      },
    });
  });
  after(async () => {
    await service.stop();
    await engines.close();
  });

  for (const [index, [name, untold]] of Object.entries(UNREPORTED).entries()) {
    it(`shows how much the sender of ${name} lost and who gained the difference`, async () => {
      const address = addressOf(index);
      const path = `/v1/explorer/eth/transaction/${hashes[index]}/balance-change?proof=wait`;
      const { data, message } = await service.request<BalanceChange>('GET', path);
      assert.equal(message, 'OK');
      const { verification } = data;
      assert.equal(verification?.tokens, 'different');
      assert.deepEqual(
        verification.untold,
        untold?.map((one) => ({ ...one, address })),
      );
      const shown = data.balanceChange.flatMap(({ account, assets }) =>
        assets.map(({ rawAmount, sign, verified, measured }) => [
          account,
          { rawAmount, sign, verified, ...(measured ? { measured } : {}) },
        ]),
      );
      assert.deepEqual(Object.fromEntries(shown), {
        [SENDER!]: {
          rawAmount: '950',
          sign: false,
          verified: false,
          measured: { rawAmount: '1000', sign: false },
        },
        [RECEIVER!]: { rawAmount: '950', sign: true, verified: true },
      });
    });
  }
});
