import assert from 'node:assert/strict';
import {
  lengthWithoutMetadata,
  CodeTemplate,
} from '../../../../server/contracts/abi/code-template';

/** The metadata that the compiler appends: two bytes of CBOR after the map header, then the length. */
const metadata = (content: string) => `a1${content}0003`;

describe('CodeTemplate', () => {
  it('matches the same code whatever its metadata', () => {
    const template = new CodeTemplate(`6001600255${metadata('aaaa')}`, []);
    assert.equal(template.length, 5);
    assert.equal(template.fullLength, 10);
    assert.equal(template.matches(`0x6001600255${metadata('bbbb')}`), true);
    assert.equal(template.matches('0x6001600255'), true);
    assert.equal(template.matches(`0x6001600355${metadata('aaaa')}`), false);
    assert.equal(template.matches(`0x600160025500${metadata('aaaa')}`), false);
    assert.equal(lengthWithoutMetadata(`0x6001600255${metadata('bbbb')}`), 5);
  });

  it('matches anything in the holes', () => {
    const link = `__$${'1'.repeat(34)}$__`;
    const template = new CodeTemplate(`6001${link}5500`, [{ start: 2, length: 20 }]);
    assert.equal(template.matches(`0x6001${'ab'.repeat(20)}5500`), true);
    assert.equal(template.matches(`0x6002${'ab'.repeat(20)}5500`), false);
    assert.equal(template.matches(`0x6001${'ab'.repeat(20)}5501`), false);
  });

  it('reads zeros after PUSH32 as an immutable, and the zeros of a library as its address', () => {
    const immutable = new CodeTemplate(`60017f${'0'.repeat(64)}55`, []);
    assert.equal(immutable.matches(`0x60017f${'ab'.repeat(32)}55`), true);
    const library = new CodeTemplate(`73${'0'.repeat(40)}301460`, []);
    assert.equal(library.matches(`0x73${'ab'.repeat(20)}301460`), true);
  });

  it('says whether metadata is equal: at the end, in created contracts, and of init code', () => {
    const inner = { start: 2, length: 2 };
    const template = new CodeTemplate(`6001aaaa55${metadata('bbbb')}`, [], [inner]);
    assert.equal(template.compare(`0x6001aaaa55${metadata('bbbb')}`, false), 'exact');
    assert.equal(template.compare(`0x6001aaaa55${metadata('cccc')}`, false), 'withoutMetadata');
    assert.equal(template.compare(`0x6001cccc55${metadata('bbbb')}`, false), 'withoutMetadata');
    assert.equal(template.compare(`0x6002aaaa55${metadata('bbbb')}`, false), undefined);
    assert.equal(template.compare(`0x6001aaaa55${metadata('bbbb')}00ff`, true), 'exact');
    assert.equal(template.compare(`0x6001aaaa55${metadata('cccc')}00ff`, true), 'withoutMetadata');
    const bare = new CodeTemplate('6001600255', []);
    assert.equal(bare.compare('0x6001600255', false), 'exact');
    assert.equal(bare.compare(`0x6001600255${metadata('aaaa')}`, false), 'withoutMetadata');
  });

  it('is the start of init code, followed by the arguments', () => {
    const template = new CodeTemplate(`6001600255${metadata('aaaa')}`, []);
    assert.equal(template.begins(`0x6001600255${metadata('aaaa')}${'0'.repeat(64)}`), true);
    assert.equal(template.begins(`0x6001600255${metadata('bbbb')}`), true);
    assert.equal(template.begins('0x6001600255'), false);
  });
});
