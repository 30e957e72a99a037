import assert from 'node:assert/strict';
import { calling, emitted, moved, paying, sentence, viaRouter, WHO } from '../../../support/scenes';

const ETHER = 10n ** 18n;
const AAVE = {
  supply:
    'Supply(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint16 indexed referralCode)',
  withdraw:
    'Withdraw(address indexed reserve, address indexed user, address indexed to, uint256 amount)',
  borrow:
    'Borrow(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint8 interestRateMode, uint256 borrowRate, uint16 indexed referralCode)',
  repay:
    'Repay(address indexed reserve, address indexed user, address indexed repayer, uint256 amount, bool useATokens)',
  liquidation:
    'LiquidationCall(address indexed collateralAsset, address indexed debtAsset, address indexed user, uint256 debtToCover, uint256 liquidatedCollateralAmount, address liquidator, bool receiveAToken)',
};
const DEPOSIT =
  'Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)';
const WITHDRAW =
  'Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)';
/** A call of Alice to the pool, with these items. */
const atPool = (...items: ReturnType<typeof moved>[]) =>
  calling('alice', 'lender', 'act()', [], { items });
const lending = (event: string, ...values: unknown[]) => emitted(WHO.lender, event, ...values);

describe('sentences of Aave', () => {
  const supplied = lending(AAVE.supply, WHO.DAI, WHO.alice, WHO.alice, 100, 0);

  it('tell a deposit with its receipt', () => {
    const root = atPool(
      moved('DAI', 'alice', 'aDAI', 100),
      moved('aDAI', 'nobody', 'alice', 100),
      supplied,
    );
    assert.equal(sentence(root), 'alice deposited 100 DAI in lender for 100 aDAI.');
  });

  it('call it no deposit if nothing or another amount moved', () => {
    assert.equal(sentence(atPool(supplied)), `alice called ${atPool().input} on lender.`);
    const other = sentence(atPool(moved('DAI', 'alice', 'aDAI', 99), supplied));
    assert.doesNotMatch(other, /deposited/);
  });

  it('call the deposit of another token no such deposit', () => {
    const root = atPool(moved('USDC', 'alice', 'aDAI', 100), supplied);
    assert.doesNotMatch(sentence(root), /deposited/);
  });

  it('tell a deposit of ether by a gateway', () => {
    const root = {
      ...atPool(
        lending(AAVE.supply, WHO.WETH, WHO.router, WHO.alice, ETHER, 0),
        moved('LP', 'nobody', 'alice', 5),
      ),
      value: ETHER,
    };
    assert.equal(sentence(root), 'alice deposited 1 ETH in lender for 5 LP.');
  });

  it('tell a withdrawal', () => {
    const root = atPool(
      moved('aDAI', 'alice', 'nobody', 100),
      moved('DAI', 'aDAI', 'alice', 100),
      lending(AAVE.withdraw, WHO.DAI, WHO.alice, WHO.alice, 100),
    );
    assert.equal(sentence(root), 'alice withdrew 100 DAI from lender for 100 aDAI.');
  });

  it('tell a loan without its debt token, and its repayment', () => {
    const borrow = atPool(
      moved('debtDAI', 'nobody', 'alice', 40),
      moved('DAI', 'aDAI', 'alice', 40),
      lending(AAVE.borrow, WHO.DAI, WHO.alice, WHO.alice, 40, 2, 1, 0),
    );
    assert.equal(sentence(borrow), 'alice borrowed 40 DAI from lender.');
    const repay = atPool(
      moved('debtDAI', 'alice', 'nobody', 40),
      moved('DAI', 'alice', 'aDAI', 40),
      lending(AAVE.repay, WHO.DAI, WHO.alice, WHO.alice, 40, false),
    );
    assert.equal(sentence(repay), 'alice repaid 40 DAI to lender.');
  });

  it('call it no loan if another got the tokens', () => {
    const root = atPool(
      moved('DAI', 'aDAI', 'bob', 40),
      lending(AAVE.borrow, WHO.DAI, WHO.bob, WHO.bob, 40, 2, 1, 0),
    );
    assert.doesNotMatch(sentence(root), /borrowed/);
  });

  it('tell a liquidation by the sender only', () => {
    const liquidation = (liquidator: string) =>
      lending(AAVE.liquidation, WHO.USDC, WHO.DAI, WHO.bob, 60, 66, liquidator, false);
    const moves = [moved('DAI', 'alice', 'aDAI', 60), moved('USDC', 'aDAI', 'alice', 66)];
    assert.equal(
      sentence(atPool(...moves, liquidation(WHO.alice))),
      'alice liquidated bob: paid 60 DAI for 66 USDC.',
    );
    assert.doesNotMatch(sentence(atPool(...moves, liquidation(WHO.carol))), /liquidated/);
  });
});

