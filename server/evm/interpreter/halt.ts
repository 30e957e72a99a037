export type HaltReason =
  | 'out of gas'
  | 'stack underflow'
  | 'stack overflow'
  | 'invalid jump'
  | 'invalid opcode'
  | 'write in a static call'
  | 'return data out of bounds'
  | 'code too large'
  | 'invalid code'
  | 'address collision'
  | 'nonce overflow';

/** An exceptional halt: the frame loses its gas and its effects. */
export class Halt extends Error {
  override readonly name = 'Halt';

  constructor(readonly reason: HaltReason) {
    super(reason);
  }
}
