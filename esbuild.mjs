// Builds the bundles: `node esbuild.mjs [server|extension|tests|inspector]`; all of them without an argument. tsc checks the types.
import { Buffer } from 'node:buffer';
import { mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { withoutDescriptions } from './extension/packaging/without-descriptions.mjs';
import { collectSignatures } from './server/contracts/abi/collect-signatures.mjs';
import { compileSandbox } from './server/chains/sandbox/compile.mjs';
import { writePlan } from './server/chains/sandbox/write-plan.mjs';

const shared = { bundle: true, sourcemap: true, logLevel: 'warning', legalComments: 'external' };
const node = {
  ...shared,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  logOverride: { 'empty-import-meta': 'silent' },
};
/**
 * Reduces undici to the parts that are used. All of it would load Node's own copy of undici and HTTP/2, which takes a fifth of the
 * service's start time. What only proxies and WebSockets need is loaded with the first one. A name that is missing here fails the build.
 */
const leanUndici = {
  name: 'lean-undici',
  setup({ onResolve, onLoad }) {
    const [namespace, resolveDir] = ['lean-undici', import.meta.dirname];
    onResolve({ filter: /^undici$/ }, ({ path: name }) => ({ path: name, namespace }));
    onResolve({ filter: /\/client-h2(\.js)?$/ }, ({ path: name }) => ({ path: name, namespace }));
    onLoad({ filter: /^undici$/, namespace }, () => ({
      contents: `
        import Dispatcher from 'undici/lib/dispatcher/dispatcher';
        import requests from 'undici/lib/api';
        export { default as Agent } from 'undici/lib/dispatcher/agent';
        export { default as Pool } from 'undici/lib/dispatcher/pool';
        export { default as buildConnector } from 'undici/lib/core/connect';
        Object.assign(Dispatcher.prototype, requests);
        export const fetch = (...asked) => require('undici/lib/web/fetch').fetch(...asked);
        export function EnvHttpProxyAgent(options) {
          return new (require('undici/lib/dispatcher/env-http-proxy-agent'))(options);
        }
        export function WebSocket(...asked) {
          return new (require('undici/lib/web/websocket/websocket').WebSocket)(...asked);
        }`,
      resolveDir,
    }));
    onLoad({ filter: /client-h2/, namespace }, () => ({
      contents: `module.exports = () => { throw new Error('no HTTP/2 in this bundle'); };`,
    }));
  },
};
/** Modules that are loaded on demand, each as a separate bundle. */
const onDemand = (bundles) => ({
  name: 'on-demand',
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ path: name, resolveDir, kind }) => {
      if (kind !== 'dynamic-import') return undefined;
      const file = `${path.relative(import.meta.dirname, path.resolve(resolveDir, name))}.ts`;
      const bundle = bundles[file.replaceAll(path.sep, '/')];
      return bundle === undefined ? undefined : { path: `./${bundle}`, external: true };
    });
  },
});
/** The client of a database, which a service without one does not load. */
const DATABASE = { 'server/team/postgres/open-storage.ts': 'postgres.js' };
/** Checks of Merkle proofs, which only the verification of case files needs. */
const PROOFS = { 'server/cases/proof/verify-case.ts': 'case-proofs.js' };
/** Runs with `vm.Script`, which does not support import(). Identifiers are not shortened, for the stack traces in the log. */
const service = {
  ...node,
  supported: { 'dynamic-import': false },
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 200,
  plugins: [leanUndici, onDemand({ ...DATABASE, ...PROOFS })],
};
/** zod's schemas include their conversion to JSON schemas: 18 kB that only the service needs. */
const withoutJsonSchemas = {
  name: 'without-json-schemas',
  setup({ onLoad }) {
    const filter = /zod[\\/]v4[\\/]core[\\/](to-json-schema|json-schema-processors)\.js$/;
    onLoad({ filter }, async ({ path: file }) => {
      const code = await readFile(file, 'utf8');
      const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(
        ([, name]) => name,
      );
      const absent = 'const absent = () => { throw new Error("no JSON schemas in this bundle"); };';
      return {
        contents: `${absent}\nexport { ${names.map((n) => `absent as ${n}`).join(', ')} };`,
      };
    });
  },
};
/** Modules that the command line loads on demand, each as a separate bundle, so that a command loads only the code that it needs. */
const ON_DEMAND = {
  'server/cli/command-handlers/service-bundle.ts': 'cli-service.js',
  'server/cli/local/local-commands.ts': 'cli-local.js',
  'server/cli/ci/ci-bundle.ts': 'cli-ci.js',
  'server/cli/analysis/analysis-bundle.ts': 'cli-analysis.js',
  'server/cli/analysis/encode-call.ts': 'cli-encode.js',
  'server/cli/completion/complete.ts': 'cli-complete.js',
};
const commandLine = {
  ...node,
  minify: true,
  // Node's import() of CommonJS reads the whole file a second time, for the names of its exports.
  supported: { 'dynamic-import': false },
  plugins: [leanUndici, onDemand({ ...ON_DEMAND, ...DATABASE })],
};
/** Modules of the extension that most windows never need. */
const EDITOR_ON_DEMAND = {
  'extension/debugger/adapter-bundle.ts': 'debug-adapter.js',
  'extension/debugger/launch-values.ts': 'launch-values.js',
  'extension/simulate/simulate-bundle.ts': 'simulate.js',
  'extension/open/open-bundle.ts': 'open.js',
  'extension/chains/chains-bundle.ts': 'chains.js',
  'extension/compilers/install-compiler.ts': 'install-compiler.js',
  'extension/watch/watch-bundle.ts': 'watch.js',
  'extension/address-page/address-bundle.ts': 'address-page.js',
  'extension/foundry/create-foundry-test.ts': 'create-foundry-test.js',
  'extension/test-explorer/tests-bundle.ts': 'tests.js',
  'extension/contracts/contracts-bundle.ts': 'contracts.js',
  'extension/links/open-link.ts': 'open-link.js',
  'extension/notebook/notebook-bundle.ts': 'notebook.js',
  'extension/inspector/save-page.ts': 'save-page.js',
  'extension/cases/cases-bundle.ts': 'cases.js',
  'extension/what-if/run-again.ts': 'run-again.js',
  'extension/history/when-changed.ts': 'when-changed.js',
  'extension/history/what-would-have-happened.ts': 'what-would-have-happened.js',
  'extension/transactions/resend-with-changes.ts': 'resend.js',
  'extension/endpoints/ask-endpoint.ts': 'ask-endpoint.js',
  'extension/forks/fork-forms.ts': 'fork-forms.js',
  'extension/agents/tools-bundle.ts': 'agent-tools.js',
  'server/agents/analysis-texts.ts': 'analysis-texts.js',
};
/** Code that runs in the editor. Minified, because every window loads it. */
const editor = {
  ...node,
  minify: true,
  supported: { 'dynamic-import': false },
  external: ['vscode'],
  plugins: [withoutJsonSchemas, withoutDescriptions, onDemand(EDITOR_ON_DEMAND)],
};
const browser = {
  ...shared,
  platform: 'browser',
  format: 'esm',
  splitting: true,
  target: 'es2022',
  minify: true,
  jsx: 'automatic',
  jsxImportSource: 'preact',
};

