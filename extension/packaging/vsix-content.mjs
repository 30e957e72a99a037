// The content of the extension's package, and its manifest.
import path from 'node:path';
import { createVSIX, listFiles, PackageManager } from '@vscode/vsce';
import { manifest, ROOT, sourceDate } from './build.mjs';
import { bundlesOf, componentsOf } from './components.mjs';
import { engineComponent, placeEngine } from './engine.mjs';
import { thirdPartyText } from './licences.mjs';
import { publishedPage } from './page.mjs';
import { sbom } from './sbom.mjs';
import { extensionVersion } from './versions.mjs';

const SOURCE_FOLDERS = ['extension', 'media', 'server'];
/** Fields for development and for the npm package. The bundled packages are in the list of components. */
const NPM_ONLY_FIELDS = ['private', 'bin', 'scripts', 'dependencies', 'devDependencies'];

/** @returns the list of components, which is also a file beside the package */
export async function packExtension(stage, { target, withEngine, out }) {
  const { version, preRelease } = extensionVersion(manifest.version);
  const bundles = bundlesOf(SOURCE_FOLDERS);
  await stageFiles(stage, bundles);
  const kept = Object.entries(manifest).filter(([field]) => !NPM_ONLY_FIELDS.includes(field));
  stage.writeJson('package.json', { ...Object.fromEntries(kept), version });
  stage.write('README.md', publishedPage('extension/README.md'));
  stage.write('CHANGELOG.md', publishedPage('CHANGELOG.md'));
  const components = componentsOf(bundles);
  if (withEngine) components.push(engineComponent(target, placeEngine(ROOT, target, stage)));
  stage.write('THIRD-PARTY-LICENSES.txt', thirdPartyText(components));
  const list = sbom({ name: manifest.name, version, manifest, type: 'application' }, components);
  stage.write('sbom.cdx.json', list);
  stage.write('.vscodeignore', ''); // all staged files belong to the package
  await zip({ cwd: stage.folder, packagePath: out, target, preRelease, dependencies: false });
  return list;
}

/** Stages the files that .vscodeignore admits. From dist, only the files of this build. */
async function stageFiles(stage, bundles) {
  const built = new Set(bundles.flatMap(({ outputs }) => Object.keys(outputs)));
  for (const file of await listFiles({ cwd: ROOT, packageManager: PackageManager.None })) {
    const isBundle = /^dist\/.*\.(js|css|txt)$/.test(file);
    if (!isBundle || built.has(file)) stage.copy(file, path.join(ROOT, file));
  }
}

/** With SOURCE_DATE_EPOCH, vsce sorts the entries and fixes their time. Zip files store it as local time. */
async function zip(options) {
  const before = { SOURCE_DATE_EPOCH: process.env.SOURCE_DATE_EPOCH, TZ: process.env.TZ };
  Object.assign(process.env, { SOURCE_DATE_EPOCH: String(sourceDate()), TZ: 'UTC' });
  try {
    await createVSIX(options);
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}
