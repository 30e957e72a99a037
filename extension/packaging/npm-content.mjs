// Content of the npm package `forklens`: the service and the command line. The repository's own package.json belongs to the extension.
import { execFileSync } from 'node:child_process';
import { existsSync, renameSync } from 'node:fs';
import path from 'node:path';
import { manifest, ROOT } from './build.mjs';
import { bundlesOf, componentsOf } from './components.mjs';
import { engineDependencies } from './engine.mjs';
import { thirdPartyText } from './licences.mjs';
import { publishedPage } from './page.mjs';
import { sbom } from './sbom.mjs';

const COPIED = ['name', 'version', 'license', 'bin', 'keywords', 'repository', 'bugs', 'homepage'];
const DESCRIPTION =
  'Forks of EVM chains at an exact transaction, and analyses of transactions: a REST service and a command line, on your own machine.';
/** Files that the bundles read at run time. */
const DATA = [
  'sandbox-contracts.json',
  'sandbox-sources.json',
  'sandbox-ast.json',
  'sandbox-plan.json',
  'signatures.json',
  'known-contracts.json',
  'evmole_bg.wasm',
];

/** From the inspector, only the page: the command line writes analyses into it. */
const isService = ({ entryPoint }) =>
  entryPoint.startsWith('server/') || entryPoint === 'media/inspector/page.tsx';

/** @returns the list of components, which is also a file beside the package */
export function packService(stage, out) {
  const bundles = bundlesOf(['server', 'media']).filter(isService);
  const files = [
    ...bundles
      .flatMap(({ outputs }) => Object.keys(outputs))
      .filter((file) => !file.endsWith('.map')),
    ...DATA.map((name) => `dist/${name}`),
  ];
  const commands = Object.values(manifest.bin);
  for (const file of [...new Set(files)].sort()) {
    const source = path.join(ROOT, file);
    // esbuild lists a file of legal comments even if there are none.
    if (existsSync(source)) stage.copy(file, source, { executable: commands.includes(file) });
  }
  stage.writeJson('package.json', packageManifest());
  stage.write('README.md', publishedPage('server/README.md'));
  stage.write('CHANGELOG.md', publishedPage('CHANGELOG.md'));
  stage.copy('LICENSE', path.join(ROOT, 'LICENSE'));
  const components = componentsOf(bundles);
  stage.write('THIRD-PARTY-LICENSES.txt', thirdPartyText(components));
  const { name, version } = manifest;
  const subject = { name, version, manifest, type: 'application' };
  const list = sbom(subject, [...components, ...engineDependencies()]);
  stage.write('sbom.cdx.json', list);
  pack(stage.folder, out);
  return list;
}

function packageManifest() {
  const { engines, dependencies } = manifest;
  return {
    ...Object.fromEntries(COPIED.map((field) => [field, manifest[field]])),
    description: DESCRIPTION,
    engines: { node: engines.node },
    files: ['dist', 'THIRD-PARTY-LICENSES.txt', 'CHANGELOG.md', 'sbom.cdx.json'],
    dependencies: { '@foundry-rs/anvil': dependencies['@foundry-rs/anvil'] },
    publishConfig: { access: 'public', provenance: true },
  };
}

/** npm sorts the entries and gives all of them the same time. */
function pack(folder, out) {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', path.dirname(out)];
  const shell = process.platform === 'win32'; // npm is a script on Windows
  const options = { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], shell };
  const [{ filename }] = JSON.parse(execFileSync('npm', args, options));
  renameSync(path.join(path.dirname(out), filename), out);
}
