import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AbiCoder } from 'ethers';
import type { UpgradeCheck } from '../../server/api/upgrade-check';
import { toWord } from '../../server/evm/forms/quantity';
import { sandboxArtifact } from '../support/artifact';
import { call } from '../support/json-rpc';
import { createFork } from '../support/service';
import { useCommandLine } from './cli-suite';

/** The proxy of the sandbox. */
const GOLD = '0x8a791620dd6260079bf849dc5567adc3f2fdc318';
const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

const HOLDER = `0x${'77'.repeat(20)}`;
/** EIP-1967: keccak256('eip1967.proxy.admin') - 1 */
const ADMIN_SLOT = '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103';

/** Code that answers every call with a word, and the calls of one function with other bytes. */
function answering(word: string, selector = '0xffffffff', bytes = '0x'): string {
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
  const length = (bytes.length - 2) / 2;
  // The selector of the call is compared first; the bytes follow the code.
  const other = `61${hex(length, 4)}61${hex(START + 57, 4)}60003961${hex(length, 4)}6000f3`;
  const one = `7f${word.slice(2)}60005260206000f3`;
  const start = `5f3560e01c63${selector.slice(2)}1461${hex(START + 41, 4)}57`;
  return `0x${start}${one}5b${other}${bytes.slice(2)}`;
}
/** Bytes of code before the answer of a word. */
const START = 15;

describe('upgrade-check', function () {
  this.timeout(120_000);
  const suite = useCommandLine();

  const check = async (edit: (text: string) => string, ...options: string[]) => {
    const { text } = sandboxArtifact('UpgradeableTokenV2', (file, source) =>
      file === 'UpgradeableToken.sol' ? edit(source) : source,
    );
    const file = join(suite.home, 'Next.json');
    await writeFile(file, text);
    const args = ['upgrade-check', 'sandbox', GOLD, '--code', file, ...options];
    const { code, stdout, stderr } = await suite.cli.run([...args, '--json']);
    assert.equal(stderr, '');
    return { code, found: JSON.parse(stdout) as UpgradeCheck };
  };
  const lines = ({ items }: UpgradeCheck, subject: string): string[] =>
    items.filter((item) => item.subject === subject).map(({ level, text }) => `${level}: ${text}`);

  it('passes code that only adds functions', async () => {
    const { code, found } = await check((text) =>
      text.replace(
        'function burn(',
        'function version() external pure returns (uint256) { return 3; }\n    function burn(',
      ),
    );
    assert.equal(code, 1); // Whether the initializer ran is not known: the token has no version of its own.
    assert.deepEqual(lines(found, 'layout'), []);
    assert.deepEqual(lines(found, 'functions'), ['info: new functions: version()']);
    assert.equal(found.name, 'UpgradeableTokenV2');
    const [authority] = lines(found, 'authority');
    assert.match(
      authority!,
      /^info: the admin of the proxy \(ERC-1967\) is 0xf39f\w+; 0xf39f\w+ is an account without code: one key decides$/,
    );
    const passed = await check((text) => text, '--allow-unknown');
    assert.equal(passed.code, 0);
  });

  it('names what a new layout would lose, with its live value', async () => {
    const { code, found } = await check((text) =>
      text
        .replace('    string public name;\n', '    uint256 public cap;\n    string public name;\n')
        .replace('address public owner;', 'uint160 public owner;')
        .replaceAll('owner = owner_', 'owner = uint160(owner_)')
        .replaceAll('owner != address(0)', 'owner != 0')
        .replaceAll('msg.sender != owner', 'uint160(msg.sender) != owner'),
    );
    assert.equal(code, 1);
    const layout = found.items.filter(({ subject }) => subject === 'layout');
    assert.ok(layout.every(({ level }) => level === 'error'));
    const texts = layout.map(({ text }) => text);
    assert.ok(
      texts.some((text) => /^name moved from slot \d to slot \d$/.test(text)),
      texts.join('\n'),
    );
    assert.ok(texts.includes('cap reads what was written as name'), texts.join('\n'));
    const owner = layout.find(
      ({ variable, text }) => variable === 'owner' && text.includes('moved'),
    );
    assert.match(owner!.value!, /^0x[0-9a-f]{40}$/);
  });

  it('names functions that are gone, and clashes with those of the proxy', async () => {
    const { found } = await check((text) =>
      text.replace(
        'function burn(uint256 value) external {',
        'function upgradeToAndCall(address, bytes calldata) external {}\n    function burnAll(uint256 value) external {',
      ),
    );
    const functions = lines(found, 'functions');
    assert.ok(
      functions.some((text) =>
        text.startsWith('error: upgradeToAndCall(address,bytes) is never reached'),
      ),
      functions.join('\n'),
    );
    assert.ok(functions.includes('warning: burn(uint256) is gone'));
  });

  it('says of a live proxy on a fork who may upgrade it now', async () => {
    const { rpc, forkId } = await createFork(suite.service, { chainId: 31337, height: '0xd' });
    const { text } = sandboxArtifact('UpgradeableTokenV2', (_, source) => source);
    const file = join(suite.home, 'Same.json');
    await writeFile(file, text);
    const authority = async (): Promise<string[]> => {
      const args = ['upgrade-check', forkId, GOLD, '--code', file, '--allow-unknown', '--json'];
      const { code, stdout } = await suite.cli.run(args);
      assert.equal(code, 0, stdout);
      return lines(JSON.parse(stdout) as UpgradeCheck, 'authority');
    };
    const admin = async (holder: string): Promise<void> => {
      const word = `0x${holder.slice(2).padStart(64, '0')}`;
      await call(rpc, 'anvil_setStorageAt', GOLD, ADMIN_SLOT, word);
    };
    const named = (holder: string): string =>
      `info: the admin of the proxy (ERC-1967) is ${holder}; ${holder} is`;
    await admin(ALICE);
    assert.deepEqual(await authority(), [
      `${named(ALICE)} an account without code: one key decides`,
    ]);
    await call(rpc, 'anvil_setCode', HOLDER, answering(toWord(172_800)));
    await admin(HOLDER);
    assert.deepEqual(await authority(), [
      `${named(HOLDER)} a timelock with a delay of 172800 seconds`,
    ]);
    const members = AbiCoder.defaultAbiCoder().encode(['address[]'], [[ALICE, GOLD]]);
    await call(rpc, 'anvil_setCode', HOLDER, answering(toWord(2), '0xa0e67e2b', members));
    assert.deepEqual(await authority(), [
      `${named(HOLDER)} a multisig: 2 of 2 (${ALICE}, ${GOLD})`,
    ]);
  });

  it('is refused by name for what is no proxy, and for what is no artifact', async () => {
    const file = join(suite.home, 'None.json');
    await writeFile(file, '{"abi":[]}');
    const bad = await suite.cli.run(['upgrade-check', 'sandbox', ALICE, '--code', file]);
    assert.deepEqual(
      [bad.code, bad.stderr],
      [
        2,
        `error: --code is ${JSON.stringify(file)}: it is not an artifact of Foundry or Hardhat with abi and deployedBytecode`,
      ],
    );
    const { text } = sandboxArtifact('UpgradeableTokenV2', (_, source) => source);
    await writeFile(file, text);
    const { code, stderr } = await suite.cli.run([
      'upgrade-check',
      'sandbox',
      ALICE,
      '--code',
      file,
    ]);
    assert.equal(code, 2);
    assert.match(stderr, /address is "0x7099\w+"; accepted: a proxy whose implementation is known/);
  });
});
