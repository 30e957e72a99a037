// Bundles what runs: `node esbuild.mjs [server|extension]`, both without an argument. Types are checked by tsc.
import { build } from 'esbuild';
import { compileSandbox } from './server/sandbox/compile.mjs';

const shared = { bundle: true, sourcemap: true, logLevel: 'warning', legalComments: 'external' };
const node = { ...shared, platform: 'node', format: 'cjs', target: 'node20' };
const browser = { ...shared, platform: 'browser', format: 'iife', target: 'es2022', minify: true };

const bundles = {
  server: () => [
    build({ ...node, entryPoints: ['server/main.ts'], outfile: 'dist/server.js' }),
    build({ ...node, entryPoints: ['server/cli/main.ts'], outfile: 'dist/cli.js' }),
    compileSandbox('dist/sandbox-contracts.json'),
  ],
  extension: () => [
    build({
      ...node,
      minify: true,
      entryPoints: ['extension/extension.ts'],
      outfile: 'dist/extension.js',
      external: ['vscode'],
    }),
    build({
      ...browser,
      entryPoints: { inspector: 'media/inspector/main.tsx' },
      outdir: 'dist',
      loader: { '.ttf': 'file' },
    }),
  ],
};

const [target] = process.argv.slice(2);
if (target !== undefined && !Object.hasOwn(bundles, target)) {
  throw new Error(`unknown target ${target}: ${Object.keys(bundles).join(' or ')}`);
}
await Promise.all(
  Object.entries(bundles).flatMap(([name, run]) => (target && target !== name ? [] : run())),
);