/** Files of this build. */
const written = new Set();

/** Writes a file where its content changed, and at once: what runs during a build reads the old file or the new one, never a part. */
async function put(file, bytes) {
  written.add(path.resolve(file));
  const unfinished = `dist/unfinished-${process.pid}-${written.size}`;
  const old = await readFile(file).catch(() => undefined);
  if (old?.equals(bytes)) return;
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(unfinished, bytes);
  await rename(unfinished, file);
}

/** Removes the files of a folder that are not of this build. */
async function removeOthers(folder) {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = path.resolve(entry.parentPath, entry.name);
    if (entry.isFile() && !written.has(file)) await rm(file, { force: true });
  }
}

/** Builds a bundle and records its inputs in dist/meta: packages contain and list exactly those. */
async function build(options) {
  const { outputFiles, metafile } = await esbuild.build({
    ...options,
    metafile: true,
    write: false,
  });
  for (const { path: file, contents } of outputFiles) await put(file, contents);
  const { inputs, outputs } = metafile;
  const [main] = Object.values(options.entryPoints);
  const file = `dist/meta/${path.dirname(main).replaceAll('/', '-')}-${path.parse(main).name}.json`;
  await put(file, Buffer.from(JSON.stringify({ entryPoint: main, inputs, outputs })));
}

/** The webview's code: one module, and the folder `inspector` with the modules that it loads on demand or shares with them. */
async function inspector() {
  await build({
    ...browser,
    entryPoints: { inspector: 'media/inspector/main.tsx' },
    outdir: 'dist',
    chunkNames: 'inspector/[name]-[hash]',
    loader: { '.ttf': 'file' },
    assetNames: '[name]',
  });
  await removeOthers('dist/inspector');
}

/** Shows analyses in the outputs of notebooks, by the inspector's page beside it. */
const notebookRenderer = () =>
  build({
    ...{ ...browser, splitting: false },
    entryPoints: ['media/inspector/notebook/renderer.ts'],
    outfile: 'dist/notebook-renderer.js',
  });

