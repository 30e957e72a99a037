// @ts-check
/**
 * A rule of the linter: a promise in a variable or a parameter is used before its function waits for something else. If it were rejected in
 * the meantime, nobody would have handled it, which ends a process of Node.
 */

/** Whether a type is a promise, or an array or a union of them. */
function isPromise(type, checker, depth = 0) {
  if (depth > 2) return false;
  const inner = (types) => types.some((one) => isPromise(one, checker, depth + 1));
  if (checker.isArrayType(type) || checker.isTupleType(type)) {
    return inner(checker.getTypeArguments(type));
  }
  return type.isUnion() ? inner(type.types) : type.getSymbol()?.name === 'Promise';
}

const FUNCTION = /Function/;

const handledAtOnce = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { late: '{{name}} is first used after another await: it may be rejected before' },
  },
  create({ sourceCode, report }) {
    const { program, esTreeNodeToTSNodeMap } = sourceCode.parserServices;
    const checker = program.getTypeChecker();
    /** Ranges of awaits of the open functions, innermost last. */
    const awaits = [[]];

    function check(names, from, waits) {
      for (const variable of names) {
        const [name] = variable.identifiers;
        const first = variable.references.find((one) => one.isRead())?.identifier;
        if (!name || !first) continue;
        const isLate = waits.some(([start, end]) => start >= from && end <= first.range[0]);
        if (!isLate) continue;
        const type = checker.getTypeAtLocation(esTreeNodeToTSNodeMap.get(name));
        if (isPromise(type, checker)) {
          report({ node: name, messageId: 'late', data: { name: variable.name } });
        }
      }
    }

    /** Declarations of the open functions, which are checked at their end. */
    const declared = [[]];
    function open() {
      awaits.push([]);
      declared.push([]);
    }
    function close(node) {
      const waits = awaits.pop() ?? [];
      for (const one of declared.pop() ?? []) {
        check(sourceCode.getDeclaredVariables(one), one.range[1], waits);
      }
      if (!FUNCTION.test(node.type)) return;
      const names = sourceCode
        .getDeclaredVariables(node)
        .filter(({ defs }) => defs.some(({ type }) => type === 'Parameter'));
      check(names, node.body.range[0], waits);
    }
    return {
      ':function': open,
      ':function:exit': close,
      'Program:exit': close,
      AwaitExpression: (node) => awaits.at(-1)?.push(node.range),
      VariableDeclarator: (node) => declared.at(-1)?.push(node),
    };
  },
};

export const promisesPlugin = { rules: { 'handled-at-once': handledAtOnce } };
