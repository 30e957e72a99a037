import type { Address } from '../../../../api/primitives';
import type { ContractFacts, NamedContracts } from '../../port/contract-facts';
import { ExpressionError } from '../../port/expression-error';
import type { StateExpression, StateValue } from '../../port/language';
import type { ReadState } from '../../port/read-state';
import { Unavailable } from '../../port/unavailable';
import { evaluate } from '../expressions/evaluate';
import { parseExpression } from '../expressions/parse';
import { isKnownName, namesRead, unknownName } from '../expressions/read-names';
import { ArithmeticError } from '../expressions/refused-expressions';
import { wholeBytes } from '../values/access';
import type { State } from '../values/state';
import { typeName } from '../values/types';
import type { Value } from '../values/value';
import { bytesText, wordText } from '../values/words';
import { asWritten, ChainNames, writtenAddresses } from './chain-names';

/** An expression such as `vault.totalAssets() < token.balanceOf(vault)`. @throws ExpressionError */
export function chainExpression(written: string, given: NamedContracts): StateExpression {
  const text = writtenAddresses(written);
  const parsed = naming(() => parseExpression(text));
  const evaluated = (state: ReadState, facts: ReadonlyMap<Address, ContractFacts>): StateValue => {
    const names = new ChainNames(state, given, facts);
    for (const read of namesRead(parsed)) {
      if (!isKnownName(read, names)) throw unknownName(read.name, read.at, names);
    }
    try {
      const value = evaluate(text, names);
      return { value: shown(names.state, value), type: typeName(value.type) };
    } catch (error) {
      if (!(error instanceof Unavailable || error instanceof ArithmeticError)) throw error;
      return { value: '', type: '', unavailable: asWritten(error.message) };
    }
  };
  return { valueOn: (state, facts) => naming(() => evaluated(state, facts)) };
}

/** Errors name addresses as they were written. */
function naming<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ExpressionError) error.message = asWritten(error.message);
    throw error;
  }
}

/** @throws Unavailable; ExpressionError for what has several values */
function shown(state: State, value: Value): string {
  if (value.kind === 'missing') throw new Unavailable(value.reason);
  if (value.kind === 'word') return wordText(value.type, value.word);
  const data = wholeBytes(state, value);
  if (data && (value.type.kind === 'bytes' || value.type.kind === 'string')) {
    return bytesText(value.type.kind, data);
  }
  throw new ExpressionError(
    `${typeName(value.type)} has several values; accepted is one of them, such as an element or a member`,
    0,
  );
}
