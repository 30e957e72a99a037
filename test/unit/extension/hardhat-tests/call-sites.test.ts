import assert from 'node:assert/strict';
import { lineIn, stackHere } from '../../../../extension/hardhat-tests/hook/call-sites';

describe('lines in stacks', () => {
  it('are those of the file, in each form in which Node.js writes places', () => {
    const stack = `Error: at /project/a.js:1:1 it failed
    at Proxy.withdraw (/project/node_modules/ethers/contract.ts:352:16)
    at file:///project/test/my%20bank.ts?namespace=1:11:14
    at async Context.<anonymous> (/project/test/a (1).js:7:3)
    at async /project/test (2)/b.js:9:1
    at processTicksAndRejections (node:internal/process/task_queues:95:5)`;
    assert.equal(lineIn(stack, '/project/test/my bank.ts'), 11);
    assert.equal(lineIn(stack, '/project/test (2)/b.js'), 9);
    assert.equal(lineIn(stack, '/project/test/a (1).js'), 7);
    assert.equal(lineIn(stack, '/project/test/c.js'), undefined);
    assert.equal(lineIn(undefined, '/project/test/c.js'), undefined);
  });

  it('are known where Mocha left out the working directory', () => {
    const stack = 'Error: x\n    at Context.<anonymous> (test/a.js:7:3)';
    assert.equal(lineIn(stack, `${process.cwd()}/test/a.js`), 7);
  });

  it('include that of the caller', () => {
    assert.equal(typeof lineIn(stackHere(), __filename), 'number');
  });
});
