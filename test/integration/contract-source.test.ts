import assert from 'node:assert/strict';
import { AbiCoder, getCreateAddress, id, type TransactionLike } from 'ethers';
import type { AddressSource } from '../../server/api/contract-source';
import type { Fork } from '../../server/api/fork';
import type { SourceLocation, SourceLocations } from '../../server/api/source-locations';
import type { StateDiff } from '../../server/api/views';
import {
  compileSource,
  SHOP,
  sourcifyAnswer,
  type CompiledSource,
} from '../support/compiled-source';
import { call } from '../support/json-rpc';
import { JsonService } from '../support/json-service';
import { sandboxHash } from '../support/sandbox-hashes';
import { createFork, startService, type Answer, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { ALICE, ethChain, TestChain, testEngines, type TestEngines } from './fork-upstream';

const VAULT = '0xc3e53f4d16ae77db1c982e75a937b9f60fe63690';
const THIEF = '0xbded0d2bf404bdcba897a74e6657f1f12e5c6fb6';
const PROXY = '0x8a791620dd6260079bf849dc5567adc3f2fdc318';

const request = (
  service: TestService,
  chain: string,
  address: string,
  query = '',
): Promise<Answer<AddressSource>> =>
  service.request('GET', `/v1/explorer/${chain}/address/${address}/source${query}`);

async function sourceOf(...wanted: Parameters<typeof request>): Promise<AddressSource> {
  const { code, message, data } = await request(...wanted);
  assert.equal(code, 0, message);
  return data;
}

async function locationsOf(
  service: TestService,
  chain: string,
  hash: string,
): Promise<SourceLocations> {
  const path = `/v1/explorer/${chain}/transaction/${hash}/source-locations`;
  const { code, message, data } = await service.request<SourceLocations>('GET', path);
  assert.equal(code, 0, message);
  return data;
}

/** `node contract: kind file:line (from)`. */
const lines = ({ nodeId, contract, ...rest }: SourceLocation): string[] =>
  (['function', 'callSite', 'failure'] as const).flatMap((kind) => {
    const place = rest[kind];
    return place
      ? [`${nodeId} ${contract}: ${kind} ${place.file}:${place.startLine} (${place.from ?? ''})`]
      : [];
  });

describe('the source of an address', function () {
  this.timeout(60_000);
  describe('of the sandbox, without a network', () => {
    let service: TestService;
    let fork: Fork;
    before(async () => {
      service = await startService({ counted: true, args: ['--sandbox'] });
      fork = await createFork(service, { chainId: 31337, height: '0xd' });
    });
    after(() => service.stop());

    it('has files, compiler, layout and immutables', async () => {
      const { address, codeHash, blockNumber, source, ...others } = await sourceOf(
        service,
        'sandbox',
        THIEF,
      );
      assert.equal(address, THIEF);
      assert.match(codeHash, /^0x[0-9a-f]{64}$/);
      assert.equal(blockNumber, 18);
      assert.deepEqual(others, {});
      assert.equal(source?.name, 'VaultThief');
      assert.equal(source.from, 'sandbox');
      assert.equal(source.match, 'exact');
      assert.equal(source.language, 'Solidity');
      assert.equal(source.compilerVersion, '0.8.30');
      assert.deepEqual(source.settings, {
        optimizer: false,
        runs: 200,
        viaIR: false,
        evmVersion: 'prague',
      });
      assert.equal(source.hasMap, true);
      assert.deepEqual(source.storageLayout?.storage, []);
      const word = (value: string): string => `0x${value.slice(2).padStart(64, '0')}`;
      assert.deepEqual(source.immutables?.[0], {
        name: 'vault',
        type: 'EtherVault',
        value: word(VAULT),
      });
      assert.equal(source.immutables[1]?.type, 'address payable');
      const file = source.files.find(({ name }) => name === 'EtherVault.sol');
      assert.match(file?.content ?? '', /^\/\/ SPDX[^]*contract VaultThief \{/);
    });

    it('can be one file alone', async () => {
      const { source } = await sourceOf(service, 'sandbox', VAULT, '?file=Pool.sol');
      assert.deepEqual(
        source?.files.map(({ name }) => name),
        ['Pool.sol'],
      );
      const none = await sourceOf(service, 'sandbox', VAULT, '?file=..%2FPool.sol');
      assert.deepEqual(none.source?.files, []);
    });

    it('goes through a proxy to its implementation, as of a block', async () => {
      const now = await sourceOf(service, 'sandbox', PROXY, '?file=Proxy.sol');
      assert.equal(now.source?.name, 'Proxy');
      assert.equal(now.implementation?.source?.name, 'UpgradeableTokenV2');
      const before = await sourceOf(service, 'sandbox', PROXY, '?block=6&file=Proxy.sol');
      assert.equal(before.blockNumber, 6);
      assert.equal(before.implementation?.source?.name, 'UpgradeableToken');
    });

    it('is known for a clone on a fork (EIP-1167), and unknown for other code and for accounts', async () => {
      const clone = `0x${'c1'.repeat(20)}`;
      const code = `0x363d3d373d3d3d363d73${VAULT.slice(2)}5af43d82803e903d91602b57fd5bf3`;
      await call(fork.rpc, 'anvil_setCode', clone, code);
      const found = await sourceOf(service, fork.forkId, clone, '?file=EtherVault.sol');
      assert.equal(found.source, null);
      assert.equal(found.implementation?.address, VAULT);
      assert.equal(found.implementation.source?.name, 'EtherVault');
      await call(fork.rpc, 'anvil_setCode', clone, '0x6001600155');
      const other = await sourceOf(service, fork.forkId, clone);
      assert.equal(other.source, null);
      assert.equal(other.implementation, undefined);
      const account = await sourceOf(service, 'sandbox', `0x${'ee'.repeat(20)}`);
      assert.equal(account.source, null);
    });

    it('refuses what is no chain, block or address', async () => {
      const refused = async (...wanted: [chain: string, address: string, query?: string]) => {
        const { status, code, message } = await request(service, ...wanted);
        return [status, code, message];
      };
      assert.deepEqual((await refused('nowhere', VAULT)).slice(0, 2), [404, 40404]);
      assert.deepEqual((await refused('sandbox', '0x12')).slice(0, 2), [400, 40001]);
      const [status, code, message] = await refused('sandbox', VAULT, '?block=99');
      assert.deepEqual([status, code], [400, 40001]);
      assert.match(String(message), /^block is 99 \(0x63\); accepted: a block up to 18 \(0x12\)/);
      const text = await refused('sandbox', VAULT, '?block=yesterday');
      assert.match(String(text[2]), /^block is "yesterday"; accepted: a block number/);
    });

    it('gives the lines of its transactions, of the exploit with its reentrant calls', async () => {
      const { locations, changed } = await locationsOf(
        service,
        'sandbox',
        sandboxHash('exploit-reentrancy'),
      );
      assert.deepEqual(changed, []);
      assert.deepEqual(locations.slice(0, 4).flatMap(lines), [
        '0 VaultThief: function EtherVault.sol:38 (sandbox)',
        '1 EtherVault: function EtherVault.sol:13 (sandbox)',
        '1 EtherVault: callSite EtherVault.sol:39 (sandbox)',
        '3 EtherVault: function EtherVault.sol:18 (sandbox)',
        '3 EtherVault: callSite EtherVault.sol:40 (sandbox)',
        '4 VaultThief: callSite EtherVault.sol:21 (sandbox)',
      ]);
      const failed = await locationsOf(service, 'sandbox', sandboxHash('swap-too-little'));
      assert.equal(failed.status, false);
      assert.ok(
        failed.locations.flatMap(lines).some((line) => line.includes('failure Router.sol')),
      );
      const delegated = await locationsOf(service, 'sandbox', sandboxHash('eip7702-batch'));
      const [batch] = delegated.locations;
      assert.deepEqual(batch && lines(batch), [
        '0 BatchExecutor: function BatchExecutor.sol:18 (sandbox)',
      ]);
      assert.equal(batch?.function?.address, '0x84ea74d481ee0a5332c457a4d796187f6ba67feb');
      const created = await locationsOf(service, 'sandbox', sandboxHash('create-fails'));
      assert.ok(
        created.locations
          .flatMap(lines)
          .some((line) => line.includes('TimeCapsule: failure TimeCapsule.sol:13')),
      );
    });
  });

  describe('of a verified contract', () => {
    const verified = new Map<string, unknown>();
    let engines: TestEngines;
    let chain: TestChain;
    let sourcify: JsonService;
    let service: TestService;
    let dataDir: string;
    let shop: CompiledSource;
    let address: string;
    let paid: string;
    let refused: string;

    const start = (url: string): Promise<TestService> =>
      startService({
        counted: true,
        dataDir,
        config: {
          chains: [ethChain(chain.engine.url)],
          abi: { artifacts: [], sourcify: { url }, signatures: { enabled: false } },
          prices: { source: 'none' },
        },
      });

    before(async () => {
      dataDir = await makeTemporaryDirectory();
      engines = await testEngines();
      chain = await TestChain.start(engines.start);
      shop = compileSource('Shop', SHOP);
      address = getCreateAddress({ from: ALICE.address, nonce: 0 }).toLowerCase();
      const argument = AbiCoder.defaultAbiCoder().encode(['uint256'], [5]).slice(2);
      const gasLimit = 3_000_000;
      await chain.send(ALICE, { data: `0x${shop.evm.bytecode.object}${argument}`, gasLimit });
      await chain.mine();
      const pay = (amount: number): TransactionLike => ({
        to: address,
        gasLimit,
        data:
          id('pay(uint256)').slice(0, 10) +
          AbiCoder.defaultAbiCoder().encode(['uint256'], [amount]).slice(2),
      });
      paid = await chain.send(ALICE, pay(7));
      refused = await chain.send(ALICE, pay(3));
      await chain.mine();
      verified.set(address, sourcifyAnswer(shop));
      sourcify = await JsonService.start((url) => {
        const body = verified.get(url.pathname.split('/').at(-1) ?? '');
        return body === undefined ? { status: 404, body: { match: null } } : { body };
      });
      service = await start(sourcify.url);
    });
    after(async () => {
      await service.stop();
      await sourcify.close();
      await engines.close();
      await removeDirectory(dataDir);
    });

    it('is matched to the code of the chain', async () => {
      const { source } = await sourceOf(service, 'eth', address);
      assert.equal(source?.name, 'Shop');
      assert.equal(source.from, 'sourcify');
      assert.equal(source.match, 'exact');
      assert.equal(source.compilerVersion, '0.8.30+commit.73712a01');
      assert.equal(source.hasMap, true);
      assert.deepEqual(source.files, [
        { name: 'src/Base.sol', id: 0, content: SHOP['src/Base.sol'] },
        { name: 'src/Shop.sol', id: 1, content: SHOP['src/Shop.sol'] },
      ]);
      assert.deepEqual(source.immutables, [
        {
          name: 'owner',
          type: 'address',
          value: `0x${ALICE.address.slice(2).toLowerCase().padStart(64, '0')}`,
        },
        { name: 'price', type: 'uint256', value: `0x${'5'.padStart(64, '0')}` },
      ]);
    });

    it('gives call sites and failing lines, and names of storage', async () => {
      const { locations } = await locationsOf(service, 'eth', refused);
      assert.deepEqual(locations.flatMap(lines), [
        '0 Shop: function src/Shop.sol:8 (sourcify)',
        '0 Shop: failure src/Shop.sol:9 (sourcify)',
      ]);
      assert.equal(locations[0]?.failure?.address, address);
      const path = `/v1/explorer/eth/transaction/${paid}/state-diff`;
      const { data, message } = await service.request<StateDiff>('GET', path);
      assert.equal(message, 'OK');
      const [slot] = data.stateDiff.accounts.find((one) => one.address === address)?.storage ?? [];
      assert.deepEqual(slot?.variables, [
        {
          name: `paid[${ALICE.address.toLowerCase()}]`,
          type: 'uint256',
          before: '0',
          after: '7',
        },
      ]);
    });

    it('is not of a fork that has other code there', async () => {
      const fork = await createFork(service, { chainId: 1, height: 'latest' });
      assert.equal((await sourceOf(service, fork.forkId, address)).source?.name, 'Shop');
      const other = compileSource('Shop', SHOP, { optimizer: { enabled: true } });
      const code = `0x${other.evm.deployedBytecode.object}`;
      await call(fork.rpc, 'anvil_setCode', address, code);
      assert.equal((await sourceOf(service, fork.forkId, address)).source, null);
    });

    it('is kept on disk over a restart and without the service that verified it', async () => {
      await service.stop();
      await sourcify.close();
      service = await start(sourcify.url);
      const { source } = await sourceOf(service, 'eth', address, '?file=src%2FShop.sol');
      assert.equal(source?.files[0]?.content, SHOP['src/Shop.sol']);
      assert.equal((await locationsOf(service, 'eth', refused)).locations.length, 1);
    });
  });
});
