import assert from 'node:assert/strict';
import { Interface } from 'ethers';
import type { AssetChange, BalanceChange } from '../../server/api/explorer';
import { startService, type TestService } from '../support/service';
import { compileFixture } from '../support/solidity';
import { ALICE, BOB, ethChain, TestChain, testEngines, type TestEngines } from './fork-upstream';

type Shown = Pick<AssetChange, 'amount' | 'decimals' | 'symbol'>;
const SOUND: Shown = { amount: '10', decimals: 2, symbol: 'OK' };
const NO_DECIMALS: Shown = { amount: '', symbol: 'OK' };
const NO_SYMBOL: Shown = { amount: '10', decimals: 2 };

/** The shown facts about a transfer of 1000 of each token. */
const TOKENS: Record<string, Shown> = {
  Sound: SOUND,
  DecimalsRevert: NO_DECIMALS,
  DecimalsLoop: NO_DECIMALS,
  Decimals200: { amount: `0.${'0'.repeat(196)}1`, decimals: 200, symbol: 'OK' },
  DecimalsHuge: NO_DECIMALS,
  DecimalsNothing: NO_DECIMALS,
  Decimals31Bytes: NO_DECIMALS,
  SymbolRevert: NO_SYMBOL,
  SymbolLoop: NO_SYMBOL,
  SymbolBytes32: { ...SOUND, symbol: 'OLD' },
  SymbolMegabyte: NO_SYMBOL,
  SymbolLong: NO_SYMBOL,
  Symbol40Letters: { ...SOUND, symbol: 'ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEF' },
  SymbolDisguised: { ...SOUND, symbol: 'CDSU[31m' },
  SymbolInvalidUtf8: NO_SYMBOL,
  SymbolOutOfBounds: NO_SYMBOL,
};

describe('tokens with absurd answers', () => {
  let engines: TestEngines;
  let service: TestService;
  const hashes = new Map<string, string>();

  before(async function () {
    this.timeout(60_000); // the compiler is slow
    const codes = compileFixture('tokens/Absurd.sol');
    engines = await testEngines();
    const chain = await TestChain.start(engines.start);
    assert.deepEqual([...codes.keys()].sort(), Object.keys(TOKENS).sort());
    const data = new Interface(['function pay(address)']).encodeFunctionData('pay', [BOB.address]);
    for (const [index, name] of Object.keys(TOKENS).entries()) {
      const to = `0x${(0xabe000 + index).toString(16).padStart(40, '0')}`;
      await chain.engine.rpc.request('anvil_setCode', [to, codes.get(name)]);
      hashes.set(name, await chain.send(ALICE, { to, data }));
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

  for (const [name, shown] of Object.entries(TOKENS)) {
    it(`shows the known facts about ${name}`, async () => {
      const path = `/v1/explorer/eth/transaction/${hashes.get(name)!}/balance-change`;
      const { data, message } = await service.request<BalanceChange>('GET', path);
      assert.equal(message, 'OK');
      assert.deepEqual(
        data.balanceChange.map(({ account, assets }) => [
          account,
          assets.map(({ amount, decimals, symbol, rawAmount, sign }) => ({
            amount,
            rawAmount,
            sign,
            ...(decimals === undefined ? {} : { decimals }),
            ...(symbol === undefined ? {} : { symbol }),
          })),
        ]),
        [
          [ALICE.address.toLowerCase(), [{ ...shown, rawAmount: '1000', sign: false }]],
          [BOB.address.toLowerCase(), [{ ...shown, rawAmount: '1000', sign: true }]],
        ],
      );
    });
  }
});
