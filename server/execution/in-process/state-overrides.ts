import { createAccount, createAddressFromString } from '@ethereumjs/util';
import type { Hex } from '../../api/primitives';
import type { StateOverrides } from '../../api/simulate';
import { toWord } from '../../evm/forms/quantity';
import type { BlockState } from './block-state';

/** Sets the state that a simulation finds. Wei, nonces and slots in hex. */
export async function overrideState(state: BlockState, overrides: StateOverrides): Promise<void> {
  for (const [key, override] of Object.entries(overrides)) {
    const address = createAddressFromString(key);
    const { balance, nonce, code, state: storage, stateDiff } = override;
    if (balance !== undefined || nonce !== undefined) {
      const account = (await state.getAccount(address)) ?? createAccount({});
      if (balance !== undefined) account.balance = BigInt(balance);
      if (nonce !== undefined) account.nonce = BigInt(nonce);
      await state.putAccount(address, account);
    }
    if (code !== undefined) await state.putCode(address, bytesOf(code));
    if (storage !== undefined) await state.clearStorage(address);
    for (const [slot, value] of Object.entries(storage ?? stateDiff ?? {})) {
      await state.putStorage(address, bytesOf(toWord(BigInt(slot))), bytesOf(value));
    }
  }
}

const bytesOf = (hex: Hex): Uint8Array => Buffer.from(hex.slice(2), 'hex');
