import { goldenSuite, OPTIMIZED } from './golden-suite';

const ETHER = '000000000000000000';

goldenSuite('one of each kind', (golden) => {
  golden('reentrancy: back to where the balance should have been reduced', 'exploit-reentrancy', [
    { reverse: 'start', stack: ['VaultThief.attack():39'], values: { vault: 'etherVault' } },
    {
      goto: 'EtherVault.sol:20',
      time: 2,
      stack: [
        'EtherVault.withdraw():20',
        'VaultThief.receive:45',
        'EtherVault.withdraw():21',
        'VaultThief.attack():40',
      ],
      locals: { amount: `2${ETHER}` },
      values: {
        'balanceOf[vaultThief]': `2${ETHER}`,
        'balanceOf[msg.sender] == amount': 'true',
        'msg.sender': 'vaultThief',
      },
      callers: [
        { values: { owner: 'mallory', 'msg.value': `2${ETHER}`, 'msg.sender': 'etherVault' } },
      ],
    },
    {
      continue: { write: 'balanceOf[msg.sender]' },
      at: 'EtherVault.sol:23',
      locals: { amount: `2${ETHER}`, sent: 'true' },
      values: { 'balanceOf[vaultThief]': `2${ETHER}` },
    },
    {
      over: 1,
      at: 'EtherVault.sol:24',
      locals: { amount: `2${ETHER}`, sent: 'true' },
      values: { 'balanceOf[vaultThief]': '0' },
    },
    { reverse: { write: 'balanceOf[msg.sender]' }, at: 'EtherVault.sol:23' },
    {
      reverse: { write: 'balanceOf[msg.sender]' },
      at: 'EtherVault.sol:14',
      stack: ['EtherVault.deposit():14', 'VaultThief.attack():39'],
      values: { 'balanceOf[vaultThief]': '0', 'msg.value': `2${ETHER}` },
    },
  ]);

  golden('a proxy and its implementation', 'proxy-mint', [
    {
      goto: 'TokenBase.sol:43',
      stack: [
        'TokenBase._mint(to: alice, value: 1250000000) of UpgradeableToken:43',
        'UpgradeableToken.mint(to: alice, value: 1250000000) in the storage of proxy:28',
        'Proxy._delegate():63',
        'Proxy.fallback:31',
      ],
      locals: { to: 'alice', value: '1250000000' },
      values: { owner: 'carol', decimals: '8', 'msg.sender': 'carol', this: 'proxy' },
    },
    { goto: 'TokenBase.sol:44', values: { 'balanceOf[alice]': '0', 'balanceOf[to]': '0' } },
    { over: 1, at: 'TokenBase.sol:45', values: { 'balanceOf[alice]': '1250000000' } },
    { backOut: 1, at: 'UpgradeableToken.sol:28', locals: { to: 'alice', value: '1250000000' } },
    { backOut: 1, at: 'Proxy.sol:63' },
  ]);

  golden('an error through three contracts', 'custom-error-three-deep', [
    {
      continue: { failure: 'uncaught' },
      at: 'Checkout.sol:15',
      says: 'OutOfStock(item: 7, requested: 3, available: 2)',
      stack: [
        'Shelf.take(item: 7, quantity: 3):15',
        'Warehouse.pick(item: 7, quantity: 3):30',
        'Checkout.buy(item: 7, quantity: 3):50',
      ],
      locals: { item: '7', quantity: '3' },
      values: { 'stock[7]': '2', 'stock[item] < quantity': 'true', 'msg.sender': 'warehouse' },
      callers: [
        { values: { shelf: 'shelf', 'msg.sender': 'checkout' } },
        { values: { 'PRICE * quantity': `30000000000000000`, 'msg.value': '30000000000000000' } },
      ],
    },
    { backOut: 1, at: 'Checkout.sol:30' },
    { backOut: 1, at: 'Checkout.sol:50', locals: { item: '7', quantity: '3' } },
    { back: 1, at: 'Checkout.sol:49' },
  ]);

  golden('a payment that is rolled back, and caught', 'caught-revert', [
    {
      goto: 'Payroll.sol:36',
      time: 2,
      locals: { employee: 'mallory', amount: '1500000000' },
      values: { limit: '1000000000', 'amount > limit': 'true', 'msg.sender': 'payroll' },
      callers: [
        {
          values: {
            'msg.sender': 'carol',
            employees: { '[0]': 'alice', '[1]': 'mallory', '[2]': 'bob' },
          },
        },
      ],
    },
    {
      continue: { failure: 'all' },
      says: 'AboveLimit(employee: mallory, amount: 1500000000, limit: 1000000000)',
    },
    {
      goto: 'Payroll.sol:26',
      locals: {
        employees: '3 elements',
        amounts: '[900000000, 1500000000, 1000000000]',
        i: OPTIMIZED,
        reason: OPTIMIZED,
      },
    },
    {
      reverse: { event: 'PaymentStarted' },
      at: 'Payroll.sol:34',
      locals: { employee: 'mallory', amount: '1500000000' },
    },
    {
      reverse: { event: 'Transfer' },
      at: 'TokenBase.sol:39',
      locals: { from: 'payroll', to: 'alice', value: '900000000' },
    },
  ]);

  golden('a library that runs in the storage of its caller', 'split-by-library', [
    {
      goto: 'ShareMath.sol:8',
      time: 2,
      stack: [
        `ShareMath.portion(amount: 1${ETHER}, parts: 30, total: 100) in the storage of revenueSplitter:8`,
        'RevenueSplitter.split():24',
      ],
      locals: { amount: `1${ETHER}`, parts: '30', total: '100' },
      callers: [{ locals: { i: OPTIMIZED }, values: { totalParts: '100', 'parts[1]': '30' } }],
    },
    {
      reverse: { event: 'Shared' },
      at: 'RevenueSplitter.sol:27',
      values: { 'members[0]': 'alice' },
    },
  ]);

  golden('a contract that lives for one transaction', 'create-and-destroy', [
    {
      goto: 'TimeCapsule.sol:14',
      values: {
        'msg.sender': 'capsuleFactory',
        'msg.value': '250000000000000000',
        owner: 'unavailable, because it is set as the contract is created',
      },
    },
    {
      goto: 'TimeCapsule.sol:19',
      stack: ['TimeCapsule.open():19', 'CapsuleFactory.buryAndOpen():42'],
      locals: {},
      values: { owner: 'alice', 'opensAt == block.timestamp': 'true' },
    },
    { backOut: 1, at: 'TimeCapsule.sol:42', locals: { capsule: OPTIMIZED } },
  ]);

  golden('an index out of bounds', 'panic-array-index', [
    {
      continue: { failure: 'panic' },
      at: 'Calculator.sol:18',
      says: 'Panic: array index out of bounds (0x32)',
      stack: ['Calculator.pick(index: 3):18'],
      locals: { index: '3' },
      values: { 'numbers.length': '3' },
    },
  ]);

  golden('a struct in a mapping', 'price-update', [
    {
      goto: 'PriceFeed.sol:52',
      stack: [
        'PriceFeed._report(answer: 410025000000):52',
        'PriceFeed.report(answer: 410025000000):30',
      ],
      locals: { answer: '410025000000' },
      values: { latestRound: '1', reporter: 'reporter', decimals: '8' },
    },
    { over: 1, at: 'PriceFeed.sol:53', values: { latestRound: '2', 'rounds[2].answer': '0' } },
    {
      over: 1,
      at: 'PriceFeed.sol:54',
      values: {
        'rounds[latestRound].answer': '410025000000',
        'rounds[2].updatedAt == block.timestamp': 'true',
      },
      before: { latestRound: '1', 'rounds[2].answer': '0' },
    },
  ]);

  golden('ether that is wrapped by receive', 'wrap-by-sending', [
    {
      goto: 'WrappedEther.sol:23',
      stack: ['WrappedEther.deposit():23', 'WrappedEther.receive:19'],
      values: { 'balanceOf[bob]': '0', 'msg.value': `1${ETHER}` },
    },
    { over: 1, at: 'WrappedEther.sol:24', values: { 'balanceOf[msg.sender]': `1${ETHER}` } },
  ]);

  golden('the creation of a token', 'create-contract', [
    {
      goto: 'TokenBase.sol:44',
      values: { totalSupply: '1000000', 'balanceOf[bob]': '0', 'msg.sender': 'bob' },
    },
    { over: 1, at: 'TokenBase.sol:45', values: { 'balanceOf[bob]': '1000000' } },
  ]);
});
