import assert from 'node:assert/strict';
import { Deferred } from '../../../../../extension/debugger/adapter/deferred';
import { SourceWatch } from '../../../../../extension/debugger/adapter/source-watch';

const AN_HOUR_MS = 3_600_000;

/** Builds whose ends a test says. */
class Builds {
  readonly #listeners = new Set<() => void>();

  get listeners(): number {
    return this.#listeners.size;
  }

  onDidBuild(listener: () => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  end(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** A look that tells when it was called. */
class Looks {
  #count = 0;
  readonly #reached = new Deferred<void>();

  constructor(private readonly wanted: number) {}

  readonly look = (): Promise<void> => {
    if (++this.#count === this.wanted) this.#reached.resolve();
    return Promise.resolve();
  };

  get reached(): Promise<void> {
    return this.#reached.promise;
  }
}

describe('what looks for new sources during a debug session', () => {
  let watch: SourceWatch;
  afterEach(() => {
    watch.dispose();
  });

  it('looks after each wait from the start', async () => {
    const looks = new Looks(3);
    watch = new SourceWatch(undefined, looks.look, [1, 1, 1]);
    await looks.reached;
  });

  it('looks at once when a build ends', async () => {
    const builds = new Builds();
    const looks = new Looks(1);
    watch = new SourceWatch(builds, looks.look, [AN_HOUR_MS]);
    builds.end();
    await looks.reached;
  });

  it('is quiet when a look fails, and looks again after the next wait', async () => {
    const looks = new Looks(1);
    let isAway = true;
    const look = (): Promise<void> => {
      if (!isAway) return looks.look();
      isAway = false;
      return Promise.reject(new Error('the service is away'));
    };
    watch = new SourceWatch(undefined, look, [1, 1]);
    await looks.reached;
  });

  it('listens to no build after its end', () => {
    const builds = new Builds();
    watch = new SourceWatch(builds, () => Promise.resolve(), [AN_HOUR_MS]);
    assert.equal(builds.listeners, 1);
    watch.dispose();
    assert.equal(builds.listeners, 0);
  });
});
