import { openSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type Mocha from 'mocha';
import { HOOK_VARIABLE, type HookOrder } from '../hook-order';
import { addNetwork } from './add-network';
import { Reporter } from './reporter';
import { watchMocha } from './watch-mocha';
import { watchNodeTest } from './watch-node-test';
import { watchSolidity, type Executor } from './watch-solidity';

/** Loaded into Hardhat's process before Hardhat: it has what runs tests report them. */
function begin(order: HookOrder): void {
  const reporter = new Reporter(openSync(order.output, 'a', 0o600));
  const hardhat = createRequire(realpathSync(process.argv[1] ?? ''));
  if (order.version === 2) {
    watchMocha(load(hardhat, 'mocha'), order, reporter);
    if (order.url !== undefined) addNetwork(hardhat, order.url);
    return;
  }
  watchNodeTest(order, reporter);
  watchSolidity(hardhat('@nomicfoundation/edr') as Executor, order, reporter);
  const mocha = mochaOf3(path.resolve('package.json'));
  if (mocha) watchMocha(mocha, order, reporter);
}

/** @returns undefined: the project has no such tests */
function mochaOf3(manifest: string): typeof Mocha | undefined {
  let plugin: string;
  try {
    plugin = createRequire(manifest).resolve('@nomicfoundation/hardhat-mocha');
  } catch {
    return undefined;
  }
  return load(createRequire(realpathSync(plugin)), 'mocha');
}

/** Newer ones are modules of ECMAScript. */
function load(require: NodeJS.Require, name: 'mocha'): typeof Mocha {
  const loaded = require(name) as typeof Mocha | { default: typeof Mocha };
  return 'default' in loaded ? loaded.default : loaded;
}

const given = process.env[HOOK_VARIABLE];
// Processes that the tests start are not theirs.
// eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- as the name is shared
delete process.env[HOOK_VARIABLE];
if (given !== undefined) begin(JSON.parse(given) as HookOrder);
