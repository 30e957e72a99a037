import assert from 'node:assert/strict';
import { JsonRpcProvider, parseEther, Transaction, verifyMessage, verifyTypedData } from 'ethers';
import {
  BaseError,
  createPublicClient,
  createTestClient,
  createWalletClient,
  FeeCapTooLowError,
  http,
  InsufficientFundsError,
  IntrinsicGasTooLowError,
  recoverMessageAddress,
  recoverTransactionAddress,
  recoverTypedDataAddress,
  type SendTransactionParameters,
  type TransactionSerializedEIP1559,
} from 'viem';
import { mainnet } from 'viem/chains';
import { useForkAddress } from './fork-suite';
import { COUNTER } from './fork-upstream';

const STRANGER = `0x${'99'.repeat(20)}` as const;
const DOMAIN = { name: 'Mail', version: '1', chainId: 1, verifyingContract: COUNTER } as const;
const TYPES = {
  Mail: [
    { name: 'to', type: 'address' },
    { name: 'text', type: 'string' },
  ],
} as const;
const MAIL = { to: COUNTER, text: 'hello' } as const;

describe("clients that use a fork's own accounts", () => {
  const on = useForkAddress();

  it('ethers: signers of the node send and sign', async () => {
    const provider = new JsonRpcProvider(on.rpc, undefined, { cacheTimeout: -1 });
    try {
      const signers = await provider.listAccounts();
      assert.equal(signers.length, 10);
      const signer = await provider.getSigner(3);
      assert.equal(signer.address, '0x90F79bf6EB2c4f870365E785982E1f101E93b906');
      assert.equal(await provider.getBalance(signer), parseEther('10000'));
      const sent = await signer.sendTransaction({ to: COUNTER });
      assert.equal((await sent.wait())?.status, 1);
      assert.equal(verifyMessage('hello', await signer.signMessage('hello')), signer.address);
      const types = { Mail: [...TYPES.Mail] };
      const signature = await signer.signTypedData(DOMAIN, types, MAIL);
      assert.equal(verifyTypedData(DOMAIN, types, MAIL, signature), signer.address);
      const raw = await signer.signTransaction({ to: COUNTER, value: 1n });
      assert.equal(Transaction.from(raw).from, signer.address);
      assert.equal(Transaction.from(raw).nonce, 1);
    } finally {
      provider.destroy();
    }
  });

  it('viem: accounts of the node send, sign, wait and reset', async () => {
    const transport = http(on.rpc);
    const reader = createPublicClient({ chain: mainnet, transport });
    const wallet = createWalletClient({ chain: mainnet, transport });
    const test = createTestClient({ chain: mainnet, transport, mode: 'hardhat' });
    const addresses = await wallet.requestAddresses();
    assert.deepEqual(await wallet.getAddresses(), addresses);
    const [account] = addresses;
    assert.ok(account);
    const message = await wallet.signMessage({ account, message: 'hello' });
    assert.equal(await recoverMessageAddress({ message: 'hello', signature: message }), account);
    const data = { domain: DOMAIN, types: TYPES, primaryType: 'Mail', message: MAIL } as const;
    const signature = await wallet.signTypedData({ account, ...data });
    assert.equal(await recoverTypedDataAddress({ ...data, signature }), account);
    const signed = await wallet.signTransaction({ account, to: COUNTER });
    const serializedTransaction = signed as TransactionSerializedEIP1559;
    assert.equal(await recoverTransactionAddress({ serializedTransaction }), account);
    const hash = await wallet.sendTransaction({ account, to: COUNTER, value: 0n });
    const { status } = await reader.waitForTransactionReceipt({ hash });
    assert.equal(status, 'success');
    const receipt = await wallet.sendRawTransactionSync({
      serializedTransaction: await wallet.signTransaction({ account, to: COUNTER }),
    });
    assert.equal(receipt.status, 'success');
    await test.setLoggingEnabled(true);
    await test.reset();
    assert.equal(await on.counter(), 1);
    assert.equal(await reader.getTransactionCount({ address: account }), 0);
  });

  const REFUSED: [string, Partial<SendTransactionParameters>, new (...args: never[]) => Error][] = [
    ['funds', { account: STRANGER, gas: 100_000n }, InsufficientFundsError],
    ['gas', { gas: 21_000n, data: '0xffff' }, IntrinsicGasTooLowError],
    ['a fee', { gas: 100_000n, maxFeePerGas: 1n, maxPriorityFeePerGas: 0n }, FeeCapTooLowError],
  ];
  for (const [what, fields, type] of REFUSED) {
    it(`viem recognizes a transaction that is rejected for lack of ${what}`, async () => {
      const wallet = createWalletClient({ chain: mainnet, transport: http(on.rpc) });
      const [account] = await wallet.getAddresses();
      const transaction = { account, to: COUNTER, ...fields } as SendTransactionParameters;
      await assert.rejects(wallet.sendTransaction(transaction), (error: unknown) => {
        assert.ok(error instanceof BaseError);
        assert.ok(error.walk((one) => one instanceof type) instanceof type, String(error));
        return true;
      });
    });
  }
});
