import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';

interface LockedPackage {
  readonly optionalDependencies?: Record<string, string>;
}

describe('the lock file', () => {
  it('has the packages of every platform, as npm ci demands (npm run dependencies adds them)', () => {
    const file = path.join(__dirname, '../../../package-lock.json');
    const { packages } = JSON.parse(readFileSync(file, 'utf8')) as {
      packages: Record<string, LockedPackage>;
    };
    const locked = new Set(Object.keys(packages).map((key) => key.split('node_modules/').at(-1)));
    const asked = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies),
    );
    assert.deepEqual(
      asked.filter((name) => !locked.has(name)),
      [],
    );
  });
});
