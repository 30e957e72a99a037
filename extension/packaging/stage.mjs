// A folder with exactly the files of a package. It is identical on every machine: modes do not depend on the umask.
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export class Stage {
  constructor() {
    this.folder = mkdtempSync(path.join(tmpdir(), 'forklens-package-'));
  }

  /** @param name path of the file in the package, with slashes */
  copy(name, source, { executable = false } = {}) {
    const file = this.#placeFor(name);
    copyFileSync(source, file);
    chmodSync(file, executable ? 0o755 : 0o644);
  }

  write(name, content) {
    const file = this.#placeFor(name);
    writeFileSync(file, content);
    chmodSync(file, 0o644);
  }

  writeJson(name, value) {
    this.write(name, `${JSON.stringify(value, undefined, 2)}\n`);
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #placeFor(name) {
    const file = path.join(this.folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    return file;
  }
}
