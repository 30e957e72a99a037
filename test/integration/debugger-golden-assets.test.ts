import { goldenSuite, OPTIMIZED } from './golden-suite';

const E18 = '000000000000000000';

goldenSuite('ether, tokens and collectibles', (golden) => {
  golden('a token that keeps a part of each transfer', 'transfer-with-fee', [
    {
      goto: 'TokenBase.sol:37',
      stack: [
        `TokenBase._transfer(from: alice, to: treasury, value: 1${E18}) of TollToken:37`,
        `TollToken._transfer(from: alice, to: bob, value: 100${E18}):22`,
        `TollToken.transfer(to: bob, value: 100${E18}):13`,
      ],
      locals: { from: 'alice', to: 'treasury', value: `1${E18}` },
      values: {
        collector: 'treasury',
        TOLL_BASIS_POINTS: '100',
        decimals: '18',
        'balanceOf[alice]': `990${E18}`,
        'balanceOf[treasury]': `10${E18}`,
      },
      callers: [
        {
          locals: { from: 'alice', to: 'bob', value: `100${E18}`, toll: OPTIMIZED },
          values: { '(value * TOLL_BASIS_POINTS) / 10_000': `1${E18}` },
        },
      ],
    },
    {
      goto: 'TokenBase.sol:38',
      time: 2,
      locals: { from: 'alice', to: 'bob', value: `99${E18}` },
      values: { 'balanceOf[alice]': `890${E18}`, 'balanceOf[bob]': '0' },
      before: { 'balanceOf[alice]': `990${E18}` },
    },
    {
      reverse: { write: 'balanceOf[treasury]' },
      at: 'TokenBase.sol:38',
      locals: { from: 'alice', to: 'treasury', value: `1${E18}` },
      values: { 'balanceOf[treasury]': `10${E18}`, 'balanceOf[alice]': `989${E18}` },
    },
    { continue: 'end', values: { 'balanceOf[bob]': `99${E18}` } },
  ]);

  golden('an approval', 'approve', [
    {
      goto: 'TokenBase.sol:31',
      stack: [
        `TokenBase._approve(owner: alice, spender: router, value: 1000${E18}) of HarborToken:31`,
        `HarborToken.approve(spender: router, value: 1000${E18}):18`,
      ],
      locals: { owner: 'alice', spender: 'router', value: `1000${E18}` },
      values: { 'allowance[owner][spender]': '0', name: '"Harbor"' },
    },
    {
      over: 1,
      at: 'TokenBase.sol:32',
      values: { 'allowance[alice][router]': `1000${E18}`, 'allowance[alice][bob]': '0' },
    },
    { back: 1, at: 'TokenBase.sol:31', values: { 'allowance[alice][router]': '0' } },
    { backOut: 1, at: 'TokenBase.sol:18', locals: { spender: 'router', value: `1000${E18}` } },
  ]);

  golden('a transfer of amounts without decimals', 'transfer-no-decimals', [
    {
      goto: 'TokenBase.sol:38',
      stack: [
        'TokenBase._transfer(from: bob, to: alice, value: 500) of LoyaltyPoints:38',
        'LoyaltyPoints.transfer(to: alice, value: 500):13',
      ],
      values: { 'balanceOf[bob]': '999500', 'balanceOf[alice]': '0' },
      before: { 'balanceOf[bob]': '1000000', 'balanceOf[alice]': 'unchanged' },
    },
    { over: 1, at: 'TokenBase.sol:39', values: { 'balanceOf[alice]': '500' } },
    // First the rest of the line of the call.
    { out: 1, at: 'TokenBase.sol:13', locals: { to: 'alice', value: '500' } },
    { reverse: { write: 'balanceOf[bob]' }, at: 'TokenBase.sol:37' },
  ]);

  golden('an anonymous event, and a supply that grows', 'mint-bytes32-symbol', [
    {
      goto: 'LegacyToken.sol:15',
      stack: [`LegacyToken.mint(guy: alice, wad: 1000${E18}):15`],
      locals: { guy: 'alice', wad: `1000${E18}` },
      values: {
        'msg.sig': '0x40c10f19',
        symbol: `0x4f4c44${'00'.repeat(29)}`,
        totalSupply: '0',
        'bytes32(uint256(uint160(guy))) != 0': 'true',
      },
    },
    {
      continue: { write: 'totalSupply' },
      at: 'TokenBase.sol:43',
      locals: { to: 'alice', value: `1000${E18}` },
    },
    { over: 1, values: { totalSupply: `1000${E18}`, 'balanceOf[to]': '0' } },
    { continue: { event: 'Transfer' }, at: 'TokenBase.sol:45' },
    // The event is in the middle of its statement.
    { backOver: 1, at: 'TokenBase.sol:45' },
    { backOver: 1, at: 'TokenBase.sol:44', values: { 'balanceOf[alice]': '0' } },
  ]);

  golden('ether that a wrapper pays back', 'unwrap-ether', [
    {
      goto: 'WrappedEther.sol:29',
      stack: [`WrappedEther.withdraw(wad: 2${E18}):29`],
      locals: { wad: `2${E18}` },
      values: { 'balanceOf[alice]': `5${E18}`, 'balanceOf[msg.sender] >= wad': 'true' },
    },
    {
      over: 1,
      at: 'WrappedEther.sol:30',
      values: { 'balanceOf[alice]': `3${E18}`, 'address(this).balance': `205${E18}` },
    },
    {
      over: 1,
      at: 'WrappedEther.sol:31',
      locals: { wad: `2${E18}`, sent: OPTIMIZED },
      values: { 'address(this).balance': `203${E18}` },
    },
    { continue: { event: 'Withdrawal' }, at: 'WrappedEther.sol:32' },
    { reverse: { write: 'balanceOf[alice]' }, values: { 'balanceOf[alice]': `5${E18}` } },
  ]);

  golden('ether with a note that is no call', 'fallback-with-data', [
    {
      goto: 'TipJar.sol:14',
      stack: ['TipJar.fallback:14'],
      values: {
        'msg.data': `hex"${Buffer.from('Thank you for the light!').toString('hex')}"`,
        'msg.sig': '0x5468616e',
        'msg.value': '10000000000000000',
        'msg.sender': 'carol',
      },
    },
    { continue: { event: 'Noted' }, at: 'TipJar.sol:14' },
  ]);

  golden('an overloaded function, and a receiver that answers', 'nft-safe-transfer', [
    {
      goto: 'Lighthouse.sol:53',
      stack: [
        'Lighthouse.transferFrom(from: bob, to: treasury, tokenId: 1):53',
        'Lighthouse.safeTransferFrom(from: bob, to: treasury, tokenId: 1, data: hex""):64',
        'Lighthouse.safeTransferFrom(from: bob, to: treasury, tokenId: 1):60',
      ],
      locals: { from: 'bob', to: 'treasury', tokenId: '1' },
      values: {
        'ownerOf[1]': 'bob',
        'balanceOf[from]': '1',
        'getApproved[1]': `0x${'00'.repeat(20)}`,
      },
      callers: [{ locals: { from: 'bob', to: 'treasury', tokenId: '1', data: 'hex""' } }],
    },
    { over: 1, at: 'Lighthouse.sol:54', values: { 'ownerOf[1]': 'treasury' } },
    { over: 1, at: 'Lighthouse.sol:55', values: { 'balanceOf[bob]': '0' } },
    { over: 1, at: 'Lighthouse.sol:56', values: { 'balanceOf[treasury]': '1' } },
    {
      goto: 'Treasury.sol:16',
      stack: [
        'Treasury.onERC721Received(bob, from: bob, tokenId: 1, hex""):16',
        'Lighthouse.safeTransferFrom(from: bob, to: treasury, tokenId: 1, data: hex""):66',
        'Lighthouse.safeTransferFrom(from: bob, to: treasury, tokenId: 1):60',
      ],
      values: { 'msg.sender': 'lighthouse', tokenId: '1' },
    },
    { backOut: 1, at: 'Lighthouse.sol:66', values: { 'ownerOf[tokenId]': 'treasury' } },
    { reverse: { write: 'ownerOf[1]' }, at: 'Lighthouse.sol:53', values: { 'ownerOf[1]': 'bob' } },
  ]);

  golden('a transfer that is not allowed', 'nft-not-approved', [
    {
      continue: { failure: 'uncaught' },
      at: 'Lighthouse.sol:50',
      says: 'NotApproved(tokenId: 1, operator: mallory)',
      stack: ['Lighthouse.transferFrom(from: treasury, to: mallory, tokenId: 1):50'],
      values: {
        'ownerOf[tokenId] != from': 'false',
        'isApprovedForAll[from][msg.sender]': 'false',
        'getApproved[tokenId]': `0x${'00'.repeat(20)}`,
      },
    },
    { reverse: 'start', at: 'Lighthouse.sol:48' },
  ]);

  golden('goods of three kinds in a loop', 'erc1155-mint-batch', [
    {
      goto: 'Cargo.sol:46',
      locals: { to: 'alice', ids: '[1, 2, 3]', values: '[100, 200, 300]' },
      values: { 'balances[1][alice]': '0', 'ids.length': '3', 'values[2]': '300' },
    },
    {
      goto: 'Cargo.sol:47',
      locals: { to: 'alice', ids: '[1, 2, 3]', values: '[100, 200, 300]' },
      values: {
        'balances[1][alice]': '100',
        'balances[2][to]': '200',
        'balances[ids[2]][to]': '300',
        balances: '3 known keys',
      },
    },
    { reverse: { write: 'balances[2][alice]' }, at: 'Cargo.sol:46' },
    { over: 1, values: { 'balances[1][alice]': '100', 'balances[3][alice]': '0' } },
  ]);

  golden('a batch of goods to a contract that accepts them', 'erc1155-transfer-batch', [
    {
      goto: 'Cargo.sol:79',
      time: 2,
      stack: [
        'Cargo._move(from: alice, to: treasury, id: 3, value: 30):79',
        'Cargo.safeBatchTransferFrom(from: alice, to: treasury, ids: [1, 3], values: [10, 30], data: hex""):67',
      ],
      locals: { from: 'alice', to: 'treasury', id: '3', value: '30', balance: OPTIMIZED },
      values: {
        'balances[1][alice]': '90',
        'balances[1][treasury]': '10',
        'balances[id][from]': '270',
        'balances[id][to]': '0',
      },
    },
    {
      goto: 'Treasury.sol:35',
      values: { ids: '[1, 3]', values: '[10, 30]', from: 'alice', 'msg.sender': 'cargo' },
    },
    { backOut: 1, at: 'Cargo.sol:70', values: { 'balances[3][treasury]': '30' } },
  ]);
});
