import assert from 'node:assert/strict';
import { Interface, solidityPackedKeccak256 } from 'ethers';
import type { FailedCondition } from '../../../server/api/recording-conditions';
import { conditionsAnswer } from '../../../server/debugger/answers/conditions';
import { debugCall } from './debug-call';
import { SENDER } from './record';
import { compile, type Settings } from './solidity';

const TEXT = `
contract Vault {
    uint256 total = 3;
    bool paused = true;
    mapping(address => uint256) balances;
    mapping(address => bool) allowed;
    error TooLittle(uint256 has, uint256 needs);
    function take(uint256 amount) external {
        require(total >= amount, "too little");
        total -= amount;
    }
    function custom(uint256 amount) external {
        balances[msg.sender] = 2;
        if (balances[msg.sender] < amount) {
            revert TooLittle(balances[msg.sender], amount);
        }
        total = amount;
    }
    function otherwise(uint256 amount) external {
        if (amount < 10) total = amount;
        else revert("too much");
    }
    function both(uint256 amount) external {
        require(amount > 0 && (!paused || allowed[msg.sender]) && total == amount);
        total = amount;
    }
    function checked(uint256 amount) external {
        assert(amount != 7);
        total = amount;
    }
    function underflow(uint256 amount) external {
        require(total - amount > 1, "less");
        total = amount;
    }
    function plain(uint256 amount) external {
        total = amount;
        revert("always");
    }
    function written(uint256 amount) external {
        if (total < amount) {
            total = amount + 1;
            revert("changed");
        }
    }
    function counted(uint256 amount) external {
        require(--total > amount, "counted");
    }
    function rounds(uint256 amount) external {
        for (uint256 at = 0; at < 5; at++) require(at < amount, "round");
        total = amount;
    }
    function caught(uint256 amount) external {
        try this.take(amount) {} catch { total = 1; }
        require(amount == 1, "after");
    }
    function passed(uint256 amount) external {
        this.take(amount);
    }
    modifier only(uint256 amount) {
        require(amount == 4, "not four");
        _;
    }
    function guarded(uint256 amount) external only(amount) {
        total = amount;
    }
}
`;
const NAMES = 'take custom otherwise both checked underflow plain written counted rounds caught'
  .split(' ')
  .concat('passed', 'guarded');
const ABI = NAMES.map((name) => `function ${name}(uint256 amount)`);
const entryOf = (slot: number): bigint =>
  BigInt(solidityPackedKeccak256(['uint256', 'uint256'], [SENDER, slot]));
/** `total` is 3, `paused` true: the values that the constructor would give. */
const STORAGE = new Map([
  [0n, 3n],
  [1n, 1n],
  [entryOf(3), 0n],
]);
const lines = TEXT.split('\n');
const lineOf = (part: string): number => lines.findIndex((line) => line.includes(part)) + 1;

async function conditionsOf(
  name: string,
  amount: bigint,
  settings: Settings = {},
): Promise<FailedCondition[]> {
  const data = new Interface(ABI).encodeFunctionData(name, [amount]);
  const call = { input: Buffer.from(data.slice(2), 'hex'), storage: STORAGE };
  const debugged = await debugCall(compile('Vault', TEXT, settings), call, ABI);
  const { conditions } = await conditionsAnswer(debugged, new AbortController().signal);
  return conditions;
}

const conditionOf = async (...given: Parameters<typeof conditionsOf>) =>
  (await conditionsOf(...given)).at(0) ?? null;

/** Its parts as `left relation right`, or the text and its value. */
const partsOf = (condition: FailedCondition | null): string[] | undefined =>
  condition?.parts.map(({ text, isTrue, relation, operands }) => {
    const [left, right] = operands.map(({ name, value }) => `${name}=${value}`);
    return relation === undefined
      ? `${text} is ${isTrue}${left === undefined ? '' : ` for ${left}`}`
      : `${left} ${relation} ${right}`;
  });

describe('the condition that made a transaction fail', function () {
  it('of require has its text, its line and the values of its operands', async () => {
    const condition = await conditionOf('take', 5n);
    assert.equal(condition?.kind, 'require');
    assert.equal(condition.text, 'total >= amount');
    assert.equal(condition.isTrue, false);
    assert.equal(condition.place.file, 'Vault.sol');
    assert.equal(condition.place.startLine, lineOf('require(total >= amount'));
    assert.deepEqual(partsOf(condition), ['total=3 < amount=5']);
  });

  it('of an if around a revert holds', async () => {
    const condition = await conditionOf('custom', 9n);
    assert.deepEqual([condition?.kind, condition?.isTrue], ['revert', true]);
    assert.deepEqual(partsOf(condition), ['balances[msg.sender]=2 < amount=9']);
    const other = await conditionOf('otherwise', 12n);
    assert.deepEqual([other?.kind, other?.isTrue], ['revert', false]);
    assert.deepEqual(partsOf(other), ['amount=12 >= 10=10']);
  });

  it('of several parts has those that decided', async () => {
    assert.deepEqual(partsOf(await conditionOf('both', 0n)), ['amount=0 <= 0=0']);
    assert.deepEqual(partsOf(await conditionOf('both', 3n)), [
      'paused is true',
      `allowed[msg.sender] is false for msg.sender=${SENDER}`,
    ]);
  });

  it('of assert, of a modifier and of a round of a loop is found', async () => {
    assert.deepEqual(partsOf(await conditionOf('checked', 7n)), ['amount=7 == 7=7']);
    assert.deepEqual(partsOf(await conditionOf('guarded', 5n)), ['amount=5 != 4=4']);
    assert.deepEqual(partsOf(await conditionOf('rounds', 2n)), ['at=2 >= amount=2']);
  });

  it('is that of each failed call, without those that pass a failure on', async () => {
    const passed = await conditionsOf('passed', 8n);
    assert.deepEqual(passed.map(partsOf), [['total=3 < amount=8']]);
    const caught = await conditionsOf('caught', 8n);
    assert.deepEqual(caught.map(partsOf), [['total=3 < amount=8'], ['amount=8 != 1=1']]);
  });

  it('has no values where evaluating it, or the branch, changes them', async () => {
    const counted = await conditionOf('counted', 5n);
    assert.deepEqual([counted?.text, counted?.parts], ['--total > amount', []]);
    const written = await conditionOf('written', 5n);
    assert.deepEqual([written?.text, written?.parts], ['total < amount', []]);
  });

  it('is none for a failed operation inside it, an unconditional revert, and success', async () => {
    assert.equal(await conditionOf('underflow', 5n), null);
    assert.equal(await conditionOf('plain', 5n), null);
    assert.equal(await conditionOf('take', 2n), null);
  });

  it('has values of optimized code where these are known, and none via IR with the optimizer', async () => {
    const optimizer = { enabled: true, runs: 200 };
    const condition = await conditionOf('take', 5n, { optimizer });
    assert.deepEqual(partsOf(condition), ['total=3 < amount=5']);
    assert.equal(await conditionOf('take', 5n, { viaIR: true, optimizer }), null);
  });
});
