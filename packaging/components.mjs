// The packages whose code is in the bundles, with their licences.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './build.mjs';

const META = path.join(ROOT, 'dist/meta');
const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;
const TEXTS = path.join(import.meta.dirname, 'licence-texts');

/** What went into the bundles of a package, by the folder of their entry: `{ entryPoint, inputs, outputs }` of each. */
export function bundlesOf(rooms) {
  const bundles = readdirSync(META)
    .sort()
    .map((file) => JSON.parse(readFileSync(path.join(META, file), 'utf8')))
    .filter(({ entryPoint }) => rooms.includes(entryPoint.split('/')[0]));
  if (bundles.length === 0) throw new Error(`no bundle of ${rooms.join(', ')} was built`);
  return bundles;
}

/** Folders of the packages that have a share in the bundles; without what was read but left no byte. */
export function foldersOf(bundles) {
  const inputs = bundles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap((output) =>
      Object.entries(output.inputs)
        .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
        .map(([input]) => input),
    ),
  );
  // A path may end in esbuild's marks, and stand in nested node_modules: the last one counts.
  const folders = inputs.flatMap(
    (input) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? [],
  );
  return [...new Set(folders)].sort();
}

/** @throws Error where a package names no licence */
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

/** Of packages that publish no licence file: what their repository holds, kept here. */
function ownText(name) {
  const file = path.join(TEXTS, `${name.replaceAll('/', '__')}.txt`);
  return existsSync(file) ? [readFileSync(file, 'utf8').trim()] : [];
}

/** A package that is installed in several places is one component. */
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
