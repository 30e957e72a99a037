// The packages whose code is in the bundles, with their licences.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './build.mjs';

const META = path.join(ROOT, 'dist/meta');
const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;
const TEXTS = path.join(import.meta.dirname, 'licence-texts');

/** The bundles of a package, selected by the folder of their entry points: each `{ entryPoint, inputs, outputs }`. */
export function bundlesOf(folders) {
  const bundles = readdirSync(META)
    .sort()
    .map((file) => JSON.parse(readFileSync(path.join(META, file), 'utf8')))
    .filter(({ entryPoint }) => folders.includes(entryPoint.split('/')[0]));
  if (bundles.length === 0) throw new Error(`no bundle of ${folders.join(', ')} was built`);
  return bundles;
}

/** Folders of the packages that contribute code to the bundles. Inputs that add no byte do not count. */
export function foldersOf(bundles) {
  const inputs = bundles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap((output) =>
      Object.entries(output.inputs)
        .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
        .map(([input]) => input),
    ),
  );
  // A path may end with esbuild's suffixes and contain nested node_modules: the last one counts.
  const folders = inputs.flatMap(
    (input) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? [],
  );
  return [...new Set(folders)].sort();
}

/** @throws Error if the package declares no licence */
export function componentOf(folder) {
  const directory = path.join(ROOT, folder);
  const manifest = JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8'));
  const { name, version, license } = manifest;
  if (typeof license !== 'string') throw new Error(`${name}@${version} names no licence`);
  const files = readdirSync(directory)
    .filter((file) => LICENCE_FILE.test(file))
    .sort();
  const texts = files.map((file) => readFileSync(path.join(directory, file), 'utf8').trim());
  return {
    folders: [folder],
    name,
    version,
    license,
    manifest,
    texts: texts.length > 0 ? texts : ownText(name),
  };
}

/** For packages that publish no licence file: the text from their repository, stored here. */
function ownText(name) {
  const file = path.join(TEXTS, `${name.replaceAll('/', '__')}.txt`);
  return existsSync(file) ? [readFileSync(file, 'utf8').trim()] : [];
}

/** A package that is installed in several folders is one component. */
export function componentsOf(bundles) {
  const components = new Map();
  for (const component of foldersOf(bundles).map(componentOf)) {
    const key = `${component.name}@${component.version}`;
    const known = components.get(key);
    if (known === undefined) components.set(key, component);
    else known.folders.push(...component.folders);
  }
  return [...components.values()].sort(
    (a, b) => compare(a.name, b.name) || compare(a.version, b.version),
  );
}

const compare = (a, b) => (a < b ? -1 : Number(a > b));
