import { AMSTERDAM_CASES } from './amsterdam-cases';
import type { AdversarialCase } from './case';
import { CODE_CASES } from './code-cases';
import { CONTEXT_CASES } from './context-cases';
import { DELEGATION_CASES } from './delegation-cases';
import { DESTROY_CASES } from './destroy-cases';
import { GAS_CASES } from './gas-cases';
import { OSAKA_CASES } from './osaka-cases';
import { STORAGE_CASES } from './storage-cases';

export const ADVERSARIAL_CASES: readonly AdversarialCase[] = [
  ...STORAGE_CASES,
  ...DELEGATION_CASES,
  ...CODE_CASES,
  ...DESTROY_CASES,
  ...CONTEXT_CASES,
  ...GAS_CASES,
  ...OSAKA_CASES,
  ...AMSTERDAM_CASES,
];
