import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AbiCoder, concat, hexlify, id, toUtf8Bytes } from 'ethers';
import type { InvocationFlow } from '../../server/api/explorer';
import { ABI_FORMS } from '../../server/api/abi-forms';
import type { Decodings } from '../../server/api/decode';
import type { Hex } from '../../server/api/primitives';
import type { Analysis } from '../../server/api/views';
import { account } from '../support/analysis';
import { CommandLine } from '../support/command-line';
import { JsonService } from '../support/json-service';
import { sandboxHash } from '../support/sandbox-hashes';
import { startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { ALICE, ethChain, TestChain, testEngines, type TestEngines } from './fork-upstream';

const SHOP: Hex = `0x${'50'.repeat(20)}`;
const OTHER: Hex = `0x${'51'.repeat(20)}`;
const selector = (text: string) => id(text).slice(2, 10);
/** STOP, followed by the selectors of the methods, at positions like a dispatcher's. */
const CODE = `0x00${selector('pay(uint256)')}${selector('mystery(address)')}${'00'.repeat(120)}`;
const item = (name: string, input: string, type: string) => ({
  type: 'function',
  name,
  inputs: [{ name: input, type }],
  outputs: [],
  stateMutability: 'nonpayable',
});

describe('decoding with external sources', () => {
  let engines: TestEngines;
  let sourcify: JsonService;
  let database: JsonService;
  let service: TestService;
  let pay: string;
  let mystery: string;
  let attributed: string;
  let message: string;
  let longer: string;

  before(async () => {
    engines = await testEngines();
    const chain = await TestChain.start(engines.start);
    for (const address of [SHOP, OTHER]) {
      await chain.engine.rpc.request('anvil_setCode', [address, CODE]);
    }
    const call = (to: string, text: string, type: string, value: unknown) =>
      chain.send(ALICE, {
        to,
        data: concat([`0x${selector(text)}`, AbiCoder.defaultAbiCoder().encode([type], [value])]),
      });
    pay = await call(SHOP, 'pay(uint256)', 'uint256', 5n);
    mystery = await call(OTHER, 'mystery(address)', 'address', SHOP);
    const argument = AbiCoder.defaultAbiCoder().encode(['uint256'], [5n]);
    const suffix = '0x62617365617070070080218021802180218021802180218021';
    longer = concat([`0x${selector('pay(uint256)')}`, argument, suffix]);
    attributed = await chain.send(ALICE, { to: SHOP, data: longer });
    const words = hexlify(toUtf8Bytes('please return the funds\u202e'));
    message = await chain.send(ALICE, { to: account(0x5eed), data: words, gasLimit: 60_000 });
    await chain.mine();
    sourcify = await JsonService.start((url) =>
      url.pathname === `/v2/contract/1/${SHOP}`
        ? {
            body: {
              match: 'exact_match',
              abi: [item('pay', 'amount', 'uint256')],
              compilation: { name: 'Shop' },
            },
          }
        : { status: 404, body: { match: null } },
    );
    const known = { name: 'mystery(address)', filtered: false, hasVerifiedContract: true };
    database = await JsonService.start(() => ({
      body: {
        ok: true,
        result: { function: { [`0x${selector('mystery(address)')}`]: [known] }, event: {} },
      },
    }));
    service = await startService({
      counted: true,
      config: {
        chains: [ethChain(chain.engine.url)],
        abi: {
          artifacts: [],
          sourcify: { url: sourcify.url },
          signatures: { url: database.url },
        },
        labels: { [ALICE.address]: 'Alice' },
        prices: { source: 'none' },
      },
    });
  });
  after(async () => {
    await service.stop();
    await Promise.all([sourcify.close(), database.close()]);
    await engines.close();
  });

  const flow = async (hash: string) => {
    const { data } = await service.request<InvocationFlow>(
      'GET',
      `/v1/explorer/eth/transaction/${hash}/invocation-flow`,
    );
    const node = data.dataMap['0'];
    assert.ok(node?.nodeType === 0);
    const { decodedMethod: decoded, message: words } = node.invocation;
    return { decoded, labels: data.labels, message: words };
  };

  it('uses verified sources, and the configured labels of the contract and accounts', async () => {
    const { decoded, labels } = await flow(pay);
    assert.deepEqual(decoded, {
      name: 'pay',
      signature: 'pay(uint256)',
      callParams: [{ name: 'amount', type: 'uint256', value: '5' }],
      returnParams: [],
      constructorArguments: '',
      source: 'sourcify',
    });
    assert.deepEqual(labels, { [SHOP]: 'Shop', [ALICE.address.toLowerCase()]: 'Alice' });
  });

  it('uses a signature database if no other source has the signature, and queries each service once', async () => {
    const { decoded } = await flow(mystery);
    assert.equal(decoded?.source, '4byte');
    assert.deepEqual(decoded.callParams, [{ name: '', type: 'address', value: SHOP }]);
    await flow(mystery);
    await flow(pay);
    assert.deepEqual(database.asked, [
      `/signature-database/v1/lookup?function=0x${selector('mystery(address)')}`,
    ]);
    // The names of changed variables need the sources of the called contract as well.
    const interfaces = sourcify.asked.filter((path) => path.includes('fields=abi,'));
    assert.deepEqual(interfaces.sort(), [
      `/v2/contract/1/${SHOP}?fields=abi,compilation.name`,
      `/v2/contract/1/${OTHER}?fields=abi,compilation.name`,
    ]);
    assert.equal(new Set(sourcify.asked).size, sourcify.asked.length);
  });

  it("stores, shows, uses and deletes a user's ABI", async () => {
    const path = `/v1/abi/eth/${OTHER}`;
    const abi = [item('mystery', 'friend', 'address')];
    const given = await service.request('PUT', path, { body: { abi, contractName: 'Other' } });
    assert.deepEqual(given.data, {
      chain: 'eth',
      address: OTHER,
      contractName: 'Other',
      functions: 1,
      events: 0,
      errors: 0,
      abi,
    });
    const { decoded, labels } = await flow(mystery);
    assert.equal(decoded?.source, 'user');
    assert.equal(decoded.callParams[0]?.name, 'friend');
    assert.equal(labels[OTHER], 'Other');
    assert.deepEqual((await service.request('GET', path)).data, given.data);
    assert.equal((await service.request('DELETE', path)).code, 0);
    for (const method of ['GET', 'DELETE']) {
      assert.equal((await service.request(method, path)).code, 40408);
    }
    assert.equal((await flow(mystery)).decoded?.source, '4byte');
  });

  it('takes an ABI in the forms of Etherscan, artifacts and declarations', async () => {
    const path = `/v1/abi/eth/${OTHER}`;
    const abi = [item('mystery', 'friend', 'address')];
    const declaration = 'function mystery(address friend)';
    for (const body of [
      { status: '1', message: 'OK', result: JSON.stringify(abi) },
      { status: '1', message: 'OK', result: [{ ABI: JSON.stringify(abi), ContractName: 'Other' }] },
      { abi: { abi } },
      { abi: JSON.stringify(abi) },
      { abi: [declaration] },
      { abi: `// a comment\n${declaration};\nevent Seen(address indexed friend)` },
    ]) {
      const given = await service.request('PUT', path, { body });
      assert.equal(given.message, 'OK', JSON.stringify(body));
      const { decoded } = await flow(mystery);
      assert.equal(decoded?.callParams[0]?.name, 'friend', JSON.stringify(body));
    }
    const failed = { status: '0', message: 'NOTOK', result: 'Contract source code not verified' };
    const refused = await service.request('PUT', path, { body: failed });
    assert.equal(
      refused.message,
      `abi is "Contract source code not verified"; accepted: ${ABI_FORMS}`,
    );
    const wrong = await service.request('PUT', path, { body: { abi: ['function f(uint256'] } });
    assert.match(wrong.message, /^abi\[0\] is "function f\(uint256"; accepted: a declaration such/);
    assert.equal((await service.request('DELETE', path)).code, 0);
  });

  it("counts the readable items of a user's ABI, and gives the contract no name if the ABI has none", async () => {
    const path = `/v1/abi/eth/${OTHER}`;
    const abi = [item('mystery', 'friend', 'address'), item('store', 'at', 'Shelf.Place storage')];
    const given = await service.request<{ functions: number }>('PUT', path, { body: { abi } });
    assert.equal(given.data.functions, 1);
    const { decoded, labels } = await flow(mystery);
    assert.equal(decoded?.source, 'user');
    assert.equal(labels[OTHER], undefined);
    await service.request('DELETE', path);
  });

  it("uses a user's ABI in simulations as well", async () => {
    const path = `/v1/abi/eth/${OTHER}`;
    const data = concat([
      `0x${selector('mystery(address)')}`,
      AbiCoder.defaultAbiCoder().encode(['address'], [SHOP]),
    ]);
    const simulated = async () => {
      const body = { from: ALICE.address, to: OTHER, data };
      const answer = await service.request<Analysis>('POST', '/v1/explorer/eth/simulate', { body });
      assert.equal(answer.message, 'OK');
      const call = answer.data.dataMap['0']!;
      assert.ok('invocation' in call);
      const { source, callParams } = call.invocation.decodedMethod!;
      return [source, callParams[0]?.name, answer.data.labels[OTHER]];
    };
    assert.deepEqual(await simulated(), ['4byte', '', undefined]);
    const abi = [item('mystery', 'friend', 'address')];
    await service.request('PUT', path, { body: { abi, contractName: 'Other' } });
    assert.deepEqual(await simulated(), ['user', 'friend', 'Other']);
    await service.request('DELETE', path);
    assert.deepEqual(await simulated(), ['4byte', '', undefined]);
  });

  it('rejects invalid ABIs, chains and addresses', async () => {
    const put = async (path: string, body: unknown) => {
      const { code, message } = await service.request('PUT', path, { body });
      return `${code} ${message}`;
    };
    const path = `/v1/abi/eth/${OTHER}`;
    assert.match(await put(path, { abi: [] }), /^40001 abi .*at least one item/);
    assert.match(
      await put(path, { abi: [{ type: 'thing' }] }),
      /^40001 abi\[0\]\.type .*function, event/,
    );
    assert.equal(await put(path, {}), `40001 abi is missing; accepted: ${ABI_FORMS}`);
    assert.equal(await put(path, { abi: [5] }), '40001 abi[0] is 5; accepted: an object');
    assert.match(
      await put(path, { abi: [item('f', 'x', 'uint257')] }),
      /^40001 abi .*at least one item that can be read$/,
    );
    const long = item('f', 'x'.repeat(300), 'uint256');
    assert.match(await put(path, { abi: [long] }), /^40001 abi\[0\]\.inputs\[0\]\.name .*256/);
    const abi = [item('f', 'x', 'uint256')];
    assert.match(await put(`/v1/abi/nowhere/${OTHER}`, { abi }), /^40404 /);
    assert.match(await put('/v1/abi/eth/0x12', { abi }), /^40001 address .*40 hex digits/);
  });

  it('decodes a call whose arguments other bytes follow, and lists these', async () => {
    const trailing = [
      { data: `0x${longer.slice(2 + 72)}`, kind: 'attribution', codes: ['baseapp'] },
    ];
    const { decoded } = await flow(attributed);
    assert.deepEqual([decoded?.callParams[0]?.value, decoded?.trailing], ['5', trailing]);
    const body = { data: longer, at: { chain: 'eth', address: SHOP } };
    const { data } = await service.request<Decodings>('POST', '/v1/decode', { body });
    const [decoding] = data.decodings;
    assert.deepEqual([decoding?.params?.[0]?.value, decoding?.trailing], ['5', trailing]);
  });

  it('shows a message and what follows arguments on the command line', async () => {
    assert.equal((await flow(message)).message, 'please return the funds');
    const home = await makeTemporaryDirectory();
    const env = { FORKLENS_URL: service.url, FORKLENS_ACCESS_KEY: service.key };
    const cli = new CommandLine(home, env);
    const sent = await cli.text('tx', 'eth', message);
    assert.match(sent, /CALL message to 0x0000…5eed: "please return the funds"/);
    const paid = await cli.text('tx', 'eth', attributed);
    assert.match(paid, /Shop\.pay\(amount: 5\) \+ attribution "baseapp"/);
    const byUrl = await cli.text('tx', 'calls', `https://etherscan.io/tx/${message}`);
    assert.match(byUrl, /CALL message to 0x0000…5eed/);
    const file = join(home, 'abi.txt');
    await writeFile(file, 'function pay(uint256 euros)\n');
    await cli.text('abi', 'set', `https://etherscan.io/address/${OTHER}`, file);
    assert.match(await cli.text('abi', 'show', 'eth', OTHER), /"euros"/);
    await cli.text('abi', 'delete', 'eth', OTHER);
    await removeDirectory(home);
  });
});

describe("a user's ABI for a well-known contract", () => {
  let service: TestService;
  before(async () => {
    service = await startService({ counted: true, args: ['--sandbox'] });
  });
  after(() => service.stop());

  it("takes precedence over the service's own sources", async () => {
    const path = `/v1/explorer/sandbox/transaction/${sandboxHash('swap-two-hops')}/invocation-flow`;
    const flow = async () => {
      const { data } = await service.request<InvocationFlow>('GET', path);
      const node = data.dataMap['0']!;
      assert.ok('invocation' in node);
      const { address, decodedMethod } = node.invocation;
      const { source, callParams } = decodedMethod!;
      return { address, reported: [source, callParams[0]?.name] };
    };
    const { address, reported } = await flow();
    assert.deepEqual(reported, ['built-in', 'amountIn']);
    const inputs = ['uint256', 'uint256', 'address[]', 'address', 'uint256'].map((type, index) => ({
      name: `mine${index}`,
      type,
    }));
    const abi = [{ type: 'function', name: 'swapExactTokensForTokens', inputs }];
    await service.request('PUT', `/v1/abi/sandbox/${address}`, { body: { abi } });
    assert.deepEqual((await flow()).reported, ['user', 'mine0']);
  });
});
