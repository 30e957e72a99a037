import assert from 'node:assert/strict';
import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import type { VerifiedCase, WrittenCase } from '../../server/api/cases';
import { readContainer, writeContainer } from '../../server/cases/container/container';
import type { CaseProof } from '../../server/cases/proof/proof-schema';
import { sandboxHash } from '../support/sandbox-hashes';
import { startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

const SENDER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const UNRELATED = `0x${'dd'.repeat(20)}`;
const SECRET = 'a-key-of-an-endpoint';

describe('the proofs of a case file', function () {
  this.timeout(120_000);
  let service: TestService;
  let folder: string;
  let file: string;
  let written: WrittenCase;
  const verify = (body: object) =>
    service.request<VerifiedCase>('POST', '/v1/case/verify', { body });

  before(async () => {
    folder = await makeTemporaryDirectory();
    file = join(folder, 'swap.forklens');
    service = await startService({
      counted: true,
      args: ['--sandbox'],
      config: {
        labels: { [SENDER]: 'the victim', [UNRELATED]: 'our treasury' },
        chains: [{ slug: 'mine', chainId: 77, rpcUrls: [`https://node.example/${SECRET}`] }],
      },
    });
    for (const [address, name] of [
      [SENDER, 'Bob of support'],
      [`0x${'ee'.repeat(20)}`, 'my other wallet'],
    ]) {
      await service.request('PUT', '/v1/labels', { body: { address, name } });
    }
    const hash = sandboxHash('swap-two-hops');
    const path = `/v1/explorer/sandbox/transaction/${hash}/case`;
    const { message, data } = await service.request<WrittenCase>('POST', path, {
      body: { file, prove: true },
    });
    assert.equal(message, 'OK');
    written = data;
  });
  after(async () => {
    await service.stop();
    await removeDirectory(folder);
  });

  it('come with no secrets, and with names of addresses that occur alone', async () => {
    const { entries } = await readContainer(file);
    const text = [...entries.values()].join('\n');
    for (const name of ['the victim', 'Bob of support']) assert.ok(text.includes(name), name);
    const { hostname, port } = new URL(service.url);
    for (const secret of [
      SECRET,
      'our treasury',
      'my other wallet',
      service.key,
      service.dataDir,
      `${hostname}:${port}`,
      'http://',
      'ws://',
      folder,
      'local@forklens.local',
    ]) {
      assert.ok(!text.includes(secret), secret);
    }
  });

  it('prove the state before by the hash of the block', async () => {
    const { message, data } = await verify({ file, hash: written.block.hash });
    assert.equal(message, 'OK');
    assert.equal(data.why, undefined);
    assert.equal(data.level, 'state');
    assert.equal(data.trusted, true);
    assert.ok(written.bytes < 1_000_000, `${written.bytes} bytes`);
  });

  it('are of no other block', async () => {
    const { code, message } = await verify({ file, hash: `0x${'1'.repeat(64)}` });
    assert.equal(code, 42205);
    assert.equal(
      message,
      `the case file is refused: it is of block ${written.block.hash}, and 0x${'1'.repeat(64)} was given`,
    );
  });

  /** Why a file with another entry is refused, or the level that it reaches. */
  async function verdictWith(name: string, change: (content: never) => void): Promise<string> {
    const { entries } = await readContainer(file);
    const content = JSON.parse(String(entries.get(name))) as never;
    change(content);
    const changed = new Map([...entries, [name, Buffer.from(JSON.stringify(content))]]);
    return verdictOf(changed);
  }
  async function verdictOf(entries: ReadonlyMap<string, Buffer>): Promise<string> {
    const other = join(folder, 'other.forklens');
    await writeFile(other, (await writeContainer(entries)).bytes);
    const { message, data } = await verify({ file: other });
    if (message === 'OK') return `${data.level}: ${data.why ?? ''}`;
    return message.replace('the case file is refused: ', '');
  }
  const changedProof = (change: (proof: CaseProof) => void): Promise<string> =>
    verdictWith('proof.json', change);
  const lastDigit = (hex: string): string => hex.slice(0, -1) + (hex.endsWith('1') ? '2' : '1');

  it('are refused with a header that does not have the hash of the block', async () => {
    const { hash } = written.block;
    const why = `the header of its block does not have the hash ${hash}`;
    assert.equal(
      await changedProof(({ block }) => (block['stateRoot'] = `0x${'0'.repeat(64)}`)),
      why,
    );
    assert.equal(await changedProof(({ block }) => (block['gasUsed'] = 7)), why);
    assert.equal(await changedProof(({ block }) => delete block['timestamp']), why);
    const another = ({ analyses }: { analyses: { block: { hash: string } }[] }): void => {
      analyses[0]!.block.hash = lastDigit(hash);
    };
    assert.equal(
      await verdictWith('case.json', another),
      `the header of its block does not have the hash ${lastDigit(hash)}`,
    );
  });

  it('are refused with the state of another block', async () => {
    assert.match(
      await changedProof(({ parent }) => (parent['stateRoot'] = `0x${'0'.repeat(64)}`)),
      /^the header of the parent does not have the hash 0x/,
    );
    assert.match(
      await changedProof((proof) => (proof.parent = proof.block)),
      /^the header of the parent does not have the hash 0x/,
    );
  });

  it('are refused with another transaction, receipt or chain', async () => {
    assert.match(
      await verdictWith('case.json', ({ analyses }: { analyses: { transaction: string }[] }) => {
        analyses[0]!.transaction = lastDigit(analyses[0]!.transaction);
      }),
      /^transaction 0x[0-9a-f]{64} is not at position 0 of its block$/,
    );
    assert.equal(
      await verdictWith('case.json', (subject: { chain: { chainId: number } }) => {
        subject.chain.chainId = 1;
      }),
      'its transaction is of chain 31337, and it states 1',
    );
    assert.equal(
      await changedProof(({ receipts }) => (receipts[0]!['status'] = '0x0')),
      'the receipts of the block do not have the root in its header',
    );
    assert.equal(
      await changedProof(({ receipts }) => (receipts[0]!['gasUsed'] = '0x1')),
      'receipt 0 does not fit the others and its transaction',
    );
    assert.match(
      await changedProof(({ receipts }) => receipts.pop()),
      /^it has \d+ receipts for \d+ transactions$/,
    );
  });

  it('are refused with another state than the root has', async () => {
    const why = /^the proof of (the account|slot \w+ of) 0x[0-9a-f]{40} is not one of the state/;
    assert.match(
      await changedProof(({ accounts }) => {
        accounts[0]!.accountProof[0] = lastDigit(accounts[0]!.accountProof[0]!);
      }),
      why,
    );
    assert.match(
      await changedProof(({ accounts }) => {
        const withSlots = accounts.find(({ storageProof }) =>
          storageProof.some(({ proof }) => proof[0]),
        )!;
        const slot = withSlots.storageProof.find(({ proof }) => proof[0])!;
        slot.proof[0] = lastDigit(slot.proof[0]!);
      }),
      why,
    );
    assert.match(
      await changedProof((proof) => {
        const [address = ''] = Object.keys(proof.codes);
        proof.codes[address as '0x'] = `${proof.codes[address as '0x'] ?? ''}00`;
      }),
      /^the code of 0x[0-9a-f]{40} does not have the hash that is proved$/,
    );
  });

  it('reach a lower level where proofs are missing, and say which', async () => {
    assert.match(
      await changedProof((proof) => {
        for (const account of proof.accounts) account.storageProof = [];
      }),
      /^receipts: the file holds no proof of all that is read: eth_getStorageAt \[.*\] is not proved$/,
    );
    const { entries } = await readContainer(file);
    const without = new Map([...entries].filter(([name]) => name !== 'proof.json'));
    assert.equal(await verdictOf(without), 'executed: the file holds no proofs');
  });

  it('are refused where the execution has another result', async () => {
    const { entries } = await readContainer(file);
    const changed = new Map([...entries].filter(([name]) => name !== 'proof.json'));
    const lines = String(entries.get('answers.jsonl')).replaceAll(
      '"status":"0x1"',
      '"status":"0x0"',
    );
    changed.set('answers.jsonl', Buffer.from(lines));
    assert.match(
      await verdictOf(changed),
      /^executed again, it has another result: transaction 0 \(0x\w+\): status 0x1 instead of 0x0$/,
    );
  });
});
