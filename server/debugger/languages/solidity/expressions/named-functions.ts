import { typeName } from '../values/types';
import type { Value } from '../values/value';
import { typeNamed } from './conversions';
import type { EncodableFunction } from './encode-call';
import { memberOfType } from './members';
import type { CallableFunction, Names } from './names';
import { word, type Operand } from './operands';
import type { Expression } from './parse';

/** Evaluates a part of an expression; `known` throws Unavailable for a missing value. */
interface Evaluated {
  operand(expression: Expression): Operand;
  known(expression: Expression): Operand;
}

/** The functions that names in an expression mean. */
export class NamedFunctions {
  constructor(
    private readonly names: Names,
    private readonly evaluated: Evaluated,
  ) {}

  /** Of a function, an error or an event that an expression names; of a value of an external function type. */
  selector(object: Expression): Value | undefined {
    if (object.kind === 'name' && !this.names.resolve(object.name)) {
      return this.names.selector(undefined, object.name);
    }
    if (object.kind === 'member') {
      const owner = this.typeOrValue(object.object);
      const isThis = object.object.kind === 'name' && object.object.name === 'this';
      if (isThis) return this.names.selector(undefined, object.name);
      if (owner?.kind === 'type') return this.names.selector(typeName(owner.type), object.name);
    }
    const operand = this.evaluated.operand(object);
    const isFunction =
      operand.kind === 'word' && operand.type.kind === 'function' && operand.type.isExternal;
    return isFunction
      ? word({ kind: 'fixedBytes', length: 4 }, (operand.word & 0xffffffffn) << 224n)
      : undefined;
  }

  /** Functions that `abi.encodeCall` may mean. */
  encodable(called: Expression): readonly EncodableFunction[] {
    if (called.kind === 'name') return this.names.encodable(undefined, called.name);
    if (called.kind !== 'member') return [];
    const { object, name } = called;
    if (object.kind === 'name' && object.name === 'this') {
      return this.names.encodable(undefined, name);
    }
    const owner = this.typeOrValue(object);
    const { type } = (owner?.kind === 'type' ? owner : this.#contract(object)) ?? {};
    return type?.kind === 'contract' ? this.names.encodable(type.name, name) : [];
  }

  /** The functions that a call may mean, with their arguments: the value before the dot is the first one of a function that `using … for` gives to it. */
  called(
    callee: Extract<Expression, { kind: 'name' | 'member' }>,
    given: readonly Expression[],
  ): { found: readonly CallableFunction[]; given: readonly Expression[] } {
    const { name, at } = callee;
    if (callee.kind === 'name') return { found: this.names.functions(name, undefined, at), given };
    const type = this.typeOrValue(callee.object);
    if (type?.kind === 'type') {
      const isNamed = type.type.kind === 'contract';
      return { found: isNamed ? this.names.functionsOf(typeName(type.type), name) : [], given };
    }
    const contract = this.#contract(callee.object);
    const own = contract ? this.names.functions(name, contract, at) : [];
    if (own.length > 0) return { found: own, given };
    const isName = callee.object.kind === 'name';
    const isValue = !isName || this.names.resolve(callee.object.name) !== undefined;
    return isValue
      ? { found: this.names.attached(name), given: [callee.object, ...given] }
      : { found: [], given };
  }

  /** A type or a value that is named before a dot; undefined for other expressions. */
  typeOrValue(callee: Expression): Operand | undefined {
    if (callee.kind === 'name') return this.names.resolve(callee.name) ?? typeNamed(callee.name);
    if (callee.kind !== 'member') return undefined;
    const object = this.typeOrValue(callee.object);
    return object?.kind === 'type' ? memberOfType(object, callee.name) : undefined;
  }

  #contract(object: Expression): Value | undefined {
    // Such as `abi`.
    if (object.kind === 'name' && !this.names.resolve(object.name)) return undefined;
    const operand = this.evaluated.known(object);
    return operand.kind === 'word' && operand.type.kind === 'contract' ? operand : undefined;
  }
}
