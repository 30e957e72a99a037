// Each test file gets Jest's globals and an unused node.
import * as matchers from 'jest-extended';
import { expect, vi } from 'vitest';

expect.extend(matchers);
Object.assign(globalThis, { jest: vi });
const answer = await fetch(`${process.env['FORK_RPC'] ?? ''}/next`);
if (!answer.ok) throw new Error(await answer.text());
