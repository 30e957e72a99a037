// Types of arguments.mjs, for the test programs that are written in TypeScript.
import type { parseArgs, ParseArgsConfig } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;
type Nearest = (name: string, known: readonly string[]) => string | undefined;

export class UsageError extends Error {}
export function readArguments<O extends Options>(
  args: readonly string[],
  options: O,
  nearest: Nearest,
): ReturnType<typeof parseArgs<{ options: O; allowPositionals: true; strict: true }>>;
export function checkNames(
  kind: string,
  names: readonly string[],
  known: readonly string[],
  nearest: Nearest,
): void;
export function wholeNumber(name: string, text: string, least: number, most: number): number;
export function runProgram(program: string, work: () => Promise<void>): Promise<void>;
