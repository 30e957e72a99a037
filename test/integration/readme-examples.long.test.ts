import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Fork } from '../../server/api/fork';
import { binary, SOLC } from '../support/foundry';
import { call } from '../support/json-rpc';
import { itWith } from '../support/programs';
import { sandboxHash } from '../support/sandbox-hashes';
import { createFork, localProject, startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

const ROOT = join(__dirname, '../..');
const HARDHAT = join(ROOT, 'node_modules/hardhat/internal/cli/bootstrap.js');
const DEFAULT_URL = 'http://127.0.0.1:8787';
const SENDER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

/** The examples of a language below a heading of a document. */
async function examples(file: string, heading: string, language: string): Promise<string[]> {
  const text = await readFile(join(ROOT, file), 'utf8');
  const section = text.split(/^(?=##)/m).find((one) => one.startsWith(`${heading}\n`)) ?? '';
  const found = section.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'));
  return [...found].map(([, example]) => example!);
}

/** The only example of a language below a heading of a page. */
async function example(file: string, heading: string, language: string): Promise<string> {
  const [found, ...more] = await examples(file, heading, language);
  if (found === undefined || more.length > 0)
    throw new Error(`not one ${language} below ${heading}`);
  return found;
}

/** What a newcomer copies, on a service at another port and in another home. */
describe('the commands in the documents', function () {
  this.timeout(120_000);
  let home: string;
  let service: TestService;
  let fork: Fork;
  let environment: Record<string, string>;

  before(async () => {
    home = await makeTemporaryDirectory();
    await mkdir(join(home, '.forklens'));
    service = await startService({ args: ['--sandbox'], dataDir: join(home, '.forklens') });
    fork = await createFork(service, { chainId: 31337 });
    const tools = [dirname(binary('cast')), dirname(binary('forge'))];
    environment = {
      PATH: [...tools, process.env['PATH'] ?? ''].join(delimiter),
      HOME: home,
      FORK_RPC: fork.rpc,
      FOUNDRY_SOLC: SOLC,
      FOUNDRY_DISABLE_NIGHTLY_WARNING: '1',
      HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
    };
  });
  after(async () => {
    await service.stop();
    await removeDirectory(home);
  });

  const run = async (file: string, args: readonly string[], cwd = home): Promise<string> =>
    (await promisify(execFile)(file, args, { cwd, env: environment })).stdout;

  itWith(['curl'], 'of curl answer what they ask for', async () => {
    const text = (await example('server/REST.md', '## First requests', 'sh'))
      .replaceAll(DEFAULT_URL, service.url)
      .replaceAll('<project_id>', await localProject(service))
      .replaceAll('<fork_id>', fork.forkId)
      .replaceAll('<hash>', sandboxHash('send-ether'));
    const answers = (await run('sh', ['-ec', text])).split(/(?<=\})(?=\{"code")/);
    assert.deepEqual(
      answers.map((answer) => (JSON.parse(answer) as { code: number }).code),
      [0, 0, 0, 0],
    );
  });

  itWith(['curl'], 'of recordings answer what they ask for', async () => {
    const text = (await example('server/REST.md', '## Recordings', 'sh'))
      .replaceAll(DEFAULT_URL, service.url)
      .replaceAll('<hash>', sandboxHash('transfer-18-decimals'));
    const answers = (await run('sh', ['-ec', text])).split(/(?<=\})(?=\{"code")/);
    const messages = answers.map((answer) => (JSON.parse(answer) as { message: string }).message);
    const requests = text.match(/^(get|post) /gm) ?? [];
    assert.notEqual(requests.length, 0);
    assert.deepEqual(messages, Array<string>(requests.length).fill('OK'));
  });

  it('of cast and forge find money on the fork', async () => {
    const project = join(home, 'foundry');
    await cp(join(ROOT, 'test/fixtures/foundry'), project, { recursive: true });
    const lines = (await example('server/FORKS.md', '### forge, hardhat, cast', 'sh'))
      .trim()
      .split('\n');
    assert.equal(lines.length, 4);
    const nonce = async (): Promise<number> =>
      Number(await call(fork.rpc, 'eth_getTransactionCount', SENDER, 'latest'));
    const before = await nonce();
    for (const line of lines) {
      // The tests of the fixture are about another chain.
      if (line.startsWith('forge test')) await run('sh', ['-ec', `${line} --list`], project);
      else await run('sh', ['-ec', line], project);
    }
    // One by cast, and three by the script.
    assert.equal(await nonce(), before + 4);
  });

  it('of Hardhat are a configuration', async () => {
    const project = join(home, 'hardhat');
    await mkdir(project);
    const config = await example('server/FORKS.md', '### forge, hardhat, cast', 'js');
    await writeFile(join(project, 'hardhat.config.js'), config);
    const script = `network.provider.send('eth_accounts').then((all) => console.log(all.length))`;
    await writeFile(
      join(project, 'script.js'),
      `const { network } = require('hardhat');\n${script}`,
    );
    const args = [HARDHAT, '--config', 'hardhat.config.js', '--network', 'fork'];
    environment['NODE_PATH'] = join(ROOT, 'node_modules');
    const output = await run(
      process.execPath,
      [...args, 'run', '--no-compile', 'script.js'],
      project,
    );
    assert.equal(output.trim(), '10');
  });

  it('of the first five minutes in the terminal run one after the other', async () => {
    const [start, ...steps] = await examples('README.md', '## Five minutes in the terminal', 'sh');
    assert.equal(start, 'npm start -- --sandbox --local-user\n');
    assert.equal(steps.length, 4);
    const text = steps
      .join('')
      .replace('npm run -s cli --', `"${process.execPath}" "${ROOT}/dist/cli.js"`)
      .replaceAll(DEFAULT_URL, service.url);
    const output = await run('sh', ['-ec', text]);
    assert.match(output, /Carol earns from two pools with 2000 borrowed hUSD/);
    assert.match(output, /CALL Arbitrageur\.run\(/);
    assert.match(output, /"slug":"sandbox"/);
    const rpcUrls = output.match(/^http:\/\/127\.0\.0\.1:\d+\/rpc\/[0-9a-f]{32}$/gm);
    assert.equal(new Set(rpcUrls).size, 1);
  });

  it('of the command line run one after the other', async () => {
    const cli = (line: string): Promise<string> =>
      run('sh', [
        '-ec',
        line.replace('npm run -s cli --', `"${process.execPath}" "${ROOT}/dist/cli.js"`),
      ]);
    const text = (await example('server/CLI.md', '## Users and keys', 'sh'))
      .replaceAll('<project_id>', await localProject(service))
      .replaceAll('<hash>', sandboxHash('send-ether'));
    let created = '';
    for (const line of text.trim().split('\n')) {
      if (line.includes('-- mcp')) continue; // it talks until its input ends
      if (line.includes('-- collaborator')) {
        await cli('npm run -s cli -- user add --nickname Bob --email bob@example.org');
      }
      const output = await cli(line.replace('<id>', created));
      if (line.includes('-- key create')) created = /\bkey_[0-9a-f]+\b/.exec(output)?.[0] ?? '';
    }
    assert.notEqual(created, '');
  });
});
