import assert from 'node:assert/strict';
import { frame, word } from '../../../support/analysis';
import { findings } from '../../../support/findings';
import { calling, emitted, moved, paying, swapped, viaRouter, WHO } from '../../../support/scenes';

const APPROVAL = 'Approval(address indexed owner, address indexed spender, uint256 value)';
const MAX = 2n ** 256n - 1n;
const FAILED = { error: 'execution reverted' };

describe('reentrancy', () => {
  const withdraw = (...items: ReturnType<typeof frame>[]) =>
    calling('carol', 'vault', 'withdraw()', [], { items });
  const pay = (...items: ReturnType<typeof frame>[]) => paying('vault', 'carol', 5n, { items });
  const attack = (...items: ReturnType<typeof frame>[]) =>
    frame({ from: WHO.alice, to: WHO.carol, items });

  it('is found if a contract was called again while it paid, and paid again', () => {
    assert.deepEqual(findings(attack(withdraw(pay(withdraw(pay()))))), [
      'reentered vault carol - 10',
    ]);
  });

  it('is found once for any depth', () => {
    const deep = withdraw(pay(withdraw(pay(withdraw(pay())))));
    assert.deepEqual(findings(attack(deep)), ['reentered vault carol - 15']);
  });

  it('is not found for two calls in a row', () => {
    assert.deepEqual(findings(attack(withdraw(pay()), withdraw(pay()))), []);
  });

  it('is not found if the second call failed or paid nothing', () => {
    assert.deepEqual(findings(attack(withdraw(pay({ ...withdraw(pay()), ...FAILED })))), []);
    assert.deepEqual(findings(attack(withdraw(pay(withdraw())))), []);
  });

  it('is not found for another method, such as a deposit of what was paid', () => {
    const deposit = calling('carol', 'vault', 'deposit()', [], { items: [pay()] });
    assert.deepEqual(findings(attack(withdraw(pay(deposit)))), []);
  });

  it('is not found for a recursion that pays nobody', () => {
    const again = paying('vault', 'carol', 0n, { items: [withdraw(pay())] });
    assert.deepEqual(findings(attack(withdraw(again))), []);
  });
});

describe('flash loans', () => {
  const loan = (...inside: (ReturnType<typeof frame> | ReturnType<typeof moved>)[]) =>
    viaRouter(
      calling('router', 'lender', 'flashLoan(uint256)', [100], {
        items: [moved('DAI', 'lender', 'router', 100), ...inside],
      }),
    );
  const callback = calling('lender', 'router', 'onFlashLoan()');

  it('are found by their shape', () => {
    assert.deepEqual(findings(loan(callback, moved('DAI', 'router', 'lender', 101))), [
      'flashLoan lender router - 100',
    ]);
  });

  it('are found by the event of a lender that keeps its tokens elsewhere', () => {
    const event =
      'FlashLoan(address indexed target, address initiator, address indexed asset, uint256 amount, uint8 interestRateMode, uint256 premium, uint16 indexed referralCode)';
    const root = (premium: number) =>
      viaRouter(
        moved('DAI', 'aDAI', 'router', 100),
        moved('DAI', 'router', 'aDAI', 101),
        emitted(WHO.lender, event, WHO.router, WHO.alice, WHO.DAI, 100, 0, premium, 0),
      );
    assert.deepEqual(findings(root(1)), ['flashLoan aDAI router - 100']);
    assert.deepEqual(findings(root(2)), []);
  });

  it('are not found without the call of the borrower', () => {
    assert.deepEqual(findings(loan(moved('DAI', 'router', 'lender', 101))), []);
  });

  it('are not found if less, another token, or nothing came back', () => {
    assert.deepEqual(findings(loan(callback, moved('DAI', 'router', 'lender', 99))), []);
    assert.deepEqual(findings(loan(callback, moved('USDC', 'router', 'lender', 101))), []);
    assert.deepEqual(findings(loan(callback)), []);
  });

  it('are not found if it came back after the call of the lender', () => {
    const root = loan(callback);
    const late = { ...root, items: [...root.items, moved('DAI', 'router', 'lender', 101)] };
    assert.deepEqual(findings(late), []);
  });
});

