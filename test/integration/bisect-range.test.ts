import assert from 'node:assert/strict';
import type { Bisection } from '../../server/api/bisect';
import { LongChainNode } from '../support/long-chain';
import { CommandLine } from '../support/command-line';
import { eventually } from '../support/eventually';
import { startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

const ACCOUNT = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';
const HEAD = 20_000_000;

describe('a bisection over a long chain', function () {
  this.timeout(60_000);
  let node: LongChainNode;
  let pruned: LongChainNode;
  let service: TestService;
  before(async () => {
    const chain = {
      chainId: 777_001,
      head: HEAD,
      balances: [
        [0, 5],
        [12_345_678, 7],
      ] as const,
      oldest: 0,
      delayMs: 0,
    };
    node = await LongChainNode.start(chain);
    pruned = await LongChainNode.start({
      ...chain,
      chainId: 777_002,
      oldest: 19_871_234,
    });
    const chains = [
      { slug: 'long', chainId: 777_001, rpcUrls: [node.url] },
      { slug: 'pruned', chainId: 777_002, rpcUrls: [pruned.url] },
    ];
    service = await startService({ config: { chains } });
  });
  after(async () => {
    await service.stop();
    await node.close();
    await pruned.close();
  });

  it('of 20 million blocks takes some 40 reads', async () => {
    const body = { expression: `${ACCOUNT}.balance`, from: 0 };
    const { data, message } = await service.request<Bisection>('POST', bisectOn('long'), { body });
    assert.equal(message, 'OK');
    const [change, ...others] = data.changes;
    assert.equal(others.length, 0);
    assert.equal(change?.blockNumber, 12_345_678);
    assert.equal(change.transaction, null);
    assert.deepEqual([change.before.value, change.after.value], ['5', '7']);
    assert.ok(data.reads <= 45, `${data.reads} reads`);
  });

  it('beyond what the node has names the oldest block that it has', async () => {
    const body = { expression: `${ACCOUNT}.balance`, from: 1_000 };
    const { code, message } = await service.request('POST', bisectOn('pruned'), { body });
    assert.equal(code, 50201);
    assert.equal(
      message,
      'the node of pruned lacks the state of block 1000: the oldest block whose state it has is 19871234; accepted: from 19871234 on, or an archive node',
    );
  });
});

describe('a value that changed several times', function () {
  this.timeout(60_000);
  /** Blocks from which on the balance is another. */
  const CHANGES = [1_200, 3_450, 3_451, 4_999] as const;
  let node: LongChainNode;
  let service: TestService;
  let home: string;
  let cli: CommandLine;
  before(async () => {
    const balances = [
      [0, 5],
      ...CHANGES.map((block, index) => [block, 6 + index] as const),
    ] as const;
    const chain = { chainId: 777_003, head: 90_000, oldest: 0, delayMs: 5 };
    node = await LongChainNode.start({ ...chain, balances: balances });
    const chains = [{ slug: 'long', chainId: 777_003, rpcUrls: [node.url] }];
    service = await startService({ config: { chains } });
    home = await makeTemporaryDirectory();
    cli = new CommandLine(home, { FORKLENS_DATA_DIR: service.dataDir });
  });
  after(async () => {
    await service.stop();
    await node.close();
    await removeDirectory(home);
  });

  const bisect = (to: number, ...options: string[]): Promise<Bisection> =>
    cli.json('bisect', 'long', `${ACCOUNT}.balance`, '--from', '0', '--to', String(to), ...options);
  const blocksOf = ({ changes }: Bisection): number[] =>
    changes.map(({ blockNumber }) => blockNumber);

  it('is found at each change that the reads show, with --all', async () => {
    const found = await bisect(90_000, '--all');
    assert.deepEqual(blocksOf(found), [...CHANGES]);
    assert.deepEqual(
      found.changes.map(({ before, after }) => [before.value, after.value]),
      [
        ['5', '6'],
        ['6', '7'],
        ['7', '8'],
        ['8', '9'],
      ],
    );
    assert.match(found.mayMiss, /changed and changed back between two reads is not seen$/);
    assert.ok(found.reads < 120, `${found.reads} reads`);
  });

  it('is found at each block with --every, which reads all of them', async () => {
    const found = await bisect(5_000, '--every');
    assert.deepEqual(blocksOf(found), [...CHANGES]);
    assert.ok(found.reads >= 5_001, `${found.reads} reads`);
    const both = await cli.run(['bisect', 'long', 'x', '--from', '0', '--all', '--every']);
    assert.deepEqual(
      [both.code, both.stderr],
      [2, 'error: --all and --every are both given; accepted: one of them'],
    );
  });

  const scan = { expression: `${ACCOUNT}.balance`, from: 0, to: 80_000, plan: 'every' };
  const isCancelled = (line: string): boolean =>
    /"operation":"bisect".*"finished":false/.test(line);
  const cancelled = (): number => service.stderr.filter(isCancelled).length;
  /** Waits until a scan has read blocks beyond the first ones. */
  const scanning = async (from: number): Promise<void> => {
    await eventually(() => {
      assert.ok(node.asked.slice(from).some((block) => block > 100 && block < 80_000));
    });
  };

  it('is no longer looked for after Ctrl-C', async () => {
    const [from, before] = [node.asked.length, cancelled()];
    const args = ['bisect', 'long', scan.expression, '--from', '0', '--to', '80000', '--every'];
    const scanned = cli.spawn(args);
    await scanning(from);
    scanned.child.kill('SIGINT');
    assert.deepEqual(await scanned.exited, { code: 130, signal: null });
    await eventually(() => {
      assert.equal(cancelled(), before + 1);
    });
    assert.ok(Math.max(...node.asked.slice(from, -1).filter((block) => block < 80_000)) < 79_000);
  });

  it('is no longer looked for when the client closes the connection', async () => {
    const [from, before] = [node.asked.length, cancelled()];
    const client = new AbortController();
    const answer = fetch(service.url + bisectOn('long'), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'access-key': service.key },
      body: JSON.stringify(scan),
      signal: client.signal,
    });
    await scanning(from);
    client.abort();
    await assert.rejects(answer, { name: 'AbortError' });
    await eventually(() => {
      assert.equal(cancelled(), before + 1);
    });
    assert.ok(Math.max(...node.asked.slice(from, -1).filter((block) => block < 80_000)) < 79_000);
  });
});

const bisectOn = (chain: string): string => `/v1/explorer/${chain}/bisect`;
