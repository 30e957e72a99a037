import assert from 'node:assert/strict';
import type { ChainBlock } from '../../server/api/chain-block';
import type { Fork } from '../../server/api/fork';
import { call, post } from '../support/json-rpc';
import { createFork, localProject, startService, type TestService } from '../support/service';

const CREATE = '/v1/project';

describe('request bodies', () => {
  let service: TestService;
  let fork: Fork;
  before(async () => {
    service = await startService({ args: ['--sandbox'] });
    fork = await createFork(service, { chainId: 31337, height: '0x8' });
  });
  after(() => service.stop());

  describe('of the interface', () => {
    const send = (contentType: string | undefined, text: string) =>
      service.request('POST', CREATE, {
        text,
        headers: { 'Content-Type': contentType ?? '' },
      });

    for (const type of [
      'text/plain',
      'text/plain;charset=UTF-8',
      'application/x-www-form-urlencoded',
      'application/octet-stream',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      'application/json; charset=latin1',
      '',
    ]) {
      it(`rejects JSON that is declared as ${JSON.stringify(type)}`, async () => {
        const answer = await send(type, '{"name":"x"}');
        assert.deepEqual([answer.status, answer.code, answer.data], [415, 41500, null]);
        assert.match(answer.message, /^the header Content-Type is .*; accepted for a body: /);
      });
    }

    for (const type of [
      'application/json',
      'Application/JSON ; charset=utf-8',
      'application/json; charset="UTF-8"; profile=x',
    ]) {
      it(`accepts ${type}`, async () => {
        assert.equal((await send(type, '{"name":"x"}')).code, 0);
      });
    }

    it('rejects a body of another type, even if no body is needed', async () => {
      const project = await localProject(service);
      const path = `/v1/project/${project}/fork/${fork.forkId}`;
      const options = { text: 'x=1', headers: { 'Content-Type': 'text/plain' } };
      assert.equal((await service.request('DELETE', path, options)).code, 41500);
      const unknown = await service.request('DELETE', path, { body: { force: true } });
      assert.equal(unknown.code, 40001);
      assert.equal(unknown.message, 'force is not known; accepted: no fields');
      assert.equal((await service.request('GET', path)).code, 0);
    });

    for (const [name, text] of [
      ['arrays', '['.repeat(65) + ']'.repeat(65)],
      ['objects', '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)],
      ['arrays in a field', `{"name":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
      ['arrays without an end', '['.repeat(400_000)],
    ] as const) {
      it(`rejects deeply nested ${name}`, async () => {
        const answer = await service.request('POST', CREATE, { text });
        assert.deepEqual([answer.status, answer.code], [400, 40001]);
        assert.equal(
          answer.message,
          'the body is nested deeper than 64 levels; accepted: up to 64',
        );
      });
    }

    it('does not count brackets in texts, and accepts 64 levels', async () => {
      const name = '\\"[{'.repeat(16);
      const named = await service.request('POST', CREATE, { text: `{"name":"${name}"}` });
      assert.equal(named.code, 0, named.message);
      const deep = `${'['.repeat(64)}${']'.repeat(64)}`;
      assert.match((await service.request('POST', CREATE, { text: deep })).message, /^body is \[/);
    });

    it('names each unknown field, and the most similar known one', async () => {
      const path = `/v1/project/${await localProject(service)}/fork`;
      const misspelt = { hieght: '0x1', antireplay: true, blockNumber: 8 };
      const body = { chainId: 31337, name: 'x', ...misspelt };
      for (const sent of [body, { data: body }]) {
        const answer = await service.request('POST', path, { body: sent });
        assert.deepEqual([answer.status, answer.code], [400, 40001]);
        const accepted =
          'accepted: chainId, height, position, name, antiReplay, chain, accounts, rules';
        assert.equal(
          answer.message,
          [
            `hieght is not known; did you mean height? ${accepted}`,
            `antireplay is not known; did you mean antiReplay? ${accepted}`,
            `blockNumber is not known; ${accepted}`,
          ].join('; '),
        );
      }
    });

    it('names the first of many faults, and counts the others', async () => {
      const zeros = Array.from({ length: 5_000 }, () => 0);
      const path = `/v1/abi/sandbox/0x${'1'.repeat(40)}`;
      const entries = await service.request('PUT', path, { body: { abi: zeros } });
      assert.equal(entries.code, 40001);
      assert.match(
        entries.message,
        /^abi\[0\] is 0; accepted: .*; abi\[9\] is 0; .*; and 4990 more$/,
      );
      const unknown = Object.fromEntries(zeros.map((_, i) => [`field${i}`, i]));
      const fields = await service.request('POST', '/v1/project', { body: unknown });
      assert.match(fields.message, /; field0 is not known.*field9 is not known.*; and 4990 more/);
    });

    it('shows no rejected secret', async () => {
      const path = `/v1/project/${await localProject(service)}/fork`;
      const secret = 'sausage '.repeat(11) + 'zoo';
      for (const [accounts, field] of [
        [{ mnemonic: secret }, 'accounts.mnemonic'],
        [{ mnemonics: secret }, 'accounts'],
        [{ mnemonic: [secret] }, 'accounts'],
        [secret, 'accounts'],
      ] as const) {
        const body = { chainId: 31337, name: 'x', accounts };
        const answer = await service.request('POST', path, { body });
        assert.equal(answer.code, 40001);
        assert.match(answer.message, /^accounts[.a-z]* is a hidden value; accepted: /);
        assert.ok(answer.message.startsWith(`${field} is`), answer.message);
        assert.doesNotMatch(answer.message, /sausage/);
      }
      assert.ok(service.stderr.every((line) => !line.includes('sausage')));
    });

    it('names unknown fields inside other fields and in queries', async () => {
      const simulation = {
        from: `0x${'1'.repeat(40)}`,
        to: `0x${'2'.repeat(40)}`,
        stateOverrides: { [`0x${'3'.repeat(40)}`]: { balanse: '0x1' } },
      };
      const options = { body: simulation };
      const nested = await service.request('POST', '/v1/explorer/sandbox/simulate', options);
      assert.equal(
        nested.message,
        `stateOverrides.0x${'3'.repeat(40)}.balanse is not known; did you mean balance? accepted: balance, nonce, code, state, stateDiff`,
      );
      const path = `/v1/project/${await localProject(service)}/fork/${fork.forkId}/transactions`;
      const query = await service.request('GET', `${path}?limmit=5`);
      assert.equal(
        query.message,
        'limmit is not known; did you mean limit? accepted: limit, cursor',
      );
    });

    it('accepts a whole artifact as an ABI', async () => {
      const path = `/v1/abi/sandbox/0x${'4'.repeat(40)}`;
      const abi = [{ type: 'function', name: 'f', inputs: [], outputs: [], internal: 1 }];
      const body = { contractName: 'A', abi, bytecode: '0x', linkReferences: {} };
      assert.equal((await service.request('PUT', path, { body })).code, 0);
    });

    for (const [height, expected] of [
      ['0x8', '0x8'],
      ['0X8', undefined],
      ['8', '0x8'],
      [8, '0x8'],
      ['latest', 'its block'],
      ['safe', 'its block'],
      ['finalized', 'its block'],
      ['earliest', '0x0'],
      [8.5, undefined],
      [-1, undefined],
      ['-1', undefined],
      ['', undefined],
      ['pending', undefined],
      ['0x', undefined],
      [null, undefined],
      [2 ** 53, undefined],
    ] as const) {
      it(`parses a fork's height ${JSON.stringify(height)} as ${expected}`, async () => {
        const path = `/v1/project/${await localProject(service)}/fork`;
        const body = { chainId: 31337, name: 'h', height };
        const answer = await service.request<Fork | null>('POST', path, { body });
        if (expected !== undefined) {
          const at = `/v1/chains/sandbox/block?at=${height}`;
          const { data } = await service.request<ChainBlock>('GET', at);
          const wanted = expected === 'its block' ? data.height : expected;
          assert.equal(answer.data?.height, wanted, answer.message);
        } else {
          assert.equal(answer.code, 40001);
          assert.match(answer.message, /^height is .*; accepted: a block number \(hex such as/);
        }
      });
    }
  });

  describe("of a fork's address", () => {
    const request = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}';
    const send = async (type: string | undefined, body: string) => {
      const headers: Record<string, string> = type === undefined ? {} : { 'Content-Type': type };
      const bytes = new TextEncoder().encode(body); // fetch declares a text as text/plain
      const response = await fetch(fork.rpc, { method: 'POST', headers, body: bytes });
      const { result, error } = (await response.json()) as {
        result?: string;
        error?: { code: number; message: string };
      };
      return { status: response.status, result, error };
    };

    it('must be declared as JSON, as for anvil', async () => {
      for (const type of ['application/json', 'application/json; charset=utf-8']) {
        assert.equal((await send(type, request)).result, '0x7a69');
      }
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', undefined]) {
        const { status, error } = await send(type, request);
        assert.deepEqual([status, error?.code], [415, -32600]);
      }
    });

    it('are rejected if they are nested deeply, and do not harm the engine', async () => {
      const engine = await call(fork.rpc, 'eth_blockNumber');
      const deep = '['.repeat(100_000) + ']'.repeat(100_000);
      for (const body of [
        deep,
        `{"jsonrpc":"2.0","id":1,"method":"anvil_setBalance","params":${deep}}`,
        `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":${deep}}]}`,
      ]) {
        const { status, error } = await send('application/json', body);
        assert.equal(status, 400);
        assert.deepEqual(error, {
          code: -32600,
          message: 'the request is nested deeper than 64 levels',
        });
      }
      assert.equal(await call(fork.rpc, 'eth_blockNumber'), engine);
    });

    it('that are not JSON get a JSON-RPC error', async () => {
      const answer = (await post(fork.rpc, '{')) as { error: { code: number } };
      assert.equal(answer.error.code, -32700);
    });
  });
});
