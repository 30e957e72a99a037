import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ApiError } from '../../../server/api/errors';
import { readContainer, writeContainer } from '../../../server/cases/container/container';
import { makeTemporaryDirectory, removeDirectory } from '../../support/temporary-directory';

interface Entry {
  name: string;
  sha256: string;
  size: number;
  stored: number;
}

const sha256 = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('hex');

/** The bytes of a file with this head, whatever it claims. */
function withHead(entries: unknown, stored: Buffer, version = 1): Buffer {
  const head = `${JSON.stringify({ entries })}\n`;
  const line = `forklens-case ${version} ${sha256(head)} ${Buffer.byteLength(head)}\n`;
  return Buffer.concat([Buffer.from(line + head), stored]);
}

const entryOf = (
  content: Buffer | string,
  stored: Buffer,
  changes: Partial<Entry> = {},
): Entry => ({
  name: 'case.json',
  sha256: sha256(content),
  size: Buffer.byteLength(content),
  stored: stored.length,
  ...changes,
});

describe('the container of a case file', () => {
  let folder: string;
  let file: string;
  before(async () => {
    folder = await makeTemporaryDirectory();
    file = join(folder, 'one.forklens');
  });
  after(() => removeDirectory(folder));

  /** Why a file with these bytes is refused. */
  async function refusal(bytes: Buffer): Promise<string> {
    await writeFile(file, bytes);
    return refusalAt(file);
  }
  async function refusalAt(path: string): Promise<string> {
    try {
      await readContainer(path);
    } catch (error) {
      assert.ok(error instanceof ApiError, String(error));
      assert.equal(error.kind, 'caseRefused');
      return error.message.replace('the case file is refused: ', '');
    }
    return 'accepted';
  }

  const content = Buffer.from('{"a":1}');
  const stored = gzipSync(content);

  it('is read as it was written', async () => {
    const entries = new Map([
      ['case.json', content],
      ['answers.jsonl', Buffer.from('')],
    ]);
    const { bytes, id } = await writeContainer(entries);
    await writeFile(file, bytes);
    const found = await readContainer(file);
    assert.equal(found.id, id);
    assert.deepEqual([...found.entries], [...entries]);
  });

  it('is refused for each wrong byte', async () => {
    const { bytes } = await writeContainer(new Map([['case.json', content]]));
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 0x55;
      await writeFile(file, changed);
      const why = await refusalAt(file);
      // Bytes of gzip that state time and system are not part of the content.
      if (why === 'accepted')
        assert.deepEqual((await readContainer(file)).entries.get('case.json'), content);
    }
  });

  it('is refused where it is cut off, and where bytes follow', async () => {
    const { bytes } = await writeContainer(new Map([['case.json', content]]));
    for (let length = 0; length < bytes.length; length++) {
      assert.notEqual(await refusal(bytes.subarray(0, length)), 'accepted', `${length} bytes`);
    }
    assert.equal(
      await refusal(Buffer.concat([bytes, Buffer.from('x')])),
      `it has ${bytes.length + 1} bytes, and its head describes ${bytes.length}`,
    );
  });

  it('is refused for another version', async () => {
    assert.equal(
      await refusal(withHead([entryOf(content, stored)], stored, 2)),
      'its form has version 2; accepted: 1',
    );
  });

  it('is refused with a bomb, before it is unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    assert.equal(
      await refusal(withHead([entryOf('', bomb, { size: 1_000 })], bomb)),
      'its entry case.json does not unpack to the 1000 bytes that its head states',
    );
    assert.equal(
      await refusal(withHead([entryOf('', bomb, { size: 2 ** 40 })], bomb)),
      `its entries have ${2 ** 40} bytes; accepted: up to ${256 * 1024 * 1024}`,
    );
  });

  it('is refused with another content than its hash', async () => {
    assert.equal(
      await refusal(withHead([entryOf(content, stored, { sha256: sha256('other') })], stored)),
      'its entry case.json does not have the hash that its head states',
    );
    assert.equal(
      await refusal(withHead([entryOf(content, stored, { size: 8 })], stored)),
      'its entry case.json has 7 bytes, and its head states 8',
    );
  });

  it('is refused with a path, with two entries of a name, and with too many', async () => {
    for (const name of ['../case.json', '/etc/passwd', 'a/b.json', 'case.JSON', '.json', '']) {
      assert.match(
        await refusal(withHead([entryOf(content, stored, { name })], stored)),
        /^its head is not valid: entries\.0\.name /,
        name,
      );
    }
    const twice = [entryOf(content, stored), entryOf(content, stored)];
    const both = Buffer.concat([stored, stored]);
    assert.equal(await refusal(withHead(twice, both)), 'two of its entries have the same name');
    assert.match(
      await refusal(withHead(Array(33).fill(entryOf(content, stored)), stored)),
      /^its head is not valid: entries /,
    );
  });

  it('is refused with negative and broken sizes', async () => {
    for (const change of [{ size: -1 }, { stored: -1 }, { stored: 1.5 }, { size: 1e300 }]) {
      const why = await refusal(withHead([entryOf(content, stored, change)], stored));
      assert.match(why, /^its head is not valid: entries\.0\./, JSON.stringify(change));
    }
  });

  it('is refused with 10 GB, without being read', async () => {
    await writeFile(file, withHead([entryOf(content, stored)], stored));
    await truncate(file, 10 * 1024 ** 3);
    assert.equal(
      await refusalAt(file),
      `it has ${10 * 1024 ** 3} bytes; accepted: up to ${64 * 1024 * 1024}`,
    );
  });

  it('is refused where it is no file, or not there', async () => {
    const path = join(folder, 'folder.forklens');
    await mkdir(path);
    assert.equal(await refusalAt(path), 'it is not a file');
    assert.equal(await refusalAt(join(folder, 'none.forklens')), 'it cannot be read (ENOENT)');
    const pipe = join(folder, 'pipe.forklens');
    execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
    assert.equal(await refusalAt(pipe), 'it is not a file');
  });
});
