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
let builder;
let isBusy = false;
let isEnding = false;
let timer;

function run(args, stdio) {
  return spawn(process.execPath, args, { cwd: ROOT, stdio });
}

async function ended(child) {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

async function build(target) {
  const started = Date.now();
  say(`building ${target}`);
  builder = run(['esbuild.mjs', target], ['ignore', 2, 2]);
  const [code] = await once(builder, 'exit');
  builder = undefined;
  if (isEnding) return false;
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  say(
    code === 0 ? `built ${target} in ${seconds} s` : `${target} has faults; waiting for a change`,
  );
  return code === 0;
}

async function restartService() {
  if (service !== undefined) {
    service.stdin.end(); // its lifeline
    await ended(service);
  }
  if (isEnding) return;
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
      if (isEnding || !(await build(target))) continue;
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

/** Ends after the service and the running build have ended. */
async function end() {
  isEnding = true;
  clearTimeout(timer);
  service?.stdin.end();
  await Promise.all([service, builder].map((child) => child && ended(child)));
  process.exit(0);
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void end());
await update();
