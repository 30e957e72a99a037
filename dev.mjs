// `npm run dev [-- OPTIONS OF THE SERVICE]`: builds, runs the service with the sandbox, and does both again when a source changes.
// Windows that were opened by F5 reload when the extension was built.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch, writeFileSync } from 'node:fs';
import path from 'node:path';
import { clearTimeout, setTimeout } from 'node:timers';

const ROOT = import.meta.dirname;
/** Bundles that are made of the files below a folder. */
const TARGETS = {
  server: ['server', 'extension'], // the extension shares the contract
  media: ['server', 'extension'], // the command line writes the inspector's page
  extension: ['extension'],
};
const SOURCE = /\.(ts|tsx|mjs|css|json|sol)$/;
/** Editors write a file in several steps. */
const SETTLED_MS = 100;
const given = process.argv.slice(2);
const options = given.length > 0 ? given : ['--sandbox', '--local-user'];

const say = (text) => console.error(`dev: ${text}`);
const outdated = new Set(['server', 'extension']);
let service;
let isBusy = false;
let timer;

function run(args, stdio) {
  return spawn(process.execPath, args, { cwd: ROOT, stdio });
}

async function build(target) {
  const started = Date.now();
  const [code] = await once(run(['esbuild.mjs', target], ['ignore', 2, 2]), 'exit');
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  say(
    code === 0 ? `built ${target} in ${seconds} s` : `${target} has faults; waiting for a change`,
  );
  return code === 0;
}

async function restartService() {
  if (service?.exitCode === null) {
    service.stdin.end(); // its lifeline
    await once(service, 'exit');
  }
  const started = run(['dist/server.js', ...options, '--stdin-lifeline'], ['pipe', 1, 2]);
  started.once('exit', (code) => {
    if (started === service && code !== 0) say(`the service ended with code ${code}`);
  });
  service = started;
}

async function update() {
  if (isBusy) return; // what changes meanwhile is seen at the end
  isBusy = true;
  while (outdated.size > 0) {
    const targets = [...outdated];
    outdated.clear();
    for (const target of targets) {
      if (!(await build(target))) continue;
      if (target === 'server') await restartService();
      else writeFileSync(path.join(ROOT, 'dist/extension-built'), '');
    }
  }
  isBusy = false;
}

for (const [folder, targets] of Object.entries(TARGETS)) {
  watch(path.join(ROOT, folder), { recursive: true }, (_, file) => {
    if (!SOURCE.test(file ?? '')) return;
    for (const target of targets) outdated.add(target);
    clearTimeout(timer);
    timer = setTimeout(() => void update(), SETTLED_MS);
  });
}
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    if (service?.exitCode !== null) process.exit(0);
    service.once('exit', () => process.exit(0));
    service.stdin.end();
  });
}
await update();
