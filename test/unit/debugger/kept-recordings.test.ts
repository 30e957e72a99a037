import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { DebuggedTransaction } from '../../../server/debugger/session/debugged-transaction';
import { toWord } from '../../../server/evm/forms/quantity';
import { RecordingFiles } from '../../../server/store/cache/recording-files';
import { assemble } from '../../fidelity/assembler';
import { makeTemporaryDirectory, removeDirectory } from '../../support/temporary-directory';
import { BLOCKHASHES, HASH, OTHER, recordingsOf } from './recordable-chain';

/** Used by the transactions. */
const GAS = 43_106;

describe('recordings on disk', () => {
  let folder: string;
  const stores: RecordingFiles[] = [];
  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
  });
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.settled()));
    await removeDirectory(folder);
  });

  type Options = Parameters<typeof recordingsOf>[0] & { maxBytes?: number };
  /** As after a start of the service. */
  function started({ maxBytes, gasUsed = GAS, ...options }: Options = {}) {
    const lookUps: boolean[] = [];
    const warnings: string[] = [];
    const files = new RecordingFiles({
      folder,
      ...(maxBytes !== undefined && { maxBytes }),
      warn: (_, message) => warnings.push(message),
      onLookUp: (isHit) => lookUps.push(isHit),
    });
    stores.push(files);
    return { ...recordingsOf({ ...options, gasUsed, store: files }), files, lookUps, warnings };
  }
  const stored = async (): Promise<string[]> =>
    (await readdir(folder)).filter((name) => name.endsWith('.jsonl.gz'));
  const onlyFile = async (): Promise<string> => join(folder, (await stored())[0]!);

  it('are made again without their trace and the hashes of blocks', async () => {
    const first = started({ code: BLOCKHASHES, gasUsed: 21_120 });
    const original = await first.open();
    await first.files.settled();
    const second = started({ code: BLOCKHASHES, gasUsed: 21_120 });
    const opened = await second.open(HASH, { user: 'ann' });
    assert.deepEqual(opened.recorded.verification, { level: 'receipt' });
    for (let step = 0; step < original.recording.steps; step++) {
      assert.deepEqual(stacksAt(opened, step), stacksAt(original, step));
      assert.deepEqual(opened.recording.at(step), original.recording.at(step));
    }
    assert.deepEqual(
      [second.located, second.lookUps, second.rpc.calls.map(({ method }) => method)],
      [[], [true], ['eth_getTransactionByHash']],
    );
    assert.equal(opened.recorded.located.network.user, 'ann');
  });

  it('that are damaged, truncated, empty, of another version or another transaction are made from the node', async () => {
    const first = started();
    await first.open();
    await first.files.settled();
    const path = await onlyFile();
    const whole = await readFile(path);
    const text = gunzipSync(whole).toString();
    const flipped = Buffer.from(whole);
    flipped.writeUInt8(flipped.readUInt8(60) ^ 0xff, 60);
    const contents = [
      flipped,
      whole.subarray(0, whole.length - 20),
      Buffer.alloc(0),
      Buffer.from('foreign'),
      ...[
        text.replace('"version":1', '"version":0'),
        text.replace('"name":"', '"name":"0'),
        text.slice(0, text.indexOf('\n') + 1),
        '',
        'null\n',
        text.replace('"balance":"0xffff"', '"balance":"none"'),
        text.replace('"gasUsed":"0xa862"', '"gasUsed":"0xa863"'),
        text.replaceAll('"mined":', '"other":'),
      ].map((changed) => gzipSync(changed)),
    ];
    for (const [index, content] of contents.entries()) {
      await writeFile(path, content);
      const next = started();
      const { recorded } = await next.open();
      assert.deepEqual(recorded.verification, { level: 'receipt' }, `content ${index}`);
      assert.equal(next.located.length, 1, `content ${index}`);
      await next.files.settled();
      assert.equal(gunzipSync(await readFile(path)).toString(), text, `content ${index}`);
    }
  });

  it('are those of one block', async () => {
    const first = started();
    await first.open();
    await first.files.settled();
    const second = started();
    second.chain.blocks.set(HASH, toWord(8n));
    await second.open();
    assert.deepEqual([second.located.length, second.lookUps], [1, [false]]);
  });

  it('know whether empty accounts are part of an old state', async () => {
    const old = { code: assemble('0 0 0 0 0 4660 0 call stop'), gasUsed: 46_061 };
    const first = started({ ...old, hardfork: 'frontier' });
    const { recorded } = await first.open();
    await first.files.settled();
    const again = await started({ ...old, hardfork: 'frontier' }).open();
    assert.deepEqual(again.recorded.verification, { level: 'receipt' });
    assert.equal(again.recorded.inputs.prestate.hasEmpty, recorded.inputs.prestate.hasEmpty);
  });

  it('are not written for forks, for replays that are not proved, and if they differ from the receipt', async () => {
    for (const options of [
      { replayable: false },
      { method: 'replay' as const },
      { gasUsed: 20_999 },
    ]) {
      const { open, files } = started(options);
      await open();
      await files.settled();
      assert.deepEqual(await stored(), []);
    }
  });

  it('are bounded: those that were not used for longest are deleted', async () => {
    const probe = started();
    await probe.open();
    await probe.files.settled();
    const { length } = await readFile(await onlyFile());
    const { open, files } = started({ maxBytes: length * 1.5 });
    await open();
    await open(OTHER);
    await files.settled();
    assert.equal((await stored()).length, 1);
  });

  it('that cannot be written are logged, and answered all the same', async () => {
    await writeFile(join(folder, 'file'), '');
    const files = new RecordingFiles({
      folder: join(folder, 'file'),
      warn: (_, message) => warnings.push(message),
    });
    const warnings: string[] = [];
    const { recording } = await recordingsOf({ gasUsed: GAS, store: files }).open();
    await files.settled();
    assert.deepEqual([recording.steps, warnings], [4, ['a recording cannot be stored on disk']]);
  });
});

const stacksAt = (
  { recording }: DebuggedTransaction,
  step: number,
): readonly (readonly bigint[])[] => recording.stateAt(step).frames.map(({ stack }) => stack);
