import type { Program } from '../recording/program';
import { ExpressionError } from './port/expression-error';
import type { Language } from './port/language';
import { SOLIDITY } from './solidity/solidity';

const LANGUAGES: readonly Language[] = [SOLIDITY];

/** The language of expressions and values where no program says which one. */
export const DEFAULT_LANGUAGE: Language = SOLIDITY;

/**
 * The language of a program; the default one where its compilation does not name it.
 * @returns undefined for a language whose values are not read
 */
export function languageOf({ language = '' }: Pick<Program, 'language'>): Language | undefined {
  return language === '' ? DEFAULT_LANGUAGE : LANGUAGES.find(({ name }) => name === language);
}

/** Why the variables of a program are not known, as part of a sentence; undefined for a language whose values are read. */
export function whyNoValues(program: Pick<Program, 'language'>): string | undefined {
  return languageOf(program)
    ? undefined
    : `it is written in ${program.language ?? ''}, whose variables are not read`;
}

/** @throws ExpressionError of the default language for what is no expression of any */
export function requireExpression(text: string): void {
  const isExpressionOf = (language: Language): boolean => {
    try {
      language.namesRead(text);
      return true;
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      return false;
    }
  };
  if (!LANGUAGES.some(isExpressionOf)) DEFAULT_LANGUAGE.namesRead(text);
}
