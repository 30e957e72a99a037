/* global describe, it -- as Hardhat runs it */
const assert = require('node:assert/strict');
const { ethers } = require('hardhat');

const HBR = '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0';
const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const ABI = [
  'function transfer(address to, uint256 value) returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
];

describe('a token on the fork', () => {
  it('moves from an impersonated account', async () => {
    const [receiver] = await ethers.getSigners();
    const alice = await ethers.getImpersonatedSigner(ALICE);
    const token = new ethers.Contract(HBR, ABI, alice);
    const before = await token.balanceOf(receiver.address);
    await (await token.transfer(receiver.address, 5n)).wait();
    assert.equal(await token.balanceOf(receiver.address), before + 5n);
  });
});
