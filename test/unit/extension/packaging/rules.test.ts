import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { VERSION } from '../../../../server/composition/startup/version';

const ROOT = path.resolve(__dirname, '../../../..');

interface Component {
  folders: string[];
  name: string;
  version: string;
  license: string;
  texts: string[];
}
interface Rules {
  extensionVersion: (version: string) => { version: string; preRelease: boolean };
  licenceFaults: (components: Component[]) => string[];
  thirdPartyText: (components: (Component & { manifest: object })[]) => string;
  auditFaults: (components: Component[], run: () => string) => { findings: string[]; note: string };
}

const component = (name: string, license: string, texts = ['text']): Component => ({
  folders: [`node_modules/${name}`],
  name,
  version: '1.0.0',
  license,
  texts,
});

describe('the rules of a release', () => {
  let rules: Rules;
  before(async () => {
    const load = async (name: string): Promise<object> =>
      (await import(pathToFileURL(path.join(ROOT, 'extension/packaging', name)).href)) as object;
    const modules = await Promise.all(['versions.mjs', 'licences.mjs', 'audit.mjs'].map(load));
    rules = Object.assign({}, ...modules) as Rules;
  });

  it('give the extension a version without a suffix, below its release', () => {
    for (const [version, expected, preRelease] of [
      ['1.0.0-rc.1', '0.99.1', true],
      ['1.0.0-rc.12', '0.99.12', true],
      ['1.4.0-rc.2', '1.3.2', true],
      ['1.0.0', '1.0.0', false],
      ['1.2.7', '1.2.7', false],
    ] as const) {
      assert.deepEqual(rules.extensionVersion(version), { version: expected, preRelease });
    }
  });

  it('reject versions that the marketplaces could not order', () => {
    for (const version of ['1.1.0', '1.0.1-rc.1', '1.0.0-rc', '1.0.0-beta.1', '0.0.0-rc.1', 'x']) {
      assert.throws(() => rules.extensionVersion(version), {
        message: `version in package.json is ${version}; accepted: X.Y.Z and X.Y.0-rc.N with an even Y, but not 0.0.0-rc.N`,
      });
    }
  });

  it('accept permissive licences only, and only with their texts', () => {
    const accepted = [
      'MIT',
      'ISC',
      'MIT OR Apache-2.0',
      '(BSD-3-Clause AND MIT)',
      'MIT OR GPL-3.0',
    ];
    assert.deepEqual(rules.licenceFaults(accepted.map((l) => component('a', l))), []);
    for (const license of ['GPL-3.0', 'MIT AND GPL-3.0', 'BUSL-1.1', 'SEE LICENSE IN x', '']) {
      const [fault] = rules.licenceFaults([component('a', license)]);
      assert.ok(fault?.startsWith(`a@1.0.0 has the licence ${license}; accepted: 0BSD, `), fault);
    }
    assert.deepEqual(rules.licenceFaults([component('a', 'MIT', [])]), [
      'a@1.0.0 publishes no licence text; put it into extension/packaging/licence-texts',
    ]);
  });

  it('accept the MPL for packages as they were published, and name their source', () => {
    const vm = { ...component('@scope/vm', 'MPL-2.0'), manifest: {} };
    assert.deepEqual(rules.licenceFaults([vm]), []);
    const text = rules.thirdPartyText([vm, { ...component('a', 'MIT'), manifest: {} }]);
    assert.deepEqual(text.match(/^Unmodified.*$/gm), [
      'Unmodified. Source: https://registry.npmjs.org/@scope/vm/-/vm-1.0.0.tgz',
    ]);
  });

  it('find advisories about shipped packages, and count those about tools', () => {
    const advisory = (name: string) => ({
      name,
      severity: 'high',
      range: '<2',
      nodes: [`node_modules/${name}`],
      via: [{ url: `https://example.org/${name}` }, 'other'],
    });
    const report = { vulnerabilities: { a: advisory('a'), tool: advisory('tool') } };
    const run = (): string => JSON.stringify(report);
    assert.deepEqual(rules.auditFaults([component('a', 'MIT')], run), {
      findings: ['a <2 has an advisory (high) and is shipped: https://example.org/a, by other'],
      note: '1 of the shipped packages have advisories; 1 tools of development as well',
    });
  });

  it('skip the audit with a note if the registry does not answer', () => {
    for (const [printed, reason] of [
      ['{"message":"405 Method Not Allowed"}', '405 Method Not Allowed'],
      ['', 'npm printed no report'],
    ] as const) {
      assert.deepEqual(
        rules.auditFaults([], () => printed),
        { findings: [], note: `skipped, as the registry in use gave no answer (${reason})` },
      );
    }
  });

  it('require an entry in the changelog for this version', () => {
    const changelog = readFileSync(path.join(ROOT, 'CHANGELOG.md'), 'utf8');
    assert.ok(changelog.includes(`\n## [${VERSION}]`), VERSION);
  });

  it('require an icon of 256 pixels', () => {
    const png = readFileSync(path.join(ROOT, 'media/icon.png'));
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [256, 256]);
  });
});
