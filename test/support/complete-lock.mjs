// The npm script `dependencies`, which npm runs after each change of node_modules: adds the optional packages of other platforms that
// package-lock.json lacks. npm leaves them out when the registry in use does not serve them, and `npm ci` then refuses the lock file.
import { readFileSync, writeFileSync } from 'node:fs';

const OS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const CPU = { amd64: 'x64', x64: 'x64', arm64: 'arm64', arm: 'arm', ia32: 'ia32', ppc64: 'ppc64' };
const MORE_CPU = { riscv64: 'riscv64', s390x: 's390x', loong64: 'loong64', wasm32: 'wasm32' };
const LIBC = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' };

/** Platform of a package after the words of its name, as `@unrs/resolver-binding-linux-arm64-musl`. */
function platformOf(name) {
  const words = name.split(/[/-]/);
  const find = (table) =>
    words.flatMap((word) => (Object.hasOwn(table, word) ? [table[word]] : []));
  const cpu = find({ ...CPU, ...MORE_CPU }).slice(-1);
  const os = words.filter((word) => OS.includes(word));
  const libc = os.includes('linux') ? find(LIBC) : [];
  if (cpu.length === 0 && os.length === 0) throw new Error(`${name} names no platform`);
  return {
    ...(libc.length > 0 && { libc }),
    ...(cpu.length > 0 && { cpu }),
    ...(os.length > 0 && { os }),
  };
}

/** Optional dependencies of the lock file that have no entry of their own: `[name, version, packageThatAsks]`. */
function missingOptionals({ packages }) {
  return Object.values(packages).flatMap((asking) =>
    Object.entries(asking.optionalDependencies ?? {})
      .filter(
        ([name]) => !Object.keys(packages).some((key) => key.endsWith(`node_modules/${name}`)),
      )
      .map(([name, version]) => [name, version, asking]),
  );
}

const file = new URL('../../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
const missing = missingOptionals(lock);
for (const [name, version, asking] of missing) {
  lock.packages[`node_modules/${name}`] = {
    version,
    ...platformOf(name),
    ...(asking.dev && { dev: true }),
    optional: true,
  };
}
if (missing.length > 0) {
  const [root, ...others] = Object.entries(lock.packages);
  others.sort(([a], [b]) => a.localeCompare(b, 'en'));
  lock.packages = Object.fromEntries([root, ...others]);
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`package-lock.json: added ${missing.length} packages of other platforms`);
}
