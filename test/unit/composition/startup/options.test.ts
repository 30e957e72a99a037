import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { loadConfig } from '../../../../server/composition/startup/config-file';
import { parseOptions } from '../../../../server/composition/startup/options';
import { makeTemporaryDirectory, removeDirectory } from '../../../support/temporary-directory';

describe('options', () => {
  const outside = { ...process.env };
  beforeEach(() => {
    for (const name of Object.keys(process.env)) {
      if (name.startsWith('FORKLENS_')) Reflect.deleteProperty(process.env, name);
    }
  });
  afterEach(() => {
    process.env = { ...outside };
  });
  const parse = (...args: string[]) => parseOptions(['node', 'server.js', ...args], '1.0.0');

  it('have the documented defaults', () => {
    const { config, ...options } = parse();
    assert.deepEqual(options, {
      host: '127.0.0.1',
      port: 8787,
      dataDir: join(homedir(), '.forklens'),
      database: undefined,
      leaseSeconds: 10,
      nodeUrl: undefined,
      sandbox: false,
      localUser: false,
      stdinLifeline: false,
      publicUrl: undefined,
      allowedHosts: [],
      trustedProxies: [],
      solc: [],
      tls: undefined,
      logLevel: 'info',
    });
    assert.equal(config.limits.projectsPerUser, 20);
    assert.deepEqual(config.abi.artifacts, [resolve('out'), resolve('artifacts')]);
  });

  it('come from flags, else from the environment', () => {
    Object.assign(process.env, {
      FORKLENS_HOST: '::1',
      FORKLENS_PORT: '1',
      FORKLENS_SANDBOX: '1',
      FORKLENS_LOCAL_USER: 'false',
      FORKLENS_CONFIG: '',
      FORKLENS_LOG_LEVEL: '',
      FORKLENS_DATA_DIR: '~/x',
      FORKLENS_ALLOWED_HOSTS: 'a, b',
      FORKLENS_ANVIL: '/opt/anvil',
      FORKLENS_SOLC: '~/compilers, /opt/solc',
    });
    const options = parse('--port', '2', '--public-url', 'https://forks.example/base/');
    assert.equal(options.host, '::1');
    assert.equal(options.port, 2);
    assert.equal(options.sandbox, true);
    assert.equal(options.localUser, false);
    assert.equal(options.logLevel, 'info');
    assert.equal(options.dataDir, join(homedir(), 'x'));
    assert.equal(options.publicUrl, 'https://forks.example/base');
    assert.deepEqual(options.allowedHosts, ['a', 'b']);
    assert.equal(options.config.engine.anvilPath, '/opt/anvil');
    assert.deepEqual(options.solc, [join(homedir(), 'compilers'), '/opt/solc']);
    assert.deepEqual(parse('--solc', 'one').solc, [resolve('one')]);
    assert.equal(parse('--sandbox=false').sandbox, false);
    assert.equal(parse('--sandbox', '--port', '3').sandbox, true);
  });

  it('take addresses and networks of proxies, and refuse anything else', () => {
    const one = ['--trusted-proxy', '10.0.0.1'];
    const two = parse(...one, '--trusted-proxy', '192.0.2.0/24, fd00::/8');
    assert.deepEqual(two.trustedProxies, ['10.0.0.1', '192.0.2.0/24', 'fd00::/8']);
    for (const wrong of ['proxy.example', '10.0.0.1/33', '10.0.0', '*', '10.0.0.1:80']) {
      assert.throws(() => parse('--trusted-proxy', wrong), { exitCode: 1 });
    }
  });

  it('take the token of the metrics from the environment, and never show it', () => {
    process.env['FORKLENS_METRICS_TOKEN'] = 'sixteen-letters!';
    assert.equal(parse().config.metrics.token, 'sixteen-letters!');
    process.env['FORKLENS_METRICS_TOKEN'] = 'too-short';
    assert.throws(() => parse(), {
      name: 'UsageError',
      message:
        'FORKLENS_METRICS_TOKEN is a hidden value; accepted: 16-256 visible ASCII characters',
    });
    process.env['FORKLENS_METRICS_TOKEN'] = '';
    assert.equal(parse().config.metrics.token, undefined);
  });

  it('take the URL of a database, and never show one', () => {
    const socket = 'postgres://ann:s3cret@/forks?host=/run/postgresql';
    for (const url of ['postgresql://ann:s3cret@db.example:5432/forks?sslmode=require', socket]) {
      assert.equal(parse('--database', url).database, url);
    }
    process.env['FORKLENS_DATABASE_URL'] = socket;
    assert.equal(parse().database, socket);
    process.env['FORKLENS_DATABASE_URL'] = '';
    assert.equal(parse().database, undefined);
    for (const wrong of ['mysql://ann:s3cret@host/x', 's3cret', 'postgres://a b:s3cret']) {
      assert.throws(() => parse('--database', wrong), {
        name: 'UsageError',
        message:
          '--database or FORKLENS_DATABASE_URL is a hidden value; accepted: postgres://user:password@host:port/database',
      });
    }
  });
});

describe('config file', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
  });
  afterEach(() => removeDirectory(directory));
  const load = async (text: string) => {
    const path = join(directory, 'config.json');
    await writeFile(path, text);
    return loadConfig(path);
  };
  const chain = { slug: 'eth', chainId: 1, rpcUrls: ['https://node.example/v2/secret'] };

  it('contains paths relative to its own folder', async () => {
    const config = await load(
      JSON.stringify({
        chains: [chain],
        abi: { artifacts: ['out'] },
        engine: { anvilPath: './a' },
      }),
    );
    assert.deepEqual(config.abi.artifacts, [join(directory, 'out')]);
    assert.equal(config.engine.anvilPath, join(directory, 'a'));
    assert.equal((await load('{"engine":{"anvilPath":"anvil"}}')).engine.anvilPath, 'anvil');
  });

  const cases: [string, unknown, RegExp][] = [
    [
      'a wrong value',
      { chains: [{ ...chain, rpcUrls: ['secret'] }] },
      /chains\[0\]\.rpcUrls\[0\]: an http/,
    ],
    ['an unknown field', { prices: { sauce: 'x' } }, /: prices: .*"sauce"/],
    ['no object', [], /: the file: /],
    ['a slug used twice', { chains: [chain, chain] }, /chains\[1\]\.slug: eth is used/],
  ];
  for (const [name, content, message] of cases) {
    it(`with ${name} is rejected with its path, without values`, async () => {
      await assert.rejects(load(JSON.stringify(content)), (error: Error) => {
        assert.match(error.message, message);
        assert.ok(!error.message.includes('secret'), error.message);
        return true;
      });
    });
  }

  it('that is not JSON is rejected without its text', async () => {
    for (const text of ['{\n"url": "secret"x}', '{\n"url": "secret",\n}', '"secret', '']) {
      await assert.rejects(load(text), (error: Error) => {
        assert.match(error.message, /config\.json: not JSON/);
        assert.ok(!error.message.includes('secret'), error.message);
        return true;
      });
    }
  });
});
