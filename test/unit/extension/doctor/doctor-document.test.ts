import assert from 'node:assert/strict';
import { doctorDocument } from '../../../../extension/doctor/doctor-document';
import type { Finding } from '../../../../server/api/doctor';

const fine: Finding = { name: 'Node.js', status: 'ok', message: 'version 20.20.2' };
const dead: Finding = {
  name: 'endpoint of eth (1 of 1)',
  status: 'failed',
  message: 'no answer\nat all',
  advice: 'Check [it](command:evil).',
};
const old: Finding = {
  name: 'engine',
  status: 'warning',
  message: 'anvil 1.4.0',
  advice: 'Update.',
};

describe('the document of the doctor', () => {
  it('starts with a summary, and lists problems first', () => {
    const lines = doctorDocument({ version: '1.2.3', findings: [fine, old, dead] }).split('\n');
    assert.equal(lines[2], '1 to fix, 1 to improve, 1 fine. Version 1.2.3.');
    assert.deepEqual(
      lines.slice(6, 9).map((line) => line.slice(0, 6)),
      ['| ✗ | ', '| ⚠ | ', '| ✓ | '],
    );
  });

  it('escapes markup and line breaks in its texts', () => {
    const [row] = doctorDocument({ version: '1', findings: [dead] })
      .split('\n')
      .slice(6);
    assert.equal(
      row,
      '| ✗ | endpoint of eth \\(1 of 1\\) | no answer at all | Check \\[it\\]\\(command:evil\\). |',
    );
  });

  it('states that nothing needs to be done', () => {
    assert.match(doctorDocument({ version: '1', findings: [fine] }), /\nEverything is fine\. /);
  });
});