describe('sentences of Compound', () => {
  const at = (event: string, ...values: unknown[]) => emitted(WHO.LP, event, ...values);

  it('tell deposits, loans and repayments', () => {
    const mint = viaRouter(
      moved('DAI', 'alice', 'LP', 100),
      moved('LP', 'LP', 'alice', 5_000),
      at('Mint(address minter, uint256 mintAmount, uint256 mintTokens)', WHO.alice, 100, 5_000),
    );
    assert.equal(sentence(mint), 'alice deposited 100 DAI in LP for 5,000 LP.');
    const borrow = viaRouter(
      paying('LP', 'alice', ETHER),
      at(
        'Borrow(address borrower, uint256 borrowAmount, uint256 accountBorrows, uint256 totalBorrows)',
        WHO.alice,
        ETHER,
        ETHER,
        ETHER,
      ),
    );
    assert.equal(sentence(borrow), 'alice borrowed 1 ETH from LP.');
    const repay = viaRouter(
      moved('DAI', 'alice', 'LP', 9),
      at(
        'RepayBorrow(address payer, address borrower, uint256 repayAmount, uint256 accountBorrows, uint256 totalBorrows)',
        WHO.alice,
        WHO.alice,
        9,
        0,
        0,
      ),
    );
    assert.equal(sentence(repay), 'alice repaid 9 DAI to LP.');
  });

  it('tell a liquidation, whose repayment counts once', () => {
    const root = viaRouter(
      moved('DAI', 'alice', 'LP', 9),
      at(
        'RepayBorrow(address payer, address borrower, uint256 repayAmount, uint256 accountBorrows, uint256 totalBorrows)',
        WHO.alice,
        WHO.bob,
        9,
        0,
        0,
      ),
      moved('aDAI', 'bob', 'alice', 3),
      at(
        'LiquidateBorrow(address liquidator, address borrower, uint256 repayAmount, address cTokenCollateral, uint256 seizeTokens)',
        WHO.alice,
        WHO.bob,
        9,
        WHO.aDAI,
        3,
      ),
    );
    assert.equal(sentence(root), 'alice liquidated bob: paid 9 DAI for 3 aDAI.');
  });
});

describe('sentences of vaults', () => {
  const inVault = (event: string, ...values: unknown[]) => emitted(WHO.LP, event, ...values);

  it('tell a deposit and a withdrawal', () => {
    const deposit = viaRouter(
      moved('DAI', 'alice', 'LP', 100),
      moved('LP', 'nobody', 'alice', 90),
      inVault(DEPOSIT, WHO.alice, WHO.alice, 100, 90),
    );
    assert.equal(sentence(deposit), 'alice deposited 100 DAI in LP for 90 LP.');
    const withdraw = viaRouter(
      moved('LP', 'alice', 'nobody', 90),
      moved('DAI', 'LP', 'alice', 101),
      inVault(WITHDRAW, WHO.alice, WHO.alice, WHO.alice, 101, 90),
    );
    assert.equal(sentence(withdraw), 'alice withdrew 101 DAI from LP for 90 LP.');
  });

  it('call it no deposit without the shares', () => {
    const root = viaRouter(
      moved('DAI', 'alice', 'LP', 100),
      inVault(DEPOSIT, WHO.alice, WHO.bob, 100, 90),
      moved('LP', 'nobody', 'bob', 90),
    );
    assert.doesNotMatch(sentence(root), /deposited/);
  });

  it('tell a stake at Lido, not a wrapping', () => {
    const root = {
      ...viaRouter(
        emitted(
          WHO.LP,
          'Submitted(address indexed sender, uint256 amount, address referral)',
          WHO.alice,
          ETHER,
          WHO.nobody,
        ),
        moved('LP', 'nobody', 'alice', 1_000),
      ),
      to: WHO.LP,
      value: ETHER,
    };
    assert.equal(sentence(root), 'alice deposited 1 ETH in LP for 1,000 LP.');
  });

  it('compose what happened in one transaction, in its order', () => {
    const root = viaRouter(
      calling('router', 'lender', 'borrow()', [], {
        items: [
          moved('DAI', 'aDAI', 'alice', 40),
          lending(AAVE.borrow, WHO.DAI, WHO.alice, WHO.alice, 40, 2, 1, 0),
        ],
      }),
      calling('router', 'LP', 'deposit()', [], {
        items: [
          moved('DAI', 'alice', 'LP', 40),
          moved('LP', 'nobody', 'alice', 39),
          inVault(DEPOSIT, WHO.router, WHO.alice, 40, 39),
        ],
      }),
    );
    assert.equal(
      sentence(root),
      'alice borrowed 40 DAI from lender and deposited 40 DAI in LP for 39 LP.',
    );
  });
});
