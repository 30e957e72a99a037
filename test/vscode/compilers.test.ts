import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { NpmRegistry } from '../support/npm-registry';
import { activate, dataDirectory } from './support';

const INSTALL = 'forklens.installCompiler';
const VERSION = '0.8.1';
const FILES = {
  'package.json': Buffer.from(`{ "name": "solc", "version": "${VERSION}" }`),
  'soljson.js': Buffer.from('// the compiler'),
};

describe('compilers of Solidity', () => {
  const modules = (): string => path.join(dataDirectory(), 'solc', 'node_modules');
  let registry: NpmRegistry;
  before(async () => {
    await activate();
    registry = await NpmRegistry.start(VERSION, FILES);
    process.env['npm_config_registry'] = `${registry.url}/npm`;
  });
  after(() => {
    Reflect.deleteProperty(process.env, 'npm_config_registry');
    registry.close();
  });

  it('are installed for the service of this window, with their integrity checked', async () => {
    registry.isBroken = true;
    assert.equal(await vscode.commands.executeCommand(INSTALL, VERSION), false);
    assert.deepEqual(await readdir(modules()).catch(() => []), []);
    registry.reset();
    assert.equal(await vscode.commands.executeCommand(INSTALL, VERSION), true);
    const file = path.join(modules(), `solc-${VERSION}`, 'soljson.js');
    assert.equal(await readFile(file, 'utf8'), '// the compiler');
  });
});
