import { parseAst } from "vite";

/** One small mistake in a source file, of a kind that people make. */
export interface Mutant {
  readonly kind: MutantKind;
  /** Offsets of the replaced text in the source. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

export type MutantKind =
  | "await"
  | "bound"
  | "call"
  | "comparison"
  | "condition"
  | "guard"
  | "logic"
  | "number"
  | "sign";

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [property: string]: unknown;
}

const COMPARISONS: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
};
const ARITHMETIC: Readonly<Record<string, string>> = { "+": "-", "-": "+", "*": "/", "/": "*" };
const LOGIC: Readonly<Record<string, string>> = { "&&": "||", "||": "&&" };
const JUMPS = new Set(["ReturnStatement", "ThrowStatement", "ContinueStatement", "BreakStatement"]);

/**
 * Lists the mutants of a TypeScript source in the order of the text.
 * Types, imports and texts stay as they are: no test of behaviour can notice them.
 */
export function listMutants(source: string, path: string): Mutant[] {
  const mutants: Mutant[] = [];
  const text = (node: SyntaxNode) => source.slice(node.start, node.end);
  const add = (kind: MutantKind, node: SyntaxNode, replacement: string) =>
    mutants.push({ kind, start: node.start, end: node.end, replacement });
  const addOperator = (kind: MutantKind, node: SyntaxNode, table: Readonly<Record<string, string>>) => {
    const operator = String(node["operator"]);
    const other = table[operator];
    if (other === undefined) return;
    const [left, right] = [child(node, "left"), child(node, "right")];
    const start = left.end + source.slice(left.end, right.start).indexOf(operator);
    mutants.push({ kind, start, end: start + operator.length, replacement: other });
  };

  const addOwn: Readonly<Record<string, (node: SyntaxNode) => void>> = {
    BinaryExpression(node) {
      addOperator("comparison", node, COMPARISONS);
      const isText = [child(node, "left"), child(node, "right")].some(isString);
      if (!isText) addOperator("sign", node, ARITHMETIC);
    },
    LogicalExpression: (node) => addOperator("logic", node, LOGIC),
    AwaitExpression: (node) => add("await", node, text(child(node, "argument"))),
    UnaryExpression(node) {
      if (node["operator"] === "!") add("condition", node, text(child(node, "argument")));
    },
    ConditionalExpression(node) {
      const test = child(node, "test");
      add("condition", test, `!(${text(test)})`);
    },
    IfStatement(node) {
      const test = child(node, "test");
      const then = child(node, "consequent");
      const isGuard = JUMPS.has(then.type) && node["alternate"] === null;
      add(isGuard ? "guard" : "condition", test, "false");
      if (!isGuard) add("condition", test, "true");
    },
    ExpressionStatement(node) {
      const expression = child(node, "expression");
      const called = expression.type === "AwaitExpression" ? child(expression, "argument") : expression;
      const isSuper = called.type === "CallExpression" && child(called, "callee").type === "Super";
      if (called.type === "CallExpression" && !isSuper) add("call", node, ";");
    },
    CallExpression(node) {
      const callee = text(child(node, "callee"));
      const [first] = childNodes(node["arguments"]);
      if ((callee === "Math.min" || callee === "Math.max") && first) add("bound", node, text(first));
    },
    Literal(node) {
      const value = node["value"];
      if (typeof value === "number") add("number", node, value < 2 ? String(value + 1) : String(value * 10));
    },
  };

  const walk = (node: SyntaxNode): void => {
    if (node.type.startsWith("Import") || isTypeOnly(node)) return;
    addOwn[node.type]?.(node);
    for (const [property, value] of Object.entries(node))
      if (property !== "typeAnnotation" && property !== "typeArguments")
        for (const below of childNodes(value)) walk(below);
  };
  walk(parseAst(source, { lang: path.endsWith("x") ? "tsx" : "ts" }, path) as unknown as SyntaxNode);
  return mutants.toSorted((one, other) => one.start - other.start || one.end - other.end);
}

/** Types with a value inside, whose expression is mutated like any other. */
const WRAPPERS = new Set(["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"]);

function isTypeOnly(node: SyntaxNode): boolean {
  return node.type.startsWith("TS") && !WRAPPERS.has(node.type);
}

function isString(node: SyntaxNode): boolean {
  return node.type === "TemplateLiteral" || typeof node["value"] === "string";
}

function child(node: SyntaxNode, property: string): SyntaxNode {
  return node[property] as SyntaxNode;
}

function childNodes(value: unknown): SyntaxNode[] {
  return [value].flat().filter((entry): entry is SyntaxNode => isNode(entry));
}

function isNode(value: unknown): boolean {
  return typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";
}

/**
 * Chooses mutants at random, the same ones for the same seed.
 * @param seed any whole number
 */
export function sampleMutants<T>(mutants: readonly T[], count: number, seed: number): T[] {
  let state = seed >>> 0;
  const next = () => {
    // The generator mulberry32 of Tommy Ettinger, in the public domain.
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return mutants
    .map((mutant) => ({ mutant, key: next() }))
    .toSorted((one, other) => one.key - other.key)
    .slice(0, count)
    .map(({ mutant }) => mutant);
}
