import assert from 'node:assert/strict';
import { spawnBundle } from '../support/service';

const COMMANDS = [['store', 'check'], ['store', 'check', '--json'], ['--help']];

/** Runs commands with a closed standard output. Each must exit without a signal and write nothing to stderr. */
export async function runToItsEnd(dataDir: string): Promise<void> {
  for (const command of COMMANDS) {
    const args = command.includes('--help') ? command : [...command, '--data-dir', dataDir];
    const { child, exited, stderr } = spawnBundle('cli.js', args);
    child.stdout!.destroy();
    const { signal } = await exited;
    assert.equal(signal, null, command.join(' '));
    assert.deepEqual(stderr, [], command.join(' '));
  }
}
