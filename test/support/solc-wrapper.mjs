#!/usr/bin/env node
// What Foundry takes for a native solc: the compiler of the npm package behind its command line.
import { readFileSync } from 'node:fs';
import solc from 'solc';

if (process.argv.includes('--version')) {
  const version = solc.version().replace(/\.Emscripten\.clang$/, '');
  console.log(`solc, the solidity compiler commandline interface\nVersion: ${version}.Linux.g++`);
} else {
  process.stdout.write(solc.compile(readFileSync(0, 'utf8')));
}
