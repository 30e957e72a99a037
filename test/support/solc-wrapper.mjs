#!/usr/bin/env node
// Used by Foundry as a native solc: the compiler of the npm package with a command line.
import { readFileSync } from 'node:fs';
import solc from 'solc';

if (process.argv.includes('--version')) {
  const version = solc.version().replace(/\.Emscripten\.clang$/, '');
  console.log(`solc, the solidity compiler commandline interface\nVersion: ${version}.Linux.g++`);
} else {
  process.stdout.write(solc.compile(readFileSync(0, 'utf8')));
}
