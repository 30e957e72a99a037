import * as l10n from '@vscode/l10n';
import { isGuess } from '../api/decoding';
import type { FlowNode, Invocation } from '../api/explorer';
import { grouped } from './text';

/** Calls of which a part is guessed. */
export interface Guesses {
  /** Calls whose method has a name that only its selector matches. */
  readonly names: number;
  /** Calls without a known method, whose argument types the bytecode shows. */
  readonly argumentTypes: number;
}

/** What of a call is guessed; undefined for nothing. */
export function guessOf(
  call: Pick<Invocation, 'decodedMethod' | 'guessedParams'>,
): keyof Guesses | undefined {
  if (call.decodedMethod) return isGuess(call.decodedMethod.source) ? 'names' : undefined;
  return call.guessedParams && call.guessedParams.length > 0 ? 'argumentTypes' : undefined;
}

/** Counts the guesses of a call tree. */
export function countGuesses(nodes: Iterable<FlowNode>): Guesses {
  const counts = { names: 0, argumentTypes: 0 };
  for (const node of nodes) {
    const guess = 'invocation' in node ? guessOf(node.invocation) : undefined;
    if (guess !== undefined) counts[guess]++;
  }
  return counts;
}

/** `3 calls: argument types guessed`, one text for each kind of guess; empty for none. */
export function guessTexts({ names, argumentTypes }: Guesses): string[] {
  return [
    ...(names === 0 ? [] : [nameText(names)]),
    ...(argumentTypes === 0 ? [] : [typesText(argumentTypes)]),
  ];
}

const nameText = (count: number): string =>
  count === 1
    ? l10n.t('1 call: name guessed by its selector')
    : l10n.t('{0} calls: names guessed by their selectors', grouped(String(count)));

const typesText = (count: number): string =>
  count === 1
    ? l10n.t('1 call: argument types guessed')
    : l10n.t('{0} calls: argument types guessed', grouped(String(count)));