describe('prices that were moved', () => {
  const read = (from: 'vault' | 'router') =>
    calling(from, 'pair', 'getReserves()', [], { type: 'STATICCALL' });
  const trade = (...items: ReturnType<typeof moved>[]) =>
    calling('router', 'pair', 'swap(uint256)', [1], { items });
  const there = trade(swapped('pair', 100, 0, 0, 90));
  const back = trade(swapped('pair', 0, 90, 99, 0));

  it('are found if another read the pool between two opposite swaps', () => {
    assert.deepEqual(findings(viaRouter(there, read('vault'), back)), [
      'reserveMoved pair vault -',
    ]);
  });

  it('are not found if only who trades read it', () => {
    assert.deepEqual(findings(viaRouter(there, read('router'), back)), []);
  });

  it('are not found if it was read before or after', () => {
    assert.deepEqual(findings(viaRouter(read('vault'), there, back, read('vault'))), []);
  });

  it('are not found for swaps in one direction, or in two pools', () => {
    assert.deepEqual(findings(viaRouter(there, read('vault'), there)), []);
    const elsewhere = trade(swapped('lender', 0, 90, 99, 0));
    assert.deepEqual(findings(viaRouter(there, read('vault'), elsewhere)), []);
  });
});

describe('spent approvals', () => {
  const spend = (from: 'alice' | 'router', to: 'alice' | 'bob', amount = 70) =>
    calling(from, 'DAI', 'transferFrom(address,address,uint256)', [WHO.carol, WHO[to], amount], {
      items: [moved('DAI', 'carol', to, amount)],
    });

  it('are found if the sender took the tokens of an account that got nothing', () => {
    assert.deepEqual(findings(viaRouter(spend('router', 'alice'))), [
      'approvalDrained DAI carol router 70',
    ]);
    assert.deepEqual(findings(spend('alice', 'alice')), ['approvalDrained DAI carol alice 70']);
  });

  it('are not found if the account got something', () => {
    const root = viaRouter(spend('router', 'alice'), moved('USDC', 'alice', 'carol', 69));
    assert.deepEqual(findings(root), []);
  });

  it('are not found if a third party was paid, as by a relayer with its fee', () => {
    assert.deepEqual(findings(viaRouter(spend('router', 'bob'))), []);
    assert.deepEqual(findings(viaRouter(spend('router', 'bob'), spend('router', 'alice', 1))), []);
  });

  it('are not found if the account took part', () => {
    const call = frame({ from: WHO.carol, to: WHO.vault });
    assert.deepEqual(findings(viaRouter(call, spend('router', 'alice'))), []);
  });

  it('are not found if the token reports no such transfer', () => {
    const silent = { ...spend('router', 'alice'), items: [] };
    assert.deepEqual(findings(viaRouter(silent)), []);
  });
});

describe('control of contracts', () => {
  const OWNER = 'OwnershipTransferred(address indexed previousOwner, address indexed newOwner)';
  const owned = (before: string, after: string) => emitted(WHO.vault, OWNER, before, after);
  const creation = (to: string, ...items: ReturnType<typeof moved>[]) =>
    frame({ type: 'CREATE', from: WHO.router, to: to as `0x${string}`, output: '0x00', items });
  const delegate = frame({ type: 'DELEGATECALL', from: WHO.proxy, to: WHO.code });

  it('is found to change with the owner', () => {
    assert.deepEqual(findings(viaRouter(owned(WHO.alice, WHO.bob))), ['ownerChanged vault - bob']);
    const admin = emitted(
      WHO.proxy,
      'AdminChanged(address previousAdmin, address newAdmin)',
      WHO.alice,
      WHO.bob,
    );
    assert.deepEqual(findings(viaRouter(admin)), ['ownerChanged proxy - bob']);
  });

  it('is not found to change in a constructor, from nobody, or to the same', () => {
    assert.deepEqual(findings(viaRouter(owned(WHO.nobody, WHO.bob))), []);
    assert.deepEqual(findings(viaRouter(owned(WHO.bob, WHO.bob))), []);
    assert.deepEqual(findings(viaRouter(creation(WHO.vault, owned(WHO.alice, WHO.bob)))), []);
  });

  it('is found to change with the code of a proxy', () => {
    const upgraded = emitted(WHO.proxy, 'Upgraded(address indexed implementation)', WHO.code);
    assert.deepEqual(findings(viaRouter({ ...delegate, items: [upgraded] })), [
      'implementationChanged proxy - code',
    ]);
    assert.deepEqual(findings(viaRouter(upgraded)), []);
    assert.deepEqual(findings(viaRouter(creation(WHO.proxy, upgraded))), []);
  });

  it('is found in code that the transaction created', () => {
    const root = viaRouter(creation(WHO.code), delegate);
    assert.deepEqual(findings(root), ['freshDelegatecall proxy - code']);
  });

  it('is not found in a new proxy, older code, or a plain call', () => {
    assert.deepEqual(findings(viaRouter(creation(WHO.code), creation(WHO.proxy), delegate)), []);
    assert.deepEqual(findings(viaRouter(delegate)), []);
    assert.deepEqual(
      findings(viaRouter(creation(WHO.code), frame({ from: WHO.proxy, to: WHO.code }))),
      [],
    );
  });

  it('is found to end with a self-destruction, except of a helper', () => {
    const end = frame({ type: 'SELFDESTRUCT', from: WHO.vault, to: WHO.bob, value: 3n });
    assert.deepEqual(findings(viaRouter(end)), ['selfDestruct vault bob - 3']);
    assert.deepEqual(findings(viaRouter(creation(WHO.vault), end)), []);
    assert.deepEqual(findings(viaRouter({ ...end, ...FAILED })), []);
  });
});