let builtPage;
/**
 * The inspector as one self-contained file, for pages that are opened outside the editor. The command line and the extension write such
 * pages.
 */
const page = () =>
  (builtPage ??= build({
    ...browser,
    format: 'iife',
    splitting: false,
    sourcemap: false,
    legalComments: 'none',
    entryPoints: { page: 'media/inspector/page.tsx' },
    outdir: 'dist',
    loader: { '.ttf': 'dataurl' },
  }));

/** The server loads evmole's WebAssembly on first use, and does not use evmole's own loader script. */
async function copyWasm() {
  await put('dist/evmole_bg.wasm', await readFile('node_modules/evmole/dist/evmole_bg.wasm'));
}

/** Names and tokens of well-known contracts, which the server reads on first use. */
async function copyKnownContracts() {
  const data = await readFile('server/contracts/known/known-contracts.json', 'utf8');
  await put('dist/known-contracts.json', Buffer.from(JSON.stringify(JSON.parse(data))));
}

async function sandboxData() {
  await compileSandbox('dist');
  await writePlan('dist/sandbox-contracts.json', 'dist/sandbox-plan.json');
}

const bundles = {
  server: () => [
    build({
      ...node,
      entryPoints: ['server/composition/startup/start.ts'],
      outfile: 'dist/server.js',
    }),
    build({ ...service, entryPoints: ['server/main.ts'], outfile: 'dist/service.js' }),
    ...Object.entries({ ...DATABASE, ...PROOFS }).map(([file, bundle]) =>
      // pg uses libpq's bindings only if a program asks for them.
      build({
        ...{ ...service, external: ['pg-native'] },
        ...{ entryPoints: [file], outfile: `dist/${bundle}` },
      }),
    ),
    build({ ...commandLine, entryPoints: ['server/cli/main.ts'], outfile: 'dist/cli.js' }),
    ...Object.entries(ON_DEMAND).map(([file, bundle]) =>
      build({ ...commandLine, entryPoints: [file], outfile: `dist/${bundle}` }),
    ),
    build({
      ...node,
      entryPoints: ['server/chains/engine/gatekeeper.ts'],
      outfile: 'dist/gatekeeper.js',
    }),
    // The worker thread with the virtual machine of other chains' blocks, which most services never start.
    build({
      ...service,
      entryPoints: ['server/execution/workers/executor-worker.ts'],
      outfile: 'dist/executor.js',
    }),
    build({
      ...node,
      entryPoints: ['server/contracts/sources/compilers/solc-child.ts'],
      outfile: 'dist/solc-child.js',
    }),
    page(),
    sandboxData(),
    collectSignatures('dist/signatures.json'),
    copyKnownContracts(),
    copyWasm(),
  ],
  extension: () => [
    build({
      ...editor,
      entryPoints: ['extension/extension.ts'],
      outfile: 'dist/extension.js',
    }),
    ...Object.entries(EDITOR_ON_DEMAND).map(([file, bundle]) =>
      build({ ...editor, entryPoints: [file], outfile: `dist/${bundle}` }),
    ),
    build({
      ...editor,
      entryPoints: ['extension/inspector/worker.ts'],
      outfile: 'dist/inspector-worker.js',
    }),
    // Loaded into the user's Hardhat.
    build({
      ...node,
      entryPoints: ['extension/hardhat-tests/hook/hook.ts'],
      outfile: 'dist/hardhat-hook.js',
    }),
    inspector(),
    notebookRenderer(),
    page(),
  ],
  // The suite that runs inside an extension host. It finds mocha in node_modules, beside the extension.
  tests: () => [
    build({
      ...node,
      entryPoints: ['test/vscode/index.ts', 'test/vscode/*.test.ts'],
      outdir: 'dist/test/vscode',
      external: ['vscode', 'mocha'],
    }).then(() => removeOthers('dist/test')),
  ],
};
/** Parts that their tests build separately. */
const parts = { inspector: () => [inspector(), notebookRenderer(), page()] };

const [target] = process.argv.slice(2);
const targets = { ...bundles, ...parts };
if (target !== undefined && !Object.hasOwn(targets, target)) {
  throw new Error(`unknown target ${target}: ${Object.keys(targets).join(' or ')}`);
}
const start = new Date();
const wanted = target === undefined ? Object.values(bundles) : [targets[target]];
await Promise.all(wanted.flatMap((run) => run()));
if (target === undefined) await removeOthers('dist/meta');
if (wanted.includes(bundles.server)) {
  // For cli.mjs: files changed during the build are newer than this time.
  await writeFile('dist/server-built', '');
  await utimes('dist/server-built', start, start);
}
