import { toQuantity } from '../../../server/evm/forms/quantity';
import { ALICE, COUNTER } from '../../integration/fork-upstream';
import type { JsonRpcFixture } from './fixture';

export const NOWHERE = `0x${'11'.repeat(32)}`;
export const CALL = { from: ALICE.address, to: COUNTER };

/** Block numbers: the first of the fork's own blocks, the newest, and one that does not exist. */
export const first = ({ firstOwn }: JsonRpcFixture): string => toQuantity(firstOwn);
export const newest = ({ head }: JsonRpcFixture): string => toQuantity(head);
export const beyond = ({ head }: JsonRpcFixture): string => toQuantity(head + 100);