describe('transfer fees', () => {
  const send = (...items: ReturnType<typeof moved>[]) =>
    calling('alice', 'DAI', 'transfer(address,uint256)', [WHO.bob, 100], { items });

  it('are found if less arrived than was sent', () => {
    const root = send(moved('DAI', 'alice', 'carol', 1), moved('DAI', 'alice', 'bob', 97));
    assert.deepEqual(findings(root), ['transferFee DAI alice bob 100 97']);
  });

  it('are not found if all arrived, a unit is missing, or nothing is reported', () => {
    assert.deepEqual(findings(send(moved('DAI', 'alice', 'bob', 100))), []);
    assert.deepEqual(findings(send(moved('DAI', 'alice', 'bob', 99))), []);
    assert.deepEqual(findings(send()), []);
  });

  it('are not found in the events of another token', () => {
    assert.deepEqual(findings(send(moved('USDC', 'alice', 'bob', 50))), []);
  });
});

describe('unlimited approvals', () => {
  const approve = (amount: bigint, ...after: ReturnType<typeof frame>[]) =>
    viaRouter(
      calling('alice', 'DAI', 'approve(address,uint256)', [WHO.router, amount], {
        items: [emitted(WHO.DAI, APPROVAL, WHO.alice, WHO.router, amount)],
      }),
      ...after,
    );

  it('are found if they stay', () => {
    assert.deepEqual(findings(approve(MAX)), ['unlimitedApproval DAI alice router']);
    const all = calling('alice', 'NFT', 'setApprovalForAll(address,bool)', [WHO.bob, true], {
      items: [
        emitted(
          WHO.NFT,
          'ApprovalForAll(address indexed owner, address indexed spender, bool approved)',
          WHO.alice,
          WHO.bob,
          true,
        ),
      ],
    });
    assert.deepEqual(findings(all), ['unlimitedApproval NFT alice bob']);
  });

  it('are not found with a limit, or if they were revoked in the same transaction', () => {
    assert.deepEqual(findings(approve(1_000n)), []);
    const revoke = calling('alice', 'DAI', 'approve(address,uint256)', [WHO.router, 0], {
      items: [emitted(WHO.DAI, APPROVAL, WHO.alice, WHO.router, 0)],
    });
    assert.deepEqual(findings(approve(MAX, revoke)), []);
  });

  it('are not found for what contracts let each other spend', () => {
    const inner = calling('router', 'DAI', 'approve(address,uint256)', [WHO.pair, MAX], {
      items: [emitted(WHO.DAI, APPROVAL, WHO.router, WHO.pair, MAX)],
    });
    assert.deepEqual(findings(viaRouter(inner)), []);
  });

  it('are not found for an allowance that a spending reports', () => {
    const spent = calling(
      'router',
      'DAI',
      'transferFrom(address,address,uint256)',
      [WHO.alice, WHO.bob, 3],
      {
        items: [
          moved('DAI', 'alice', 'bob', 3),
          emitted(WHO.DAI, APPROVAL, WHO.alice, WHO.router, MAX),
        ],
      },
    );
    assert.deepEqual(findings(viaRouter(spent)), []);
  });
});

it('a failed call leaves no findings of what it did', () => {
  const inner = frame({
    from: WHO.router,
    to: WHO.vault,
    output: word(0),
    ...FAILED,
    items: [frame({ type: 'SELFDESTRUCT', from: WHO.vault, to: WHO.bob, value: 3n })],
  });
  assert.deepEqual(findings(viaRouter(inner)), []);
});
