#!/usr/bin/env node
import { VERSION } from '../composition/startup/version';

// Scripts and shells often ask for the version, so this path loads no other module.
const [only, ...others] = process.argv.slice(2);
if ((only === '--version' || only === '-V') && others.length === 0) {
  process.stdout.write(`${VERSION}\n`);
} else {
  void import('./program/command-line').then(({ runCommandLine }) => runCommandLine());
}
