import { goldenSuite, OPTIMIZED } from './golden-suite';

const E18 = '000000000000000000';

goldenSuite('creations, failures and deep calls', (golden) => {
  golden('a contract that is created', 'create', [
    {
      goto: 'TimeCapsule.sol:14',
      stack: [
        'TimeCapsule.constructor(owner_: bob, opensAt_: 1735689732):14',
        'CapsuleFactory.bury(opensAt: 1735689732):29',
      ],
      values: {
        owner_: OPTIMIZED,
        'msg.value': `1${E18}`,
        'block.timestamp': '1735689720',
        'msg.sender': 'capsuleFactory',
      },
    },
    { continue: { event: 'Buried' }, at: 'TimeCapsule.sol:30' },
    { reverse: { line: 'TimeCapsule.sol:13' }, values: { 'msg.value': `1${E18}` } },
  ]);

  golden('a contract at a chosen address', 'create2', [
    {
      goto: 'TimeCapsule.sol:15',
      values: { 'msg.sender': 'capsuleFactory', 'msg.value': `5${E18.slice(1)}` },
      callers: [
        {
          locals: { salt: `0x${'0'.repeat(62)}f0`, opensAt: '1735689732', capsule: OPTIMIZED },
        },
      ],
    },
    { backOut: 1, at: 'TimeCapsule.sol:34' },
  ]);

  golden('a constructor that refuses', 'create-fails', [
    {
      continue: { failure: 'uncaught' },
      at: 'TimeCapsule.sol:13',
      says: 'DateInPast(opensAt: 1735689600, today: 1735689720)',
      stack: [
        'TimeCapsule.constructor(owner_: bob, opensAt_: 1735689600):13',
        'CapsuleFactory.bury(opensAt: 1735689600):29',
      ],
      values: { 'msg.value': `1${E18}` },
    },
    { backOut: 1, at: 'TimeCapsule.sol:29', locals: { opensAt: '1735689600', capsule: OPTIMIZED } },
  ]);

  golden('a contract that destroys itself', 'self-destruct', [
    {
      goto: 'TimeCapsule.sol:20',
      stack: ['TimeCapsule.open():20'],
      locals: {},
      values: {
        owner: 'bob',
        opensAt: '1735689732',
        'block.timestamp': '1735689732',
        'address(this).balance': `1${E18}`,
        'msg.sender': 'carol',
      },
    },
    { continue: 'end', op: 'SELFDESTRUCT' },
  ]);

  golden('a condition with a text', 'error-string', [
    {
      continue: { failure: 'uncaught' },
      at: 'TokenBase.sol:36',
      says: 'Token: balance too low',
      stack: [
        `TokenBase._transfer(from: bob, to: alice, value: 1000000${E18}) of HarborToken:36`,
        `HarborToken.transfer(to: alice, value: 1000000${E18}):13`,
      ],
      locals: { from: 'bob', to: 'alice', value: `1000000${E18}` },
      // 5000 at the start and 250.5 of Alice, less the 100 that were swapped.
      values: { 'balanceOf[from]': '5150500000000000000000', 'balanceOf[from] >= value': 'false' },
    },
    { reverse: 'start', at: 'TokenBase.sol:12' },
  ]);

  golden('arithmetic below zero', 'panic-overflow', [
    {
      continue: { failure: 'panic' },
      at: 'Calculator.sol:10',
      says: 'Panic: arithmetic overflow or underflow (0x11)',
      stack: ['Calculator.subtract(a: 1, b: 2):10'],
      locals: { a: '1', b: '2' },
      values: { 'a < b': 'true' },
    },
    { reverse: 'start', at: 'Calculator.sol:10' },
  ]);

  golden('a division by zero', 'panic-division-by-zero', [
    {
      continue: { failure: 'panic' },
      at: 'Calculator.sol:14',
      says: 'Panic: division or modulo by zero (0x12)',
      stack: ['Calculator.divide(a: 1, b: 0):14'],
      locals: { a: '1', b: '0' },
    },
  ]);

  golden('a loop that uses all gas', 'out-of-gas', [
    {
      goto: 'GasGuzzler.sol:11',
      time: 3,
      values: { rounds: '2' },
      stack: ['GasGuzzler.spin():11'],
    },
    { over: 1, at: 'GasGuzzler.sol:11', values: { rounds: '3' } },
    { reverse: { write: 'rounds' }, values: { rounds: '2' } },
    { reverse: { write: 'rounds' }, values: { rounds: '1' } },
    { continue: { failure: 'uncaught' }, says: 'out of gas', at: 'GasGuzzler.sol:11' },
  ]);

  golden('a loop whose caller goes on', 'out-of-gas-caught', [
    {
      continue: { failure: 'all' },
      says: 'out of gas',
      stack: ['GasGuzzler.spin():11', 'GasGuzzler.spinBriefly(gasGiven: 30000):16'],
      callers: [{ locals: { gasGiven: '30000' } }],
    },
    {
      continue: { event: 'GaveUp' },
      at: 'GasGuzzler.sol:18',
      locals: { gasGiven: '30000' },
      values: { rounds: '0' },
    },
  ]);

  golden('an account with code that calls itself', 'eip7702-batch', [
    {
      goto: 'TokenBase.sol:38',
      time: 2,
      locals: { from: 'carol', to: 'bob', value: '10000000' },
      values: { 'msg.sender': 'carol' },
      callers: [{}, { values: { 'msg.sender': 'carol', this: 'carol', 'calls[2].to': 'tipJar' } }],
    },
    { goto: 'TipJar.sol:10', values: { 'msg.sender': 'carol', 'msg.value': '20000000000000000' } },
    { continue: { event: 'Executed' }, at: 'BatchExecutor.sol:28' },
  ]);

  golden('two hundred nested calls', 'recursion-200-deep', [
    {
      goto: 'Fractal.sol:20',
      locals: { levels: '1' },
      values: { 'msg.sender == address(this)': 'true' },
      callers: [{ locals: { levels: '2' } }, { locals: { levels: '3' } }],
    },
    { backOut: 1, at: 'Fractal.sol:19', locals: { levels: '2' } },
    { backOut: 198, at: 'Fractal.sol:19', locals: { levels: '200' } },
  ]);
});
