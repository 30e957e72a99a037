import assert from 'node:assert/strict';
import { buildOutput } from '../../../extension/build-output/output-folder';

describe('the folder of a build output', () => {
  it('is what Foundry is told, from the folder of its file', () => {
    const of = (text: string) => buildOutput('/work/a/foundry.toml', text);
    assert.equal(of('[profile.default]\nsrc = "src"\n'), '/work/a/out');
    assert.equal(of('[profile.default]\n  out = "build/out" # here\n'), '/work/a/build/out');
    assert.equal(of("out='../shared'\n[profile.ci]\nout = 'ci'"), '/work/shared');
    assert.equal(of('# out = "no"\nlayout = "x"\n'), '/work/a/out');
  });

  it('is the usual one of Hardhat, whose configuration is a program', () => {
    assert.equal(buildOutput('/work/b/hardhat.config.ts', 'paths: {}'), '/work/b/artifacts');
  });
});
