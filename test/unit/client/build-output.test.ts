import assert from 'node:assert/strict';
import { buildOutput } from '../../../server/client/build-output';

describe('the build output folder', () => {
  it('is the `out` setting of Foundry, relative to its file', () => {
    const of = (text: string) => buildOutput('/work/a/foundry.toml', text);
    assert.equal(of('[profile.default]\nsrc = "src"\n'), '/work/a/out');
    assert.equal(of('[profile.default]\n  out = "build/out" # here\n'), '/work/a/build/out');
    assert.equal(of("out='../shared'\n[profile.ci]\nout = 'ci'"), '/work/shared');
    assert.equal(of('# out = "no"\nlayout = "x"\n'), '/work/a/out');
  });

  it('is the default folder of Hardhat, whose config is a program', () => {
    assert.equal(buildOutput('/work/b/hardhat.config.ts', 'paths: {}'), '/work/b/artifacts');
  });
});
